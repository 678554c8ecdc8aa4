"""Cause: docs/causes.md `windows-edition-missing-feature`; opencv/opencv-python issue 185 (Windows N)."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, module, only
from tests.testbed.memory import world


def test_fires_for_media_foundation() -> None:
    finding = only(ask(world({MODULE: module({"MFPlat.DLL": ["f"], "mf.dll": ["g"]})})))
    assert (finding.code, finding.object) == ("windows-edition-missing-feature", "MFPlat.DLL")
