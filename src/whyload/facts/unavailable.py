"""Modules that Python could not find although something of them is there, and recorded files that are gone."""

from __future__ import annotations

from collections.abc import Iterable

from whyload.base.dataclass import dataclass
from whyload.base.typing import TYPE_CHECKING
from whyload.observe.failures import modules_spoken_of, sought_module
from whyload.startup.finder import ModuleKind, find_module, suffixes
from whyload.world.model import Presence

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.facts.case import Case
    from whyload.facts.ownership import Owner, RecordEntry
    from whyload.loader.windows.playback import Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfitModule:
    """A module that this Python does not see, and the file of its name that is for another one."""

    case: Case
    module: str
    file: WinPath
    owner: Owner | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GoneFile:
    """A native file that RECORD lists and that is not there."""

    case: Case
    entry: RecordEntry
    others: tuple[RecordEntry, ...]
    """Further recorded native files of the same distribution that are gone."""
    is_missed: bool = True
    """Something asks for it as far as is known; a library that nothing was seen to ask for may never be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnbundledModule:
    """A module that a frozen application asked for and does not hold."""

    case: Case
    module: str


def unbundled_module(case: Case, said: str) -> UnbundledModule | None:
    """The module that the error of a frozen application names, unless a file of the bundle is that module."""
    module = sought_module(said)
    if module is None:
        return None
    root = case.world.python.executable.parent
    located = find_module(case.world, module, (root / "_internal", root, root / "lib"))
    if located is not None and located.kind not in (ModuleKind.MISSING, ModuleKind.NAMESPACE):
        return None
    return UnbundledModule(case=case, module=module)


def unavailable_modules(case: Case, said: str = "") -> list[UnfitModule | GoneFile]:
    """What explains that a module was not found, and what is gone from the packages that were used.

    `said` is the error that a run ended with, where it is known.
    """
    found: list[UnfitModule | GoneFile] = []
    failure = case.playback.failure
    sought = [_sought(error) for error in (failure.history() if failure else ())]
    modules = list(filter(None, dict.fromkeys((*sought, sought_module(said)))))
    for module in modules:
        near = _near(case, module)
        if near is not None:
            found.append(UnfitModule(case=case, module=module, file=near, owner=case.packages.owner(near)))
    names = {module.rpartition(".")[2].lower() for module in modules}
    spoken_of = [*modules, *modules_spoken_of(said)]
    gone = [*_gone_path_files(case, names), *_gone_files(case, names, spoken_of, raised_by_program=_is_own(said))]
    return [*found, *gone, *(() if any(file.is_missed for file in gone) else _gone_sources(case, spoken_of))]


def _is_own(said: str) -> bool:
    """The error names no module in CPython's words: a program wrote it itself."""
    return bool(said) and sought_module(said) is None


def _gone_sources(case: Case, modules: Iterable[str]) -> list[GoneFile]:
    """Recorded Python files of the modules that an error speaks of: without its `__init__.py` a package is empty."""
    for module in dict.fromkeys(modules):
        names = module.lower().split(".")
        for parts in ([*names, "__init__.py"], [*names[:-1], f"{names[-1]}.py"]):
            tail = "\\" + "\\".join(parts)
            for entry in case.packages.named(parts[-1]):
                if entry.path.key.endswith(tail) and case.world.files.presence(entry.path) is Presence.ABSENT:
                    return [GoneFile(case=case, entry=entry, others=())]
    return []


def _gone_path_files(case: Case, sought: set[str]) -> list[GoneFile]:
    """The `.pth` file of a distribution that has the module, in a folder which only that file puts on `sys.path`."""
    owners = {
        entry.owner
        for name in sought
        for suffix, kind in suffixes(case.world.python)
        for entry in (case.packages.named(name + suffix) if kind is ModuleKind.EXTENSION else ())
        if case.world.files.presence(entry.path) is Presence.FILE
    }
    gone = [
        entry
        for owner in sorted(owners, key=lambda owner: owner.distribution)
        for entry in case.packages.files_of(owner)
        if entry.path.suffix == ".pth" and case.world.files.presence(entry.path) is Presence.ABSENT
    ]
    return [GoneFile(case=case, entry=entry, others=()) for entry in gone[:1]]


def _sought(error: Failure) -> str | None:
    """The module that was not there, as the error or its words name it."""
    raised = error.raised
    if raised is not None and raised.module:
        return raised.module
    return sought_module((raised.text if raised is not None else error.text) or "")


def _near(case: Case, module: str) -> WinPath | None:
    located = find_module(case.world, module, case.paths)
    if located is None or located.kind is not ModuleKind.MISSING:
        return None
    native = [path for path in located.near_misses if path.suffix in (".pyd", ".so")]
    return native[0] if native else None


def _gone_files(case: Case, sought: set[str], spoken_of: Iterable[str], *, raised_by_program: bool) -> list[GoneFile]:
    """One for each distribution of which a module was started, or is spoken of in the error.

    `sought` are names of modules that were not found.
    """
    owners: dict[str, Owner] = {}
    for name in dict.fromkeys(module.partition(".")[0] for module in (*case.playback.modules, *spoken_of)):
        owner = case.packages.providing(name)
        if owner is not None:
            owners.setdefault(owner.distribution, owner)
    found = []
    for owner in owners.values():
        absent = (e for e in case.packages.natives_of(owner) if case.world.files.presence(e.path) is Presence.ABSENT)
        gone = [entry for entry in absent if case.packages.owner(entry.path) == owner]  # two may list one file
        if gone:
            gone.sort(key=lambda entry: _stem(entry) not in sought)
            missed = _is_missed(case, gone, sought) or (raised_by_program and _raised_beside(case, gone))
            found.append(GoneFile(case=case, entry=gone[0], others=tuple(gone[1:]), is_missed=missed))
    return found


def _is_missed(case: Case, gone: list[RecordEntry], sought: set[str]) -> bool:
    if sought or case.playback.failure is None:
        return any(_stem(entry) in sought for entry in gone) or (
            case.playback.failure is None and any(entry.path.suffix == ".pyd" for entry in gone)
        )
    return True


def _raised_beside(case: Case, gone: list[RecordEntry]) -> bool:
    """A Python file in the folder of an extension module that is gone raised the error."""
    failure = case.playback.failure
    place = failure.raised.place if failure is not None and failure.raised is not None else None
    file = place.file if place is not None else None
    return file is not None and any(e.path.suffix == ".pyd" and e.path.parent == file.parent for e in gone)


def _stem(entry: RecordEntry) -> str:
    return entry.path.name.partition(".")[0].lower()
