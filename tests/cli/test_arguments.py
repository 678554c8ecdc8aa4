"""Arguments that are read without argparse: argparse is the judge."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whyload.cli.arguments import Arguments, parse, read_plainly
from whyload.cli.options import COMMANDS, options_of
from whyload.cli.parser import parsed

_WORDS = ("torch", "a.dll", "C:\\x y\\b.pyd", "-", "", "json", "zh", "0x1100", "30", "win32", "1e9", "a=b", "@file")
_ODD = (
    "--",
    "-h",
    "--js",
    "--format=json",
    "--lang=xx",
    "--root=",
    "-vv",
    "-ox",
    "-o=x",
    "--json=1",
    "-1",
    "-c x",
    "--x",
)


@st.composite
def calls(draw: st.DrawFn) -> list[str]:
    """A command with options of it, values, and what is written less plainly."""
    command = draw(st.sampled_from(sorted(COMMANDS)))
    names = [name for option in options_of(command).all() for name in option.names]
    token = st.one_of(st.sampled_from(names), st.sampled_from(_WORDS), st.sampled_from(_ODD))
    return [command, *draw(st.lists(token, max_size=8))]


@given(calls())
def test_what_is_read_plainly_is_what_argparse_reads(argv: list[str]) -> None:
    plain = read_plainly(argv)
    if plain is not None:
        assert vars(plain) == vars(parsed(argv, Arguments()))


@pytest.mark.parametrize(
    "argv",
    [
        ["load", "--root", "C", "--world", "w.json", "a.dll", "--json"],
        ["import", "torch", "numpy", "--format", "html", "-o", "x.html", "-v", "-v"],
        ["run", "--root=C", "script.py", "--json", "--", "x"][:-2],
        ["fix", "torch", "--yes"],
        ["check", "torch==2.4.0", "--os", "windows-10"],
        ["explain", "-"],
        ["cause"],
        ["doctor", "--timeout", "30"],
    ],
)
def test_calls_that_scripts_make_are_read_plainly(argv: list[str]) -> None:
    plain = read_plainly(argv)
    assert plain is not None
    assert vars(plain) == vars(parsed(argv, Arguments()))


@pytest.mark.parametrize(
    "argv",
    [["load", "--how"], ["check"], ["import", "--format", "pdf"], ["tree", "a", "b"], ["doctor", "--timeout", "0"]],
)
def test_wrong_calls_are_left_to_argparse(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert read_plainly(argv) is None
    with pytest.raises(SystemExit) as ended:
        parse(argv)
    assert ended.value.code == 2
    assert "usage: whyload" in capsys.readouterr().err


def test_a_module_alone_is_imported() -> None:
    assert vars(parse(["torch", "--json"])) == vars(parse(["import", "torch", "--json"]))
    assert vars(parse(["torch", "--js"])) == vars(parse(["import", "torch", "--json"]))
