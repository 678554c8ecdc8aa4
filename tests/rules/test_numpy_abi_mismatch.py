"""Cause: docs/causes.md `numpy-abi-mismatch`; NumPy 2.0 migration guide, and real wheels under Wine."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, codes, healthy, importing, module, only, saying
from tests.testbed.memory import SITE, Files, record, world
from tests.testbed.pewriter import Dll, build
from whyload.base.paths import WinPath
from whyload.engine.observed import answer_observed
from whyload.findings.model import Severity
from whyload.findings.report import Question, QuestionKind, Report, Verdict
from whyload.observe.events import Attempt, Event, LibraryLoad, ModuleStarted, Place, Via
from whyload.observe.observation import ExceptionInfo, Frame, Observation, Outcome

OLD = b"\0numpy.core._multiarray_umath\0"
NEW = OLD + b"numpy._core._multiarray_umath\0"


OLDEST = b"\0numpy.core.multiarray\0module compiled against ABI version 0x%x but this version of numpy is 0x%x\0"


def meeting(numpy: str, names: bytes, *, optional: bool = False, imported: bool = True) -> Report:
    data = build(Dll(name="_x.pyd", pyinit="_x")) + names
    files: Files = {**record("numpy", numpy, {"numpy/__init__.py": ""}), **record("pkg", "1.0", {"pkg/_x.pyd": data})}
    start: tuple[Event, ...] = (ModuleStarted(module="numpy", file=None),) if imported else ()
    played = importing()
    return ask(
        world(files), (*start, Attempt(body=played, catches=("ImportError",))) if optional else (*start, *played)
    )


def test_fires_for_a_module_of_numpy_1_that_meets_numpy_2() -> None:
    report = meeting("2.1.3", OLD)
    finding = only(report)
    assert report.verdict is Verdict.FAILS
    assert (finding.code, finding.severity, str(finding.culprit)) == ("numpy-abi-mismatch", Severity.ERROR, MODULE)
    assert [remedy.commands[0].rpartition("install ")[2] for remedy in finding.remedies] == [
        "--upgrade pkg",
        '"numpy<2"',
    ]


def test_fires_for_a_module_of_numpy_1_15_and_before() -> None:
    assert codes(meeting("2.1.3", OLDEST)) == ["numpy-abi-mismatch"]
    assert codes(meeting("2.1.3", NEW + OLDEST)) == codes(meeting("1.26.4", OLDEST)) == []


def test_a_name_that_python_code_of_a_module_imports_is_no_sign_of_its_build() -> None:
    assert codes(meeting("2.1.3", b"\0numpy.core.multiarray\0")) == []


def test_a_module_that_the_program_can_live_without_is_a_warning() -> None:
    report = meeting("2.1.3", OLD, optional=True)
    assert (only(report).severity, report.verdict) == (Severity.WARNING, Verdict.LOADS)


def test_stays_quiet_for_a_module_compiled_with_numpy_2() -> None:
    assert codes(meeting("2.1.3", NEW)) == []
    assert codes(meeting("1.26.4", NEW)) == []


def test_stays_quiet_where_numpy_is_1() -> None:
    assert codes(meeting("1.26.4", OLD)) == []


def test_a_run_without_numpy_decides_nothing() -> None:
    assert codes(meeting("2.1.3", OLD, imported=False)) == []


@pytest.mark.parametrize(
    "text",
    [
        "A module that was compiled using NumPy 1.x cannot be run in\nNumPy 2.0.0 as it may crash.\nImportError: x",
        "RuntimeError: module compiled against ABI version 0x1000009 but this version of numpy is 0x2000000",
        "RuntimeError: module compiled against API version 0xc but this version of numpy is 0xb",
        "ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header",
        "ImportError: numpy.core.multiarray failed to import",
    ],
)
def test_fires_for_the_words_of_numpy(text: str) -> None:
    assert codes(ask(saying(healthy(), text))) == ["numpy-abi-mismatch"]


def test_a_library_that_is_missing_comes_before_words_that_follow_from_it() -> None:
    machine = saying(world({MODULE: module({"a.dll": ["f"]})}), "ImportError: numpy.core.multiarray failed to import")
    assert codes(ask(machine)) == ["missing-dependency"]


@pytest.mark.parametrize(
    "said",
    [
        "A module that was compiled using NumPy 1.x cannot be run in\nNumPy 2.1.3 as it may crash.\nImportError",
        "ImportError: numpy.core.multiarray failed to import",
    ],
)
def test_what_was_seen_and_what_was_said_are_one_cause(said: str) -> None:
    data = build(Dll(name="_x.pyd", pyinit="_x")) + OLD
    files: Files = {**record("numpy", "2.1.3", {"numpy/__init__.py": ""}), **record("pkg", "1.0", {"pkg/_x.pyd": data})}
    played = (ModuleStarted(module="numpy", file=None), Attempt(body=importing(), catches=("ImportError",)))
    finding = only(ask(saying(world(files), said), played))
    assert (finding.code, finding.severity, str(finding.culprit)) == ("numpy-abi-mismatch", Severity.ERROR, MODULE)


def test_a_run_names_the_module_whose_line_raised() -> None:
    place = Place(file=WinPath(f"{SITE}\\pkg\\__init__.py"), line=3)
    load = LibraryLoad(name=MODULE, via=Via.IMPORT, flags=0x1100, module="pkg._x", place=place)
    error = ExceptionInfo(type="ImportError", text="", frames=(Frame(place=place, function="<module>"),))
    ended = Observation(
        outcome=Outcome.RAISED,
        exit_status=1,
        events=(ModuleStarted(module="pkg", file=None), load),
        exceptions=(error,),
        stderr="A module that was compiled using NumPy 1.x cannot be run in\nNumPy 2.1.3 as it may crash.\n",
        loaded=(WinPath(MODULE),),
    )
    question = Question(kind=QuestionKind.IMPORT, modules=("pkg",))
    report = answer_observed(world({MODULE: Dll(name="_x.pyd", pyinit="_x")}), question, ended)
    finding = report.findings[0]
    assert (finding.code, str(finding.culprit), report.verdict) == ("numpy-abi-mismatch", MODULE, Verdict.FAILS)
