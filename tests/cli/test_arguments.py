"""Arguments are read as argparse reads them: it is the judge. What is wrong with them is said in both languages."""

from __future__ import annotations

import argparse
import contextlib
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whyload.cli.arguments import ArgumentError, parse
from whyload.cli.main import main
from whyload.cli.option import Option
from whyload.cli.options import COMMANDS, options_of

_WORDS = ("torch", "a.dll", "C:\\x y\\b.pyd", "-", "", "json", "zh", "0x1100", "30", "win32", "1e9", "a=b", "@file")
_ODD = ("--js", "--format=json", "--lang=xx", "--root=", "-vv", "-ox", "-o=x", "--json=1", "-1", "-c x", "--x", "--no-")


def _judge(command: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="whyload")
    for option in options_of(command).all():
        if option.action != "help":
            parser.add_argument(*(option.names or [option.target]), **_told(option))
    return parser


def _told(option: Option) -> dict[str, Any]:
    """What argparse is told of an option."""
    told: dict[str, Any] = {"default": option.default}
    if option.names:
        told |= {"dest": option.target, "action": option.action}
    elif option.count is not None:
        told["nargs"] = option.count
        if option.count in ("*", "..."):
            told["default"] = []
    for name in ("const", "metavar", "choices", "type"):
        if (value := getattr(option, name)) is not None:
            told[name] = value
    return told


def _judged(argv: list[str]) -> dict[str, Any] | None:
    """What argparse reads; None where it finds them wrong, or where they ask for help."""
    values = argparse.Namespace(command=argv[0])
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        try:
            _judge(argv[0]).parse_args(argv[1:], values)
        except SystemExit:
            return None
    return vars(values)


def _read(argv: list[str]) -> dict[str, Any] | None:
    try:
        values = vars(parse(argv))
    except ArgumentError:
        return None
    return values


@st.composite
def calls(draw: st.DrawFn) -> list[str]:
    """A command with options of it, values, and what is written less plainly."""
    command = draw(st.sampled_from(sorted(COMMANDS)))
    names = [name for option in options_of(command).all() for name in option.names if option.action != "help"]
    token = st.one_of(st.sampled_from(names), st.sampled_from(_WORDS), st.sampled_from(_ODD))
    return [command, *draw(st.lists(token, max_size=8))]


@given(calls())
def test_what_argparse_takes_is_read_alike(argv: list[str]) -> None:
    judged = _judged(argv)
    if judged is not None:
        as_json = ["--json"] if judged.get("format") == "json" else []
        judged["lang"] = judged["lang"] or parse(["explain", *as_json]).lang
        if judged.get("batch"):
            judged["lang"] = parse(argv).lang
        assert _read(argv) == judged


@pytest.mark.parametrize(
    "argv",
    [
        ["load", "--root", "C", "--world", "w.json", "a.dll", "--json"],
        ["import", "torch", "numpy", "--format", "html", "-o", "x.html", "-vv"],
        ["run", "--root=C", "script.py", "--json", "x"],
        ["run", "-ctorch", "--json"],
        ["fix", "torch", "--yes"],
        ["check", "torch==2.4.0", "--os", "windows-10", "--js"],
        ["explain", "-"],
        ["cause"],
        ["doctor", "--timeout", "30"],
        ["explain", "--lang", "zh", "--", "-x"],
    ],
)
def test_calls_that_people_make(argv: list[str]) -> None:
    judged = _judged(argv)
    assert judged is not None
    assert {**_judged(argv), "lang": None} == {**(_read(argv) or {}), "lang": None}  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("argv", "en", "zh"),
    [
        (["load", "--how"], "`--how` needs a value: HOW", "`--how` 后面缺少值：HOW"),
        (["load", "--how", "--json"], "`--how` needs a value: HOW", "`--how` 后面缺少值：HOW"),
        (["check"], "TARGET is missing", "缺少参数 TARGET"),
        (
            ["import", "--format", "htm"],
            "--format: `htm` is none of text, json, html, markdown; did you mean html?",
            "--format 的值不能是 `htm`，只能是 text、json、html、markdown 之一；你是想用 html 吗？",
        ),
        (["tree", "a", "b"], "`b` is one argument too many", "多出了一个参数 `b`"),
        (["doctor", "all"], "`all` is one argument too many", "多出了一个参数 `all`"),
        (
            ["doctor", "--timeout", "0"],
            "--timeout: `0` is not a number of seconds above 0, at most 604800",
            "--timeout 的值应为大于 0、不超过 604800 的秒数，而不是 `0`",
        ),
        (
            ["explain", "--pyhton", "x"],
            "there is no option `--pyhton`",
            "没有 `--pyhton` 这个选项",
        ),
        (
            ["torch", "--pyhton", "x"],
            "there is no option `--pyhton`; did you mean --python?",
            "没有 `--pyhton` 这个选项；你是想用 --python 吗？",
        ),
        (["torch", "-x"], "there is no option `-x`", "没有 `-x` 这个选项"),
        (["torch", "--json=1"], "`--json` takes no value", "`--json` 不带值"),
        (
            ["check", "x", "--no-"],
            "`--no-` may stand for --no-color, --no-deps, --no-network, --no-cache",
            "`--no-` 可以是多个选项的缩写：--no-color、--no-deps、--no-network、--no-cache",
        ),
        (["schema", "all"], "`all` is none of report, explain", "`all`，只能是 report、explain 之一"),
        ([], "name a module or a command", "请指定模块名或命令"),
    ],
)
def test_wrong_calls(argv: list[str], en: str, zh: str, capsys: pytest.CaptureFixture[str]) -> None:
    for language, text, usage in (("en", en, "usage: whyload"), ("zh", zh, "用法：whyload")):
        assert main(["--lang", language, *argv]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        first, second, third = said.err.splitlines()
        assert text in first
        assert second.startswith(usage)
        assert third.endswith(" --help")


@pytest.mark.parametrize("argv", [["tree", "a", "b"], ["tree", "--x"], ["tree", "--how"], ["--x"], ["x", "--json=1"]])
def test_the_language_of_an_error_may_stand_anywhere(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for said in (["--lang", "zh"], ["--lang=zh"]):
        for place in (0, len(argv)):
            assert main([*argv[:place], *said, *argv[place:]]) == 2
            assert capsys.readouterr().err.startswith("whyload：")


@pytest.mark.parametrize("variable", ["LC_ALL", "LC_MESSAGES", "LANG"])
def test_errors_speak_the_systems_language(
    variable: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, "zh_CN.UTF-8")
    assert main(["--x"]) == 2
    assert capsys.readouterr().err.startswith("whyload：没有")
    assert main(["x", "--x", "--json"]) == 2
    assert capsys.readouterr().err.startswith("whyload: there")
    assert main(["x", "--x", "--json", "--lang", "zh"]) == 2
    assert capsys.readouterr().err.startswith("whyload：没有")
    assert main(["x", "--x", "--lang", "en"]) == 2
    assert capsys.readouterr().err.startswith("whyload: there")


def test_a_module_alone_is_imported() -> None:
    assert vars(parse(["torch", "--json"])) == vars(parse(["import", "torch", "--json"]))
    assert vars(parse(["torch", "--js"])) == vars(parse(["import", "torch", "--json"]))


def test_the_language_may_stand_before_the_command() -> None:
    assert vars(parse(["--lang", "zh", "cause", "x"])) == vars(parse(["cause", "x", "--lang", "zh"]))
    assert vars(parse(["--lang=zh", "torch"])) == vars(parse(["import", "torch", "--lang", "zh"]))


def test_operands_may_stand_in_several_places() -> None:
    assert parse(["import", "torch", "--json", "numpy"]).modules == ["torch", "numpy"]
