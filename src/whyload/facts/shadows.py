"""Modules of the user's own that hide an installed package, or a module of Python's, of the same name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whyload.base.dataclass import dataclass
from whyload.base.record import normalised
from whyload.base.typing import TYPE_CHECKING
from whyload.observe.failures import modules_spoken_of
from whyload.startup.finder import ModuleKind, find_module
from whyload.startup.skeleton import is_too_dense
from whyload.startup.standard import is_standard
from whyload.world.model import World, read_text

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.facts.case import Case
    from whyload.facts.ownership import Owner

_MOST_BESIDE = 60
"""Modules beside the program that are looked up; a folder with more is seldom a project."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShadowedModule:
    """`module` is found in `file`, before the one that `owner` installed."""

    case: Case
    module: str
    file: WinPath
    """The folder of a package, the file of a module."""
    owner: Owner | None
    """None for a module of Python's own."""


def shadowed_modules(case: Case, modules: tuple[str, ...], said: str = "") -> list[ShadowedModule]:
    """Of the modules asked for, named by the program or started: those that lie beside the program.

    A module of Python's own counts only where the error that ended the run, as the simulation or `said` has it,
    speaks of it: a file with such a name may well do for those who import it.
    """
    found = []
    own = {folder for folder in (case.script_folder, case.process.cwd) if folder is not None}
    blamed = _blamed(case, said)
    named = (*modules, *imported_by_program(case.world), *case.playback.modules, *blamed)
    tops = dict.fromkeys(name.partition(".")[0] for name in named)
    for name in (*tops, *_hidden_needs(case, own, tops)):
        module = find_module(case.world, name, case.paths)
        if module is None or module.file is None or module.kind is ModuleKind.STANDARD:
            continue
        file = module.file.parent if module.kind is ModuleKind.PACKAGE else module.file
        if file.parent not in own or case.packages.owner(module.file) is not None:
            continue
        owner = case.packages.providing(name)
        if owner is not None or (name in blamed and is_standard(name, case.world.python.version)):
            found.append(ShadowedModule(case=case, module=name, file=file, owner=owner))
    return found


def _hidden_needs(case: Case, own: set[WinPath], tops: Iterable[str]) -> Iterator[str]:
    """Modules beside the program, not imported by it, whose names are those of what an imported package requires."""
    files = (name for folder in own for name in case.world.files.listdir(folder) if name.lower().endswith(".py"))
    beside = {stem for stem in (name[:-3] for name in files) if stem.isidentifier() and stem not in tops}
    owners = {name: case.packages.providing(name) for name in sorted(beside)[:_MOST_BESIDE]}
    if not any(owners.values()):
        return
    needed = _needed(case, {owner for owner in map(case.packages.providing, tops) if owner is not None})
    yield from (name for name, owner in owners.items() if owner and normalised(owner.distribution) in needed)


def _needed(case: Case, owners: set[Owner]) -> set[str]:
    """Normalised names of all that these distributions require, and what that requires; no extras."""
    by_name = {normalised(item.owner.distribution): item.owner for item in case.packages.installed()}
    found: set[str] = set()
    waiting = list(owners)
    while waiting:
        new = case.packages.requirements(waiting.pop(), extras=False) - found
        found |= new
        waiting += [by_name[name] for name in new if name in by_name]
    return found


def _blamed(case: Case, said: str) -> set[str]:
    """Top-level modules that the errors speak of."""
    failure = case.playback.failure
    history = failure.history() if failure is not None else ()
    texts = [(error.raised.text if error.raised is not None else error.text) or "" for error in history]
    return {name.partition(".")[0] for text in (said, *texts) for name in modules_spoken_of(text)}


def imported_by_program(world: World) -> tuple[str, ...]:
    """Modules that the program's own source imports at any level."""
    import ast

    run = world.run
    if run is not None and run.imports is not None:
        return run.imports
    code = run.code if run else None
    if run is not None and run.script is not None:
        code = read_text(world.files, run.script)
    if is_too_dense(code or ""):
        return ()
    try:
        tree = ast.parse(code or "")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
    return tuple(names)
