"""Every cause has a stored answer in English and in Chinese to a text that tells of it."""

from __future__ import annotations

import pytest

from tests.messages.explanations import FOLDER, LANGUAGES, text_of
from tests.symptoms.texts import TEXTS
from whyload.report.layout import width


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", TEXTS)
def test_the_answer_is_the_stored_one(code: str, language: str) -> None:
    assert text_of(code, language) == (FOLDER / f"{code}.{language}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", TEXTS)
def test_lines_fit_80_columns(code: str, language: str) -> None:
    for line in text_of(code, language).splitlines():
        words = line.split(" ")
        assert width(line) <= 80 or line.startswith("       ") or max(map(width, words)) > 30, line
