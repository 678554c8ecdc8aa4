"""Cause: docs/causes.md `windows-too-old`."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, module, only
from tests.testbed.memory import SYSTEM32, world
from tests.testbed.pewriter import Dll


def test_fires_for_a_function_that_this_windows_lacks() -> None:
    files = {
        MODULE: module({"dxgi.dll": ["NewInWindows99"]}),
        f"{SYSTEM32}\\dxgi.dll": Dll(name="dxgi.dll", exports={"Old": 1}),
    }
    finding = only(ask(world(files)))
    assert (finding.code, finding.symbol, str(finding.culprit)) == ("windows-too-old", "NewInWindows99", MODULE)


def test_a_known_api_set_is_there_without_a_file() -> None:
    assert codes(ask(world({MODULE: module({"api-ms-win-crt-heap-l1-1-0.dll": ["malloc"]})}))) == []
