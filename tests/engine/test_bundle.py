"""Frozen applications: causes that no absent file shows."""

from __future__ import annotations

import pytest

from tests.rules.test_frozen_app_missing_file import APP, ask
from tests.testbed.pewriter import Dll
from whyload.base.message import message
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


TEMP = "C:\\Users\\me\\AppData\\Local\\Temp"


def onefile(folder: str) -> dict[str, Dll | bytes]:
    return {
        f"{TEMP}\\{folder}\\python311.dll": Dll(name="python311.dll", exports={"PyModule_Create2": 1}),
        f"{TEMP}\\{folder}\\python3.dll": Dll(
            name="python3.dll", exports={"PyModule_Create2": "python311.PyModule_Create2"}
        ),
        f"{TEMP}\\{folder}\\pkg\\_x.pyd": Dll(name="_x.pyd", pyinit="_x", imports={"core.dll": ["f"]}),
    }


@pytest.mark.parametrize("folder", ["_MEI104522", "onefile_4711_133549873"])
@pytest.mark.parametrize("there", [True, False])
def test_a_program_in_one_file_is_examined_where_it_was_unpacked_to(folder: str, there: bool) -> None:
    files = onefile(folder)
    if there:
        files[f"{TEMP}\\{folder}\\core.dll"] = Dll(name="core.dll", exports={"f": 1})
    report = ask(files, bare=True)
    assert [(finding.code, str(finding.culprit)) for finding in report.findings] == (
        [] if there else [("frozen-app-missing-file", f"{TEMP}\\{folder}\\pkg\\_x.pyd")]
    )
    assert report.verdict is (Verdict.LOADS if there else Verdict.FAILS)
    assert any(folder in message(item.why).en for item in report.not_checked)


def test_a_program_in_one_file_of_which_nothing_was_left_behind() -> None:
    report = ask({f"{TEMP}\\_MEIjunk\\readme.txt": b"", f"{TEMP}\\other\\python311.dll": b"MZ"}, bare=True)
    assert (report.verdict, report.findings) == (Verdict.UNKNOWN, ())
    assert any("no such folder" in message(item.why).en for item in report.not_checked)
