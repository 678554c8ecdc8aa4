"""Help in both languages; widths: Unicode Standard Annex 11 (East Asian characters take two columns)."""

from __future__ import annotations

import re
import unicodedata

import pytest

from whyload.cli.help_command import help_text, terminal_columns
from whyload.cli.main import main
from whyload.cli.options import COMMANDS, options_of

PAGES = (None, *COMMANDS)
LANGUAGES = ("en", "zh")
HAN = re.compile("[\u4e00-\u9fff]")


def columns(line: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in line)


def without_fixed_words(text: str) -> str:
    """A text without its options, values and names, which read the same in every language."""
    return re.sub(r"`[^`]*`|--?\w[\w-]*|[A-Z]{2,}\w*|\b(win\w+|import|ctypes|winmode|exe)\b", "", text)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_explained_in_both_languages(command: str) -> None:
    options = options_of(command)
    said = [COMMANDS[command], *(title for title, _ in options.groups if title is not None)]
    said += [option.help for option in options.all()]
    said += [option.wanted for option in options.all() if option.wanted]
    if options.epilog:
        said.append(options.epilog)
    for en, zh in said:
        assert en.isascii()
        assert re.search("[a-z]{2}", without_fixed_words(en)), en
        assert HAN.search(zh), zh


@pytest.mark.parametrize(
    "option", [option for command in COMMANDS for option in options_of(command).all() if option.type]
)
def test_values_that_are_converted_say_what_they_take(option: object) -> None:
    assert option.wanted is not None  # type: ignore[attr-defined]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", PAGES)
def test_a_page_names_every_option(command: str | None, language: str) -> None:
    text = help_text(command, language, 80)
    if command is None:
        assert all(re.search(rf"^  {name} ", text, re.MULTILINE) for name in (*COMMANDS, "-h, --help", "--version"))
        return
    for option in options_of(command).all():
        assert f"\n  {', '.join(option.names) or option.value}" in text


@pytest.mark.parametrize("wide", [60, 80, 100, 200])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", PAGES)
def test_lines_fit_the_terminal(command: str | None, language: str, wide: int) -> None:
    for line in help_text(command, language, wide).splitlines():
        assert columns(line) <= min(wide, 100), line


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", COMMANDS)
def test_texts_begin_in_one_column(command: str, language: str) -> None:
    lines = help_text(command, language, 80).splitlines()
    rows = [match for line in lines if (match := re.match(r"(  \S.*?  +)(?=\S)|( {10,})(?=\S)", line))]
    assert rows
    assert {columns(match[0]) for match in rows} == {24}


@pytest.mark.parametrize(
    "argv",
    [
        ["--lang", "zh", "--help"],
        ["--help", "--lang", "zh"],
        ["-h", "--lang=zh"],
        ["torch", "--help", "--lang", "zh"],
        ["--lang", "zh", "torch", "-h"],
        ["check", "--lang", "zh", "--help"],
        ["check", "--he", "--lang=zh"],
        ["check", "-vh", "--lang=zh"],
    ],
)
def test_the_language_of_help_may_stand_anywhere(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 0
    assert capsys.readouterr().out.startswith("用法：whyload ")


def test_help_speaks_the_systems_language(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert main(["fix", "--help"]) == 0
    assert capsys.readouterr().out.startswith("用法：whyload fix ")
    assert main(["fix", "--help", "--lang", "en"]) == 0
    assert capsys.readouterr().out.startswith("usage: whyload fix ")


def test_a_programs_own_help_is_not_ours() -> None:
    from whyload.cli.arguments import parse

    assert parse(["run", "app.py", "--help"]).arguments == ["app.py", "--help"]


@pytest.mark.parametrize(("said", "wide"), [("100", 100), ("0", 80), ("many", 80), ("", 80)])
def test_columns_of_the_terminal(said: str, wide: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.__stdout__", None)
    monkeypatch.setenv("COLUMNS", said)
    assert terminal_columns() == wide
