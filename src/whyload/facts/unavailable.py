"""Modules that Python could not find although something of them is there, and recorded files that are gone."""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.paths import WinPath
from whyload.facts.case import Case
from whyload.facts.packages import Owner, RecordEntry
from whyload.startup.finder import ModuleKind, find_module
from whyload.world.model import Presence


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


def unavailable_modules(case: Case) -> list[UnfitModule | GoneFile]:
    """What explains a ModuleNotFoundError, and what is gone from the packages that were used."""
    found: list[UnfitModule | GoneFile] = []
    failure = case.playback.failure
    for error in failure.history() if failure else ():
        module = error.raised.module if error.raised else None
        near = _near(case, module) if module else None
        if module and near is not None:
            found.append(UnfitModule(case=case, module=module, file=near, owner=case.packages.owner(near)))
    return found + list(_gone_files(case))


def _near(case: Case, module: str) -> WinPath | None:
    located = find_module(case.world, module, case.paths)
    if located is None or located.kind is not ModuleKind.MISSING:
        return None
    native = [path for path in located.near_misses if path.suffix in (".pyd", ".so")]
    return native[0] if native else None


def _gone_files(case: Case) -> list[GoneFile]:
    owners: dict[str, Owner] = {}
    for name in dict.fromkeys(module.partition(".")[0] for module in case.playback.modules):
        owner = case.packages.providing(name)
        if owner is not None:
            owners.setdefault(owner.distribution, owner)
    found = []
    for owner in owners.values():
        absent = (e for e in case.packages.natives_of(owner) if case.world.files.presence(e.path) is Presence.ABSENT)
        gone = [entry for entry in absent if case.packages.owner(entry.path) == owner]  # two may list one file
        if gone:
            found.append(GoneFile(case=case, entry=gone[0], others=tuple(gone[1:])))
    return found
