"""Cause: docs/causes.md `dllmain-failed`; loader.md R2.51."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, healthy, module, only, saying
from tests.testbed.dll import DllMain
from tests.testbed.memory import SITE, SYSTEM32, Files, world
from tests.testbed.pewriter import Dll
from whyload.findings.report import Verdict


def test_fires() -> None:
    path = f"{SITE}\\pkg\\stub.dll"
    files = {MODULE: module({"stub.dll": ["f"]}), path: Dll(name="stub.dll", exports={"f": 1}, dllmain=DllMain.FALSE)}
    finding = only(ask(world(files)))
    assert (finding.code, str(finding.culprit), finding.object) == ("dllmain-failed", path, "stub.dll")
    assert finding.os_error is not None
    assert finding.os_error.winerror == 1114


def test_stays_quiet_for_an_initialiser_that_succeeds() -> None:
    files = {
        MODULE: module({"stub.dll": ["f"]}),
        f"{SITE}\\pkg\\stub.dll": Dll(name="stub.dll", exports={"f": 1}, dllmain=DllMain.TRUE),
    }
    assert codes(ask(world(files))) == []


def test_an_error_1114_that_nothing_explains() -> None:
    said = f'OSError: [WinError 1114] DLL 初始化例程失败。 Error loading "{MODULE}"'
    report = ask(saying(healthy(), said))
    finding = only(report)
    assert (finding.code, str(finding.culprit), report.verdict) == ("dllmain-failed", MODULE, Verdict.FAILS)


def test_an_error_that_is_not_about_initialising_stays_unexplained() -> None:
    report = ask(saying(healthy(), "ImportError: DLL load failed while importing _x: 找不到指定的模块。"))
    assert (codes(report), report.verdict) == ([], Verdict.UNKNOWN)
    assert any("nothing that was found explains it" in item.why.en for item in report.not_checked)


def test_an_error_1114_that_an_old_runtime_explains() -> None:
    files: Files = {
        MODULE: module({"msvcp140.dll": ["_Mtx_lock"]}, linker=(14, 40)),
        f"{SYSTEM32}\\msvcp140.dll": Dll(name="msvcp140.dll", exports={"_Mtx_lock": 1}, version=(14, 27, 29016, 0)),
    }
    said = (
        "ImportError: DLL load failed while importing _x: A dynamic link library (DLL) initialization routine failed."
    )
    assert codes(ask(saying(world(files), said))) == ["old-vc-runtime"]
