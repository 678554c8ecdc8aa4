"""Cause: docs/causes.md `missing-debug-runtime`; Microsoft, "CRT library features" (not redistributable)."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, codes, module
from tests.testbed.memory import world


@pytest.mark.parametrize("name", ["vcruntime140d.dll", "ucrtbased.dll", "MSVCP140D.dll"])
def test_fires(name: str) -> None:
    assert codes(ask(world({MODULE: module({name: ["f"]})}))) == ["missing-debug-runtime"]


def test_stays_quiet_for_the_release_runtime() -> None:
    assert codes(ask(world({MODULE: module({"msvcp140.dll": ["f"]})}))) == ["missing-vc-runtime"]
