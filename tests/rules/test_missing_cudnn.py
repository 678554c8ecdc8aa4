"""Cause: docs/causes.md `missing-cudnn`, `wrong-cudnn-version`."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, module, only
from tests.testbed.memory import world
from tests.testbed.pewriter import Dll


def test_fires() -> None:
    assert codes(ask(world({MODULE: module({"cudnn64_9.dll": ["f"]})}))) == ["missing-cudnn"]
    assert codes(ask(world({MODULE: module({"zlibwapi.dll": ["f"]})}))) == ["missing-cudnn"]


def test_another_major_version_is_another_cause() -> None:
    files = {
        MODULE: module({"cudnn64_9.dll": ["f"]}),
        "C:\\cudnn\\cudnn64_8.dll": Dll(name="cudnn64_8.dll", exports={"f": 1}),
    }
    finding = only(ask(world(files, path=["C:\\cudnn"])))
    assert (finding.code, str(finding.found_at)) == ("wrong-cudnn-version", "C:\\cudnn\\cudnn64_8.dll")
