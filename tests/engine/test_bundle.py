"""Frozen applications: causes that no absent file shows."""

from __future__ import annotations

from tests.rules.test_frozen_app_missing_file import APP, ask
from tests.testbed.pewriter import Dll
from whyload.findings.model import Severity
from whyload.findings.report import Verdict

MODULE = f"{APP}\\_internal\\_x.pyd"
RUNTIME = f"{APP}\\_internal\\msvcp140.dll"
NEW = Dll(name="_x.pyd", pyinit="_x", imports={"msvcp140.dll": ["_Mtx_lock"]}, linker=(14, 42))


def runtime(minor: int) -> Dll:
    return Dll(name="msvcp140.dll", exports={"_Mtx_lock": 1}, version=(14, minor, 1, 0))


def test_an_old_runtime_that_was_bundled() -> None:
    report = ask({MODULE: NEW, RUNTIME: runtime(16)})
    finding = report.findings[0]
    assert (finding.code, str(finding.culprit), finding.severity) == ("old-vc-runtime", RUNTIME, Severity.ERROR)
    assert report.verdict is Verdict.FAILS


def test_a_new_runtime_that_was_bundled() -> None:
    report = ask({MODULE: NEW, RUNTIME: runtime(44)})
    assert (report.findings, report.verdict) == ((), Verdict.LOADS)


def test_what_the_program_said() -> None:
    said = f'OSError: [WinError 1455] The paging file is too small. Error loading "{RUNTIME}"'
    report = ask({MODULE: NEW, RUNTIME: runtime(44)}, said)
    assert ([finding.code for finding in report.findings], report.verdict) == (["paging-file-too-small"], Verdict.FAILS)
    assert str(report.findings[0].culprit) == RUNTIME
