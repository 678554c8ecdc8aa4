"""Cause: docs/causes.md `arch-mismatch`; loader.md R2.34."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, module, only
from tests.testbed.memory import SYSTEM32, world
from tests.testbed.pewriter import Dll
from whyload.base.machine import Machine


def test_fires_for_arm64_in_an_x64_process() -> None:
    wrong = Dll(name="msvcp140.dll", machine=Machine.ARM64)
    finding = only(ask(world({MODULE: module({"msvcp140.dll": ["f"]}), f"{SYSTEM32}\\msvcp140.dll": wrong})))
    assert (finding.code, finding.object) == ("arch-mismatch", "msvcp140.dll")
    assert "ARM64" in finding.headline.en
