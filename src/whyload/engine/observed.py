"""Answers from a run that was watched: the simulation starts from the context that the run had at its failure."""

from __future__ import annotations

from collections.abc import Iterable

from whyload.base.dataclass import replace
from whyload.base.message import Message, Text
from whyload.base.paths import WinPath
from whyload.base.regular import regular
from whyload.engine.agreement import weighed
from whyload.engine.answer import FOR_WANT, answer
from whyload.engine.simulate import case_of, conda_folders
from whyload.facts.error_text import ending_of_run
from whyload.facts.runtimes import old_runtimes
from whyload.findings.report import NotChecked, Question, Report, not_checked
from whyload.knowledge.errors import winerror_of
from whyload.loader.windows.playback import Failure, Playback, PlayedLoad, Player
from whyload.loader.windows.process import Process
from whyload.observe.events import Event, LibraryLoad, ModuleStarted, Place, Raised
from whyload.observe.failures import failed_loads, fatal_loads, loads_of, sought_module
from whyload.observe.observation import ExceptionInfo, Observation, Outcome
from whyload.world.model import World

_THE_RUN = Message(en="the run", zh="这次运行")
_OUTCOMES = {
    Outcome.FINISHED: "运行完毕",
    Outcome.EXITED: "自行退出",
    Outcome.RAISED: "抛出异常",
    Outcome.DIED: "异常终止",
    Outcome.TIMED_OUT: "超时",
    Outcome.NOT_STARTED: "未能启动",
}
_NO_FUNCTION = regular(r"function '(.+?)' not found")
"""What ctypes says; `function` and `not found` are CPython's own words in every language."""


def answer_observed(world: World, question: Question, observation: Observation) -> Report:
    """The report on a run: what failed there, and why, by simulation of the very load that failed."""
    process = observed_process(world, observation)
    modules = tuple(dict.fromkeys(event.module for event in observation.events if isinstance(event, ModuleStarted)))
    if observation.succeeded:
        playback = Playback(loads=(), failure=None, modules=modules)
        return answer(question, case_of(world, process, playback, question.label, observed=True), observation.notes)
    played, failure, caught = _blamed(process, observation)
    playback = Playback(loads=tuple(played), failure=failure, modules=modules, caught=caught)
    case = case_of(world, process, playback, question.label, observed=True)
    notes = (*observation.notes, *_outcome(observation))
    hazards, ending = old_runtimes(case), ending_of_run(observation)
    report = answer(question, case, notes, hazards, ending, doubts=_doubts(played, observation))
    return weighed(report, case, ending)


def observed_process(world: World, observation: Observation) -> Process:
    """The process as it was when the load failed: its modules, added folders, PATH, current folder."""
    process = Process(world)
    conda_folders(world, process)
    for path in observation.loaded or ():
        process.add(path)
    player = Player(process)
    for event in observation.events:
        _state(player, event)
    for name, value in observation.environment.items():
        process.environment = process.environment.with_value(name, value)
    if observation.cwd:
        process.cwd = process.absolute(observation.cwd)
    process.set_directory = observation.dll_directory
    return process


def _state(player: Player, event: Event) -> None:
    """Only what changes the context counts: the loads themselves are in the list of modules."""
    if not isinstance(event, LibraryLoad | Raised):
        player.apply_state(event)


def _blamed(process: Process, observation: Observation) -> tuple[list[PlayedLoad], Failure, tuple[Failure, ...]]:
    """The loads that the error goes back to, simulated; the error; loads that the program lived without."""
    played = _simulated(process, fatal_loads(observation) or _lacking_function(observation))
    if played or not observation.exceptions:
        return played, _failure(played, observation), ()
    tried = [item for item in _simulated(process, _tried_there(observation)) if item.tree.status]
    caught = tuple(Failure(exception="OSError", load=item) for item in tried)
    failure = _failure([], observation)
    return tried, replace(failure, during=caught[-1]) if caught else failure, caught


def _simulated(process: Process, events: Iterable[LibraryLoad]) -> list[PlayedLoad]:
    player = Player(process)
    for event in events:
        player.play((event,))
    return player.loads


def _lacking_function(observation: Observation) -> list[LibraryLoad]:
    """ctypes: the library loaded, the function that was asked of it is not there."""
    error = observation.exceptions[0] if observation.exceptions else None
    match = _NO_FUNCTION.search(error.text) if error is not None and error.type == "AttributeError" else None
    if match is None:
        return []
    return [event for event in loads_of(observation.events) if match[1] in event.symbols][-1:]


def _tried_there(observation: Observation) -> list[LibraryLoad]:
    """Failed loads that were asked for in the very file that raised the error: names tried one after the other. Then
    likely ones: libraries of a package that the error came through, which the program lived without until then.
    """
    error = observation.exceptions[0]
    files = {frame.place.file for frame in error.frames[-1:]}
    failed = failed_loads(observation)
    there = [event for event in failed if event.place is not None and event.place.file in files]
    if there or error.type not in FOR_WANT:
        return there
    packages = {frame.place.file.parent for frame in error.frames if frame.place.file is not None}
    return [replace(event, is_likely=True) for event in failed if WinPath(event.name).parent in packages]


def _failure(played: list[PlayedLoad], observation: Observation) -> Failure:
    """The error that ended the run; a library that was tried in two ways counts once, with both tries."""
    exception = observation.exceptions[0] if observation.exceptions else None
    name = exception.type if exception else "crash"
    text = exception.text if exception else None
    failing = [item for item in played if item.tree.status or item.missing_functions or item.other_python]
    if not failing:
        module = next(filter(None, map(_sought, observation.exceptions)), None)
        place = _own_place(exception) if exception is not None else None
        raised = Raised(exception=name, text=text or "", module=module, place=place)
        return Failure(exception=name, raised=raised, text=text)
    first = failing[0]
    tries = [item for item in failing if item.event.name.lower() == first.event.name.lower()]
    earlier = Failure(exception=name, load=tries[0]) if len(tries) > 1 else None
    return Failure(exception=name, load=tries[-1], text=text, during=earlier)


def _own_place(error: ExceptionInfo) -> Place | None:
    """The innermost line that is not in Python's own `os` or ctypes."""
    frames = (frame for frame in reversed(error.frames) if frame.module not in ("os", "nt", "ctypes"))
    return next((frame.place for frame in frames if frame.place.file is not None), None)


def _sought(error: ExceptionInfo) -> str | None:
    return error.name if error.type == "ModuleNotFoundError" else sought_module(error.text)


def _doubts(played: list[PlayedLoad], observation: Observation) -> list[NotChecked]:
    """What the simulation cannot explain is said, not hidden."""
    found = []
    if played:
        found.append(
            not_checked(
                played[0].event.name,
                Message(
                    en="it failed in the run although every file it needs is found: the fault is in its own "
                    "initialisation",
                    zh="实际运行时加载失败，但它需要的文件都能找到：原因在它自身的初始化代码",
                ),
            )
        )
    if observation.exceptions:
        error = observation.exceptions[0]
        found.append(
            NotChecked(
                what=_THE_RUN,
                why=Message(en=f"it ended with {error.type}: {error.text}", zh=f"以 {error.type} 结束：{error.text}"),
            )
        )
    return found


def _outcome(observation: Observation) -> tuple[tuple[Text, Text], ...]:
    """How the process ended, where no exception says it."""
    if observation.exceptions:
        return ()
    status = _status(observation)
    said = Message(
        en=f"{observation.outcome.value}, exit status {status}",
        zh=f"{_OUTCOMES[observation.outcome]}，退出状态 {status}",
    )
    return ((_THE_RUN, said),)


def _status(observation: Observation) -> str:
    status = observation.exit_status
    if status is None or -255 <= status <= 255:
        return "none" if status is None else str(status)
    winerror = winerror_of(status)  # R2.55
    return f"0x{status & 0xFFFFFFFF:X}" + (f", WinError {winerror}" if winerror is not None else "")
