"""Every cause has a page in English and in Chinese that says the same things in the same order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import whyload.rules
from tests.cause_pages import FOLDER, pages
from whyload.api.pages import cause_page, page_text
from whyload.knowledge.causes import causes
from whyload.report.layout import width

CODES = [item.code for item in causes()]
HEADINGS = {
    "en": ["How it looks", "How to make sure", "What to do", "What not to do", "Sources"],
    "zh": ["表现", "如何确认", "如何解决", "不要这样做", "资料来源"],
}


def section(code: str, language: str, index: int) -> str:
    """The text under one heading."""
    return page_text(code, language).split("\n## ")[index + 1].partition("\n")[2]


@pytest.mark.parametrize("language", HEADINGS)
@pytest.mark.parametrize("code", CODES)
def test_a_page_answers_every_question(code: str, language: str) -> None:
    text = page_text(code, language)
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == HEADINGS[language]
    for index in range(len(HEADINGS[language])):
        assert section(code, language, index).strip()
    assert bool(re.search("[一-鿿]", text)) == (language == "zh")


@pytest.mark.parametrize("code", CODES)
def test_both_languages_have_as_many_symptoms_and_steps(code: str) -> None:
    for index in range(5):
        items = [
            len(re.findall(r"^(?:- |\d+\. )", section(code, language, index), re.MULTILINE)) for language in HEADINGS
        ]
        assert items[0] == items[1], HEADINGS["en"][index]


@pytest.mark.parametrize("language", HEADINGS)
@pytest.mark.parametrize("code", CODES)
def test_what_to_do_does_no_harm(code: str, language: str) -> None:
    advice = section(code, language, 2)
    assert not re.search(r"regsvr32|System32|setenforce|dll-?files|--user\b|sudo pip", advice)


@pytest.mark.parametrize("code", CODES)
def test_error_texts_are_the_same_in_both_languages(code: str) -> None:
    """What CPython and the packages print is English everywhere; only Windows' own sentences differ."""
    names = [set(re.findall(r"`([A-Za-z_.]+Error)\b", section(code, language, 0))) for language in HEADINGS]
    assert names[0] == names[1]


@pytest.mark.parametrize("language", HEADINGS)
@pytest.mark.parametrize("code", CODES)
def test_a_page_fits_a_terminal(code: str, language: str) -> None:
    for line in cause_page(code, language).splitlines():
        words = re.findall(r"`[^`]*`|\S+", line)
        assert width(line) <= 80 or max(map(width, words)) > 60, line


def test_no_chinese_page_without_a_rule() -> None:
    folder = Path(str(whyload.rules.__file__)).parent / "zh"
    assert sorted(path.stem for path in folder.iterdir()) == sorted(CODES)


def test_the_published_pages_are_up_to_date() -> None:
    made = pages()
    assert set(FOLDER.rglob("*.md")) == set(made)
    for path, text in made.items():
        assert path.read_text(encoding="utf-8") == text, "run: python -m tests.cause_pages"
