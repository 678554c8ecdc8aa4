"""Cause: docs/causes.md `dllmain-failed`; loader.md R2.51."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, module, only
from tests.testbed.dll import DllMain
from tests.testbed.memory import SITE, world
from tests.testbed.pewriter import Dll


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
