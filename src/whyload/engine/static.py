"""Answers where nothing may be executed: the context comes from reading the start-up source of packages."""

from __future__ import annotations

from whyload.base.paths import WinPath
from whyload.engine.answer import answer
from whyload.engine.hazards import surfacing
from whyload.engine.simulate import run_events
from whyload.findings.report import Question, Report
from whyload.startup.model import Startup
from whyload.startup.program import read_code, read_import, read_script
from whyload.world.model import World


def ask_import(world: World, question: Question) -> Report:
    """Why does importing these modules, in this order, in one process, fail?"""
    return _from_source(world, question, read_import(world, question.modules))


def ask_run(world: World, question: Question) -> Report:
    """The same for a program: its code or its script."""
    if question.code is not None:
        startup = read_code(world, question.code)
    else:
        startup = read_script(world, WinPath(question.script or ""))
    return _from_source(world, question, startup)


def _from_source(world: World, question: Question, startup: Startup) -> Report:
    case = run_events(world, startup.events, question.label)
    notes = [(note.what, note.why) for note in startup.notes]
    return answer(question, case, notes, surfacing(world, startup.events, case))
