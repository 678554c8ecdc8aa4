"""Texts that are about something else than a native library: no cause is named, however near their words are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from whyload.engine.explain import explain
from whyload.knowledge.reader import toml_loads

TEXTS: list[dict[str, Any]] = toml_loads((Path(__file__).parent / "unrelated_texts.toml").read_text(encoding="utf-8"))[
    "text"
]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: f"{text['kind']}-{text['source']}")
def test_nothing_about_a_native_library(text: dict[str, Any]) -> None:
    explanation = explain(text["text"])
    assert explanation.candidates == ()
    assert explanation.exit_code == 3
