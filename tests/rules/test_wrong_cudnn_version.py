"""Cause: docs/causes.md `wrong-cudnn-version`."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, module
from tests.testbed.memory import world
from tests.testbed.pewriter import Dll
from whyload.base.machine import Machine


def test_a_copy_of_another_processor_does_not_count() -> None:
    other = Dll(name="cudnn64_8.dll", machine=Machine.I386)
    files = {MODULE: module({"cudnn64_9.dll": ["f"]}), "C:\\cudnn\\cudnn64_8.dll": other}
    assert codes(ask(world(files, path=["C:\\cudnn"]))) == ["missing-cudnn"]
