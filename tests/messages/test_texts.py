"""Every cause has a stored text in English and in Chinese: a change of wording is looked at before it ships."""

from __future__ import annotations

import pytest

from tests.messages.examples import EXAMPLES, FOLDER, LANGUAGES, text_of
from whyload.engine.judge import rule_modules
from whyload.report.html import report_html
from whyload.report.layout import width
from whyload.report.markdown import report_markdown


def test_every_rule_has_an_example() -> None:
    examined = [module.__name__ for module in rule_modules() if hasattr(module, "examine")]
    assert {name.rpartition(".")[2].replace("_", "-") for name in examined} == set(EXAMPLES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", EXAMPLES)
def test_the_text_is_the_stored_one(code: str, language: str) -> None:
    stored = (FOLDER / f"{code}.{language}.txt").read_text(encoding="utf-8")
    assert text_of(code, language) == stored


@pytest.mark.parametrize("code", EXAMPLES)
def test_the_first_line_stands_alone(code: str) -> None:
    head = text_of(code, "en").splitlines()[0]
    assert head.startswith(f"error[{code}]: ")
    assert "`" in head
    chinese = text_of(code, "zh").splitlines()[0]
    assert chinese.startswith(f"错误[{code}]：")


@pytest.mark.parametrize("code", EXAMPLES)
def test_lines_fit_80_columns(code: str) -> None:
    for line in text_of(code, "zh").splitlines()[1:]:
        words = line.split(" ")
        assert width(line) <= 80 or line.startswith("      ") or max(map(width, words)) > 40, line


@pytest.mark.parametrize("code", EXAMPLES)
def test_what_the_program_said_is_in_every_format_and_no_table_is_empty(code: str) -> None:
    report = EXAMPLES[code]()
    text, page = report_markdown(report, "zh"), report_html(report, "zh")
    assert "|---|---|---|---|\n\n" not in text
    assert "modules in the process" not in text + page
    for finding in report.findings:
        for said in (evidence.text for evidence in finding.evidence if evidence.text is not None):
            assert said.zh in text
            assert said.zh.partition("：")[0] in page
