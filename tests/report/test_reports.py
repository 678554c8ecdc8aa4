"""The same report as text, JSON and Markdown; the JSON is judged by its schema (docs/contract.md, section 3)."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import jsonschema
import pytest

from tests.rules.asking import MODULE, ask, module
from tests.testbed.memory import SITE, record, world
from tests.testbed.pewriter import Dll
from whyload.base.dataclass import replace
from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.findings.report import Report
from whyload.remedies.by_pip import with_pip
from whyload.remedies.change import InstallDistributions, RemoveLeftover
from whyload.remedies.choose import by_hand
from whyload.remedies.model import Safety
from whyload.remedies.outcome import Fix, FixOutcome, RefusedRemedy
from whyload.report.as_json import report_values
from whyload.report.html import report_html
from whyload.report.layout import Look, paragraph, width
from whyload.report.markdown import report_markdown
from whyload.report.schema import report_schema
from whyload.report.text import report_text
from whyload.report.tree import tree_text


class Tags(HTMLParser):
    """Elements that are open; fails where one is closed that is not the innermost."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def unclosed(page: str) -> list[str]:
    tags = Tags()
    tags.feed(page)
    return tags.open


@pytest.fixture(scope="module")
def failing() -> Report:
    files = record("pkg", "1.0", {"pkg/_x.pyd": module({"libomp140.x86_64.dll": ["a", "b"], "other.dll": ["c"]})})
    return ask(world(files, path=["C:\\p1", "C:\\p2"], added=["C:\\a1", "C:\\a2", "C:\\a3"]))


@pytest.fixture(scope="module")
def healthy() -> Report:
    files = {MODULE: module({"a.dll": ["f"]}), f"{SITE}\\pkg\\a.dll": Dll(name="a.dll", exports={"f": 1})}
    return ask(world(files))


@pytest.fixture(scope="module")
def planned(failing: Report) -> Report:
    """What `fix` says: a plan, a step by hand, a remedy that was tried in vain, a hint."""
    fits = Message(en="nothing fits", zh="没有合适的版本")
    changes = (RemoveLeftover(path=WinPath("C:\\a\\<b>.dll")), InstallDistributions(requirements=("pkg<2",)))
    remedy = with_pip(world({}), "x", Message(en="mend `pkg`", zh="修好 `pkg`"), *changes, safety=Safety.ASKS_FIRST)
    fix = Fix(
        outcome=FixOutcome.PLANNED,
        remedies=(remedy,),
        by_hand=(by_hand("y", "restart", "重新启动"),),
        refused=(RefusedRemedy(id="z", title=Message(en="upgrade pkg", zh="升级 pkg"), why=fits),),
        hints=(Message(en="lock it", zh="写入锁文件"),),
        undo="whyload undo",
    )
    return replace(failing, fix=fix)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_format_says_what_a_fix_changes_needs_and_how_to_go_back(planned: Report, language: str) -> None:
    told = {
        "en": (
            "planned",
            "disk space",
            "byte for byte",
            "asks first",
            "restart",
            "upgrade pkg",
            "lock it",
        ),
        "zh": ("仅列出计划", "磁盘空间", "逐字节恢复", "需确认", "重新启动", "写入锁文件"),
    }[language]
    page = report_html(planned, language)
    assert unclosed(page) == []
    assert "<b>.dll" not in page
    text = report_text(planned, Look(language=language))
    for shown in (text, page, report_markdown(planned, language)):
        flat = " ".join(shown.split())
        for words in (*told, "C:\\a\\", "pkg", "whyload undo"):
            assert words in flat, words


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(report_schema())


@pytest.mark.parametrize("language", ["en", "zh"])
def test_reports_keep_the_schema(failing: Report, healthy: Report, language: str) -> None:
    validator = jsonschema.Draft202012Validator(report_schema())
    for report in (failing, healthy):
        validator.validate(json.loads(json.dumps(report_values(report, language))))


def test_the_schema_is_closed(failing: Report) -> None:
    values = report_values(failing)
    values["findings"][0]["extra"] = 1
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(values, report_schema())


def test_the_fields_of_the_contract(failing: Report) -> None:
    values = report_values(failing)
    finding = values["findings"][0]
    assert (values["schema"], values["verdict"]) == ("whyload.report/1", "fails")
    assert (finding["code"], finding["severity"], finding["certainty"]) == ("missing-openmp", "error", "proved")
    assert (finding["culprit"], finding["object"]) == (MODULE, "libomp140.x86_64.dll")
    assert finding["owner"] == {"distribution": "pkg", "version": "1.0", "installer": "pip"}
    assert finding["os_error"] == {"winerror": 126, "ntstatus": "0xC0000135"}
    assert finding["chain"][0] == "pkg"
    assert finding["chain"][-1] == "libomp140.x86_64.dll"
    assert finding["evidence"][0]["kind"] == "search"
    assert all(remedy["verified"] == "no" for remedy in finding["remedies"])


def test_every_place_is_in_the_json_in_order(failing: Report) -> None:
    steps = report_values(failing)["findings"][0]["evidence"][0]["steps"]
    kinds = [step["rule"].partition(" ")[0] for step in steps]
    added = ["USER_DIR"] * 3
    assert kinds == ["LOADED", "KNOWNDLL", "TOP_DIR", "APP_DIR", *added, "SYSTEM32"]


def test_the_text_stands_alone_at_80_columns_without_colour(failing: Report) -> None:
    text = report_text(failing, Look())
    head = text.splitlines()[0]
    assert head == "error[missing-openmp]: `pkg\\_x.pyd` cannot load because `libomp140.x86_64.dll` was not found"
    assert "\x1b" not in text
    assert text.isascii()
    commands = ("      ", "error[")
    assert all(width(line) <= 80 for line in text.splitlines() if not line.startswith(commands))
    assert "added folder (3)" in text
    assert "not tried yet" in text
    assert "whyload cause missing-openmp" in text
    assert "import pkg -> pkg\\_x.pyd (import table, 2 functions) -> libomp140.x86_64.dll" in text.replace(
        "\n        ", " "
    )


def test_more_is_said_when_asked(failing: Report) -> None:
    assert "C:\\a2" not in report_text(failing, Look())
    assert "C:\\a2" in report_text(failing, Look(verbose=1))


def test_colour_where_it_is_wanted(failing: Report) -> None:
    assert "\x1b[1;31merror[missing-openmp]" in report_text(failing, Look(colour=True))


def test_chinese(failing: Report) -> None:
    text = report_text(failing, Look(language="zh"))
    assert text.startswith("错误[missing-openmp]：`pkg\\_x.pyd` 无法加载，因为找不到 `libomp140.x86_64.dll`")
    assert "not there" not in text


def test_a_healthy_load_is_one_line(healthy: Report) -> None:
    assert report_text(healthy, Look()).splitlines() == ["pkg: loads (Windows build 22631, C:\\Python\\python.exe)"]


def test_markdown(failing: Report, healthy: Report) -> None:
    text = report_markdown(failing)
    assert "### error: `pkg\\_x.pyd` cannot load" in text
    assert "| 1 | already loaded |" in text
    assert report_markdown(healthy).startswith("## whyload: `pkg` loads")


def test_the_page_is_well_formed_and_stands_alone(failing: Report, healthy: Report) -> None:
    for report in (failing, healthy):
        page = report_html(report, "zh")
        assert unclosed(page) == []
        assert "http" not in page
        assert "<script" not in page
    assert "<code>missing-openmp</code>" in report_html(failing)


def test_the_page_escapes_what_it_shows() -> None:
    files = {MODULE: module({"<b>&.dll": ["f"]})}
    page = report_html(ask(world(files)))
    assert "&lt;b&gt;&amp;.dll" in page
    assert "<b>" not in page


def test_the_tree_names_the_step_that_found_each_file(failing: Report, healthy: Report) -> None:
    assert f"  a.dll  {SITE}\\pkg\\a.dll  [TOP_DIR]" in tree_text(healthy, Look()).splitlines()
    assert "libomp140.x86_64.dll  not found or not usable (126)" in tree_text(failing, Look())


def test_paragraphs_never_break_a_word() -> None:
    lines = list(paragraph("  note: ", "word " * 30 + "C:\\a\\very\\long\\path" * 6))
    assert all(len(line) <= 80 for line in lines[:-1])
    assert lines[-1].strip() == "C:\\a\\very\\long\\path" * 6


def test_chinese_characters_are_two_columns_wide() -> None:
    assert width("错误a") == 5


@pytest.mark.parametrize("odd", ["a\x1b[31mb.dll", "a\nb.dll", "a\rb.dll"])
def test_a_name_cannot_forge_a_line_or_a_colour(odd: str) -> None:
    report = ask(world({MODULE: module({odd: ["f"]})}))
    for text in (
        report_text(report, Look(verbose=1)),
        report_text(report, Look(colour=True)),
        report_markdown(report),
        tree_text(report, Look()),
    ):
        assert odd not in text
        assert "\r" not in text
        assert "\x1b[31mb" not in text
