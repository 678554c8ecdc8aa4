"""What happens at one candidate file (loader.md R2.30 to R2.34).

Source: Wine's conformance tests that are run on Windows too (module.c, loader.c); see the rules for the weight of each.
"""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.machine import Machine
from whyload.base.typing import TYPE_CHECKING
from whyload.loader.model import BAD_IMAGE, DENIED, NOT_FOUND, OK, Status, Step, StepKind, Verdict
from whyload.loader.windows.damage import damage
from whyload.loader.windows.redirection import redirected
from whyload.world.model import Presence

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.formats.pe import Image
    from whyload.loader.windows.directories import SearchFolder
    from whyload.loader.windows.process import Process

_PRESENCE = {
    Presence.ABSENT: ("R2.30", Verdict.ABSENT),
    Presence.UNKNOWN: ("R2.30", Verdict.UNKNOWN),
    Presence.DENIED: ("R2.33", Verdict.DENIED),
    Presence.DIRECTORY: ("R2.33", Verdict.DIRECTORY),
}
LONG_PATH = 260
"""MAX_PATH; Microsoft, "Maximum Path Length Limitation"."""
_STOPS = {
    Verdict.DENIED: DENIED,
    Verdict.DIRECTORY: DENIED,
    Verdict.DAMAGED: BAD_IMAGE,
    Verdict.INCOMPATIBLE: BAD_IMAGE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """The end of a search: the file taken, or the status; and every step."""

    status: Status
    steps: tuple[Step, ...]
    path: WinPath | None = None


def examine(process: Process, path: WinPath, kind: StepKind, rule: str) -> Step:
    """Look at one candidate."""
    path = redirected(path, process.world, process.system32)
    presence = process.files.presence(path)
    place = str(path.parent)
    if presence is not Presence.FILE:
        found_rule, verdict = _PRESENCE[presence]
        return Step(kind=kind, rule=f"{rule}, {found_rule}", verdict=verdict, place=place, path=path)
    if len(path.text) >= LONG_PATH and process.long_paths is False:
        return Step(kind=kind, rule=f"{rule}, R2.39", verdict=Verdict.TOO_LONG, place=place, path=path)
    opened = process.images.open(path)
    if opened.denied:
        return Step(kind=kind, rule=f"{rule}, R2.33", verdict=Verdict.DENIED, place=place, path=path)
    if opened.damage is not None:
        return Step(
            kind=kind,
            rule=f"{rule}, R2.32",
            verdict=Verdict.DAMAGED,
            place=place,
            path=path,
            detail=damage(opened.damage),
        )
    machine = opened.machine
    if opened.image is None or machine is None or _fits(process, machine, opened.image):
        return Step(kind=kind, rule=rule, verdict=Verdict.TAKEN, place=place, path=path, machine=machine)
    if process.runs_on_system(machine):
        verdict, found_rule = Verdict.MISMATCH, "R2.31"
    else:
        verdict, found_rule = Verdict.INCOMPATIBLE, "R2.34"
    return Step(kind=kind, rule=f"{rule}, {found_rule}", verdict=verdict, place=place, path=path, machine=machine)


def _fits(process: Process, machine: Machine, image: Image) -> bool:
    """R1.7: the machine, or managed code alone that asks for no other width than the process has."""
    if process.runs_here(machine):
        return True
    managed = image.clr()
    if managed is None or not managed.is_il_only:
        return False
    return not image.is_pe32_plus if process.machine is Machine.I386 else not managed.requires_32bit


def search(process: Process, folders: tuple[SearchFolder, ...], name: str) -> Search:
    """Walk the list: an absent file and one for another processor go on, anything unusable stops (R2.30 to R2.33).

    R2.6: a relative name is appended whole to each folder.
    """
    steps: list[Step] = []
    mismatch = False
    for entry in folders:
        step = examine(process, entry.folder / name, entry.kind, entry.rule)
        steps.append(step)
        if step.verdict is Verdict.TAKEN and step.path is not None:
            return Search(status=OK, steps=tuple(steps), path=process.files.actual(step.path))
        if step.verdict in _STOPS:
            return Search(status=_STOPS[step.verdict], steps=tuple(steps))
        mismatch = mismatch or step.verdict is Verdict.MISMATCH
    return Search(status=BAD_IMAGE if mismatch else NOT_FOUND, steps=tuple(steps))


def full_path(process: Process, path: WinPath) -> Search:
    """R2.5: only that file; there another processor is an error at once (R2.31)."""
    step = examine(process, path, StepKind.FULL_PATH, "R2.5")
    if step.verdict is Verdict.TAKEN:
        return Search(status=OK, steps=(step,), path=process.files.actual(step.path or path))
    if step.verdict is Verdict.MISMATCH:
        return Search(status=BAD_IMAGE, steps=(step,))
    return Search(status=_STOPS.get(step.verdict, NOT_FOUND), steps=(step,))
