"""Cause: docs/causes.md `missing-nvidia-driver`."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, module
from tests.testbed.memory import SYSTEM32, world
from tests.testbed.pewriter import Dll


def test_fires() -> None:
    assert codes(ask(world({MODULE: module({"nvcuda.dll": ["cuInit"]})}))) == ["missing-nvidia-driver"]


def test_stays_quiet_with_a_driver() -> None:
    files = {
        MODULE: module({"nvcuda.dll": ["cuInit"]}),
        f"{SYSTEM32}\\nvcuda.dll": Dll(name="nvcuda.dll", exports={"cuInit": 1}),
    }
    assert codes(ask(world(files))) == []
