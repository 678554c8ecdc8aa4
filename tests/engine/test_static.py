"""A start-up that fails at its beginning is read no further; one that does not is read to its end."""

from __future__ import annotations

import pytest

from tests.testbed.memory import SITE, Files, world
from tests.testbed.pewriter import Dll, build
from whyload.base.errors import UsageError
from whyload.base.paths import WinPath
from whyload.engine.static import ask_import, ask_run, from_source
from whyload.findings.model import Certainty
from whyload.findings.report import Question, QuestionKind, Report, Verdict
from whyload.startup.model import Limits
from whyload.startup.program import read_script

LONG = "x = 0\n" + "x = x + 1\n" * 4000
MODULE = Dll(name="_x.pyd", pyinit="_x")
BROKEN = Dll(name="_x.pyd", pyinit="_x", imports={"gone.dll": ["f"]})


def ask(source: str, module: Dll) -> Report:
    files: Files = {f"{SITE}\\pkg\\__init__.py": source, f"{SITE}\\pkg\\_x.pyd": module}
    return ask_import(world(files), Question(kind=QuestionKind.IMPORT, modules=("pkg",)))


def test_an_early_failure_needs_no_more() -> None:
    report = ask("from . import _x\n" + LONG, BROKEN)
    assert [finding.code for finding in report.findings] == ["missing-dependency"]
    assert not any("stopped" in item.why.en for item in report.not_checked)


def test_a_late_failure_is_found() -> None:
    assert [finding.code for finding in ask(LONG + "from . import _x\n", BROKEN).findings] == ["missing-dependency"]


def test_a_try_that_the_first_look_cuts_is_no_failure() -> None:
    block = LONG.replace("x =", "    x =")
    source = f"try:\n    from . import _x\n{block}except ImportError:\n    pass\n"
    report = ask(source, BROKEN)
    assert (report.verdict, report.findings) == (Verdict.LOADS, ())


def test_a_healthy_start_up_is_read_to_its_end() -> None:
    assert ask(LONG + "from . import _x\n", MODULE).verdict is Verdict.LOADS


def test_code_that_does_not_parse_is_said() -> None:
    report = ask_run(world({}), Question(kind=QuestionKind.RUN, code="import ("))
    assert (report.verdict, report.exit_code) == (Verdict.UNKNOWN, 3)
    assert any("does not parse" in item.why.en for item in report.not_checked)


def test_a_program_that_is_too_long_to_be_read_is_not_known_to_load() -> None:
    files: Files = {"C:\\app\\main.py": "while True:\n" + "    x = 1\n" * 100 + "import os\n"}
    read = read_script(world(files), WinPath("C:\\app\\main.py"), Limits(work=50))
    question = Question(kind=QuestionKind.RUN, script="C:\\app\\main.py")
    report = from_source(world(files), question, lambda _: read)
    assert (read.stopped, report.verdict) == (True, Verdict.UNKNOWN)
    assert any("stopped reading" in item.why.en for item in report.not_checked)


def test_a_script_that_is_not_there() -> None:
    with pytest.raises(UsageError, match=r"no such script: C:\\app\\gone\.py"):
        ask_run(world({}), Question(kind=QuestionKind.RUN, script="C:\\app\\gone.py"))


@pytest.mark.parametrize(
    ("before", "certainty"),
    [
        ("", Certainty.PROVED),
        ("import os, winreg\nos.add_dll_directory(winreg.QueryValue(None, 'x'))\n", Certainty.LIKELY),
    ],
)
def test_what_was_not_read_before_lowers_the_certainty(before: str, certainty: Certainty) -> None:
    (finding,) = ask(f"{before}from . import _x\n", BROKEN).findings
    assert (finding.code, finding.certainty) == ("missing-dependency", certainty)


def test_what_was_not_read_afterwards_does_not() -> None:
    after = "\nimport os, winreg\nos.add_dll_directory(winreg.QueryValue(None, 'x'))\n"
    (finding,) = ask(f"from . import _x{after}", BROKEN).findings
    assert finding.certainty is Certainty.PROVED


def test_a_module_that_another_native_module_imports_ends_the_import() -> None:
    files: Files = {
        f"{SITE}\\pkg\\__init__.py": "from . import _a\n",
        f"{SITE}\\pkg\\_a.pyd": build(Dll(name="_a.pyd", pyinit="_a")) + b"\0pkg._x\0",
        f"{SITE}\\pkg\\_x.pyd": BROKEN,
    }
    report = ask_import(world(files), Question(kind=QuestionKind.IMPORT, modules=("pkg",)))
    (finding,) = report.findings
    assert (report.verdict, finding.code, finding.object) == (Verdict.FAILS, "missing-dependency", "gone.dll")
    assert finding.certainty is Certainty.LIKELY
