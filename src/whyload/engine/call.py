"""Answers about one library and one load call."""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.base.paths import WinPath
from whyload.base.typing import TYPE_CHECKING
from whyload.engine.answer import answer
from whyload.engine.simulate import case_of, started_process
from whyload.loader.windows.arguments import extension_flags
from whyload.loader.windows.load import load, load_program
from whyload.loader.windows.playback import Failure, Playback, PlayedLoad
from whyload.observe.events import LibraryLoad, Via

if TYPE_CHECKING:
    from whyload.findings.report import Question, Report
    from whyload.loader.model import LoadTree
    from whyload.loader.windows.process import Process
    from whyload.world.model import World


def ask_load(world: World, question: Question) -> Report:
    """The same for one library: `question.flags` of LoadLibraryEx, or None for what `question.how` does."""
    name = question.file or ""
    if question.how == "exe":
        program = WinPath(name) if WinPath(name).is_absolute else world.process.cwd / name
        world = replace(world, process=replace(world.process, application=program))
    process = started_process(world)
    event = LibraryLoad(name=name, via=Via.LOADLIBRARY, flags=question.flags or 0)
    if question.flags is None:
        event = _as_python_does(process, question)
    tree = _tree(process, question, event)
    played = PlayedLoad(event=event, tree=tree, optional=False)
    failure = Failure(exception="OSError", load=played) if tree.status else None
    playback = Playback(loads=(played,), failure=failure, modules=())
    return answer(replace(question, flags=event.flags), case_of(world, process, playback, question.label))


def _tree(process: Process, question: Question, event: LibraryLoad) -> LoadTree:
    return load_program(process, event.name) if question.how == "exe" else load(process, event.name, event.flags)


def _as_python_does(process: Process, question: Question) -> LibraryLoad:
    """`import` takes a full path, ctypes makes a name with a slash one (loader.md 3.1, 3.4), a program is started."""
    name, version = question.file or "", process.world.python.version[:2]
    full = name if WinPath(name).is_absolute else str(process.cwd / name)
    if question.how == "exe":
        return LibraryLoad(name=full, via=Via.LOADLIBRARY, flags=0)
    if question.how == "ctypes":
        if version < (3, 8):
            return LibraryLoad(name=name, via=Via.CTYPES, flags=0)
        slash = any(mark in name for mark in "\\/")
        return LibraryLoad(name=full if slash else name, via=Via.CTYPES, flags=0x1100 if slash else 0x1000)
    return LibraryLoad(name=full, via=Via.IMPORT, flags=extension_flags(version))
