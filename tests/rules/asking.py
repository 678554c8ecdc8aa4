"""Asks the engine about one load, or a few events, in a machine in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.testbed.memory import SITE, Files, world
from tests.testbed.pewriter import Dll
from whyload.base.dataclass import replace
from whyload.engine.answer import answer
from whyload.engine.hazards import surfacing
from whyload.engine.simulate import run_events
from whyload.findings.model import Finding
from whyload.findings.report import Question, QuestionKind, Report
from whyload.observe.events import Event, LibraryLoad, ModuleStarted, Via
from whyload.world.measured import UNMEASURED, Measured
from whyload.world.model import World

MODULE = f"{SITE}\\pkg\\_x.pyd"


def module(imports: Mapping[str, Sequence[str | int]], **more: object) -> Dll:
    """An extension module `pkg._x` with those imports."""
    return Dll(name="_x.pyd", pyinit="_x", imports=imports, **more)  # type: ignore[arg-type]


def importing(path: str = MODULE, flags: int = 0x1100) -> tuple[Event, ...]:
    """`import pkg._x`."""
    return (
        ModuleStarted(module="pkg", file=None),
        LibraryLoad(name=path, via=Via.IMPORT, flags=flags, module="pkg._x"),
    )


def ask(machine: World, events: tuple[Event, ...] | None = None, modules: tuple[str, ...] = ("pkg",)) -> Report:
    """The report on playing the events."""
    question = Question(kind=QuestionKind.IMPORT, modules=modules)
    played = importing() if events is None else events
    case = run_events(machine, played, "pkg")
    return answer(question, case, hazards=surfacing(machine, played, case))


def only(report: Report) -> Finding:
    """The one finding of a report."""
    assert [finding.code for finding in report.findings] == [report.findings[0].code]
    return report.findings[0]


def codes(report: Report) -> list[str]:
    """The codes of the findings."""
    return [finding.code for finding in report.findings]


def saying(machine: World, traceback: str, measured: Measured = UNMEASURED) -> World:
    """The same machine with what the program said there, and what was measured."""
    return replace(machine, traceback=traceback, measured=measured)


def healthy() -> World:
    """A machine on which `pkg._x` loads as far as files decide."""
    return world(healthy_files())


def healthy_files() -> Files:
    """What makes it so."""
    return {MODULE: module({"a.dll": ["f"]}), f"{SITE}\\pkg\\a.dll": Dll(name="a.dll", exports={"f": 1})}
