"""Statements that are parsed piece by piece: those of the whole text are the judge."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from whyload.startup import pieces
from whyload.startup.pieces import UnparsedRest, statements

PACKAGES = ("", "email", "importlib", "json", "unittest", "asyncio", "concurrent/futures", "lib2to3/tests/data")
SOURCES = [file for package in PACKAGES for file in sorted((Path(ast.__file__).parent / package).glob("*.py"))]


def parsed(text: str, bodies: object = None) -> ast.Module | None:
    """The tree of a text as it stands, nothing left out."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


@pytest.fixture(autouse=True)
def nothing_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "parse", parsed)


def by_pieces(text: str) -> list[str] | None:
    """The statements with their places; None where the text does not parse."""
    try:
        return [ast.dump(node, include_attributes=True) for node in statements(text)]
    except UnparsedRest:
        return None


def at_once(text: str) -> list[str] | None:
    tree = parsed(text)
    return None if tree is None else [ast.dump(node, include_attributes=True) for node in tree.body]


@pytest.mark.parametrize(("size", "every"), [(1, 15), (3000, 3)])
def test_the_standard_library(size: int, every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "_SIZE", size)
    for file in SOURCES[::every]:
        text = file.read_text("utf-8", "replace")
        assert by_pieces(text) == at_once(text), file


LINES = (
    "x = 1", "if a:", "  b", "else:", "try:", "except E:", "finally:", "@d", "def f():", "  '''", "'''", '"""', "x = (",
    ")", "y = [1,", "]", "a \\", "# c", "", "class C: pass", "elsewhere()", "  # d", "\tz", "for i in j: k", "\f",
    "a;b",
)  # fmt: skip


@example(["a \\", "x = 1"], "\r\n")
@given(st.lists(st.sampled_from(LINES), max_size=12), st.sampled_from(["\n", "\r\n", "\r"]))
def test_any_lines(lines: list[str], end: str) -> None:
    text = end.join(lines)
    before, pieces._SIZE = pieces._SIZE, 1
    try:
        assert by_pieces(text) == at_once(text)
    finally:
        pieces._SIZE = before


def test_what_is_not_reached_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def noted(text: str, bodies: object = None) -> ast.Module | None:
        seen.append(text)
        return parsed(text)

    monkeypatch.setattr(pieces, "parse", noted)
    found = statements("x = 1\n" * 5000)
    assert next(found).lineno == 1
    assert len(seen) == 1
    assert len(seen[0]) < 4000
