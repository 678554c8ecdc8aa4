"""Help and errors of wrong calls have stored texts in English and Chinese: what changes is looked at."""

from __future__ import annotations

import re

import pytest

from tests.messages import help_pages, wrong_calls


@pytest.mark.parametrize("language", help_pages.LANGUAGES)
@pytest.mark.parametrize("page", help_pages.PAGES)
def test_the_help_is_the_stored_one(page: str, language: str) -> None:
    stored = (help_pages.FOLDER / f"{page}.{language}.txt").read_text(encoding="utf-8")
    assert help_pages.text_of(page, language) == stored


@pytest.mark.parametrize("language", wrong_calls.LANGUAGES)
def test_what_is_said_to_wrong_calls_is_stored(language: str) -> None:
    stored = (wrong_calls.FOLDER / f"wrong-calls.{language}.txt").read_text(encoding="utf-8")
    assert wrong_calls.said(language) == stored


def test_every_wrong_call_is_answered_in_chinese_with_code_2() -> None:
    for block in (wrong_calls.FOLDER / "wrong-calls.zh.txt").read_text(encoding="utf-8").split("\n\n"):
        head, *said = block.splitlines()
        assert head.endswith("  [2]")
        assert said[0].startswith("whyload：")
        assert re.search("[\u4e00-\u9fff]{2}", said[0]), block


def test_an_error_of_a_world_file_names_the_place() -> None:
    stored = (wrong_calls.FOLDER / "wrong-calls.zh.txt").read_text(encoding="utf-8")
    for place in (
        "python",
        "python_version",
        "layout",
        "env.PATH",
        "os.build",
        "process.preload[0]",
        "measured.p",
        "profile",
    ):
        assert re.search(rf"机器描述文件 \S+：{re.escape(place)}", stored), place
