"""Answers about one library and one load call."""

from __future__ import annotations

from whyload.engine.answer import answer
from whyload.engine.simulate import case_of, started_process
from whyload.findings.report import Question, Report
from whyload.loader.windows.load import load
from whyload.loader.windows.playback import Failure, Playback, PlayedLoad
from whyload.observe.events import LibraryLoad, Via
from whyload.world.model import World


def ask_load(world: World, question: Question) -> Report:
    """The same for one library and the flags of one call."""
    process = started_process(world)
    flags = question.flags if question.flags is not None else 0x1100
    event = LibraryLoad(name=question.file or "", via=Via.LOADLIBRARY, flags=flags)
    played = PlayedLoad(event=event, tree=load(process, event.name, flags), optional=False)
    failure = Failure(exception="OSError", load=played) if played.tree.status else None
    playback = Playback(loads=(played,), failure=failure, modules=())
    return answer(question, case_of(world, process, playback, question.label))
