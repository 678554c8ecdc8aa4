"""Answers where nothing may be executed: the context comes from reading the start-up source of packages."""

from __future__ import annotations

from collections.abc import Callable

from whyload.base.dataclass import replace
from whyload.base.paths import WinPath
from whyload.engine.answer import answer
from whyload.engine.hazards import surfacing
from whyload.engine.simulate import run_events
from whyload.facts.case import Case
from whyload.facts.packages import Packages
from whyload.findings.report import Question, Report, Verdict
from whyload.observe.failures import loads_of
from whyload.startup.model import Limits, Startup
from whyload.startup.program import read_code, read_import, read_script
from whyload.world.model import World

_FIRST_LOOK = Limits(work=5000)
"""Enough for the first module's own start-up; most failures happen there."""


def ask_import(world: World, question: Question) -> Report:
    """Why does importing these modules, in this order, in one process, fail?"""
    return from_source(world, question, lambda limits: read_import(world, question.modules, limits))


def ask_run(world: World, question: Question) -> Report:
    """The same for a program: its code or its script."""
    code, script = question.code, question.script or ""
    if code is not None:
        return from_source(world, question, lambda limits: read_code(world, code, limits))
    return from_source(world, question, lambda limits: read_script(world, WinPath(script), limits))


def from_source(world: World, question: Question, read: Callable[[Limits | None], Startup]) -> Report:
    """Read a start-up, play it, answer."""
    startup, case = played(world, question.label, read)
    return answer_startup(question, startup, case)


def answer_startup(question: Question, startup: Startup, case: Case) -> Report:
    """What a start-up that was read and played shows. One that was not read to its end is not known to load."""
    notes = [(note.what, note.why) for note in startup.notes]
    report = answer(question, case, notes, surfacing(case.world, startup.events, case))
    if startup.stopped and report.verdict is Verdict.LOADS:
        return replace(report, verdict=Verdict.UNKNOWN)
    return report


def played(
    world: World, subject: str, read: Callable[[Limits | None], Startup], packages: Packages | None = None
) -> tuple[Startup, Case]:
    """A start-up and its run: only its beginning where that fails already, for the rest does not happen then."""
    startup = read(_FIRST_LOOK)
    case = run_events(world, startup.events, subject, packages)
    if startup.stopped and not _fails_before_the_end(startup, case):
        startup = read(None)
        case = run_events(world, startup.events, subject, packages)
    elif startup.stopped:
        startup = Startup(events=startup.events)  # that the rest was not read does not matter
    return startup, case


def _fails_before_the_end(startup: Startup, case: Case) -> bool:
    """The error comes from an event that was read whole: any but the last."""
    failure = case.playback.failure
    cause = failure.cause if failure else None
    return cause is not None and cause.event not in set(loads_of(startup.events[-1:]))
