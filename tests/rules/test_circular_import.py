"""Cause: docs/causes.md `circular-import`."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, healthy, module, only, saying
from tests.testbed.memory import world

SAID = "ImportError: cannot import name 'b' from partially initialized module 'pkg.a' (most likely due to a circular)"


def test_fires_for_the_words_of_python() -> None:
    finding = only(ask(saying(healthy(), SAID)))
    assert (finding.code, finding.object) == ("circular-import", "pkg.a")


def test_a_library_that_is_missing_comes_first() -> None:
    assert codes(ask(saying(world({MODULE: module({"a.dll": ["f"]})}), SAID))) == ["missing-dependency"]


def test_stays_quiet_for_another_import_error() -> None:
    assert codes(ask(saying(healthy(), "ImportError: cannot import name 'b' from 'pkg.a' (C:\\pkg\\a.py)"))) == []
