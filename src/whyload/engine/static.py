"""Answers where nothing may be executed: the context comes from reading the start-up source of packages."""

from __future__ import annotations

from collections.abc import Callable

from whyload.base.paths import WinPath
from whyload.base.typing import TYPE_CHECKING
from whyload.engine.answer import answer
from whyload.engine.hazards import surfacing
from whyload.engine.simulate import case_of, started_process
from whyload.loader.images import ImageStore
from whyload.loader.windows.playback import Progress
from whyload.observe.failures import loads_of
from whyload.startup.model import Startup, Watch
from whyload.startup.program import read_code, read_import, read_script

if TYPE_CHECKING:
    from whyload.facts.case import Case
    from whyload.facts.packages import Packages
    from whyload.findings.report import Question, Report
    from whyload.loader.windows.playback import Playback
    from whyload.loader.windows.process import Process
    from whyload.observe.events import Event
    from whyload.world.model import World


def ask_import(world: World, question: Question) -> Report:
    """Why does importing these modules, in this order, in one process, fail?"""
    return from_source(world, question, lambda watch: read_import(world, question.modules, watch=watch))


def ask_run(world: World, question: Question) -> Report:
    """The same for a program: its code or its script."""
    code, script = question.code, question.script or ""
    if code is not None:
        return from_source(world, question, lambda watch: read_code(world, code, watch=watch))
    return from_source(world, question, lambda watch: read_script(world, WinPath(script), watch=watch))


def ask(world: World, question: Question) -> Report:
    """One of the two, as the question is put."""
    if question.code is None and question.script is None:
        return ask_import(world, question)
    return ask_run(world, question)


def from_source(world: World, question: Question, read: Callable[[Watch], Startup]) -> Report:
    """Read a start-up, play it, answer."""
    startup, case = played(world, question.label, read)
    return answer_startup(question, startup, case)


def answer_startup(question: Question, startup: Startup, case: Case) -> Report:
    """What a start-up that was read and played shows. One that was not read to its end is not known to load."""
    notes = [(note.what, note.why) for note in startup.notes]
    hazards = surfacing(case.world, startup.events, case)
    return answer(question, case, notes, hazards, is_whole=not startup.stopped)


def played(
    world: World, subject: str, read: Callable[[Watch], Startup], packages: Packages | None = None
) -> tuple[Startup, Case]:
    """A start-up and its run: only its beginning where that fails already, for the rest does not happen then."""
    beginning = _Beginning(world, subject, packages)
    startup = read(beginning.has_failed)
    case = beginning.failed or beginning.case(startup.events)
    if startup.stopped and (beginning.failed is not None or _fails_before_the_end(startup, case)):
        startup = Startup(events=startup.events)  # that the rest was not read does not matter
    return startup, case


class _Beginning:
    """Plays what was read so far."""

    def __init__(self, world: World, subject: str, packages: Packages | None) -> None:
        self._world, self._subject, self._packages = world, subject, packages
        images = ImageStore(world.files)
        self._progress = Progress(lambda: started_process(world, images))
        self.failed: Case | None = None

    def has_failed(self, events: tuple[Event, ...]) -> bool:
        """Does the program end with a library that did not load?"""
        process, playback = self._progress.play(events)
        if playback.failure is None or playback.failure.cause is None:
            return False
        self.failed = self._case(process, playback)
        return True

    def case(self, events: tuple[Event, ...]) -> Case:
        """The run of the whole program."""
        return self._case(*self._progress.play(events))

    def _case(self, process: Process, playback: Playback) -> Case:
        return case_of(self._world, process, playback, self._subject, packages=self._packages)


def _fails_before_the_end(startup: Startup, case: Case) -> bool:
    """The error comes from an event that was read whole: any but the last."""
    failure = case.playback.failure
    cause = failure.cause if failure else None
    return cause is not None and cause.event not in set(loads_of(startup.events[-1:]))
