"""Cause: docs/causes.md `wrong-platform-binary`."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, module, only
from tests.testbed.memory import SITE, world


@pytest.mark.parametrize(
    ("content", "system"),
    [(b"\x7fELF\x02\x01\x01" + bytes(2000), "Linux"), (b"\xcf\xfa\xed\xfe" + bytes(2000), "macOS")],
)
def test_fires(content: bytes, system: str) -> None:
    finding = only(ask(world({MODULE: module({"a.dll": ["f"]}), f"{SITE}\\pkg\\a.dll": content})))
    assert finding.code == "wrong-platform-binary"
    assert system in finding.headline.en
