"""What is a comment or a docstring: Python's own tokenizer and parser are the judges."""

from __future__ import annotations

import ast
import io
import token
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from whyload.startup.prose import Prose

SOURCES = sorted(Path(ast.__file__).parent.glob("*.py"))[::4] + sorted(Path(ast.__file__).parent.glob("email/*.py"))
_OWNERS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def expected(text: str) -> Iterator[range]:
    """Places of the comments and of docstrings in three quotes."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    first = {
        (node.body[0].lineno, node.body[0].col_offset)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, _OWNERS) and ast.get_docstring(node, clean=False) is not None
    }
    for item in tokenize.generate_tokens(io.StringIO(text).readline):
        is_docstring = item.type == token.STRING and item.start in first and item.string[:4].lstrip("rR")[:3] in QUOTES
        if item.type == tokenize.COMMENT or is_docstring:
            start = starts[item.start[0] - 1] + item.start[1]
            prefix = len(item.string) - len(item.string.lstrip("rR"))
            yield range(start + prefix, starts[item.end[0] - 1] + item.end[1])


QUOTES = ('"""', "'''")


@pytest.mark.parametrize("file", SOURCES, ids=lambda path: path.name)
def test_comments_and_docstrings_of_the_standard_library(file: Path) -> None:
    text = file.read_text("utf-8")
    if "\f" in text or not text.isascii():
        pytest.skip("columns are counted otherwise")
    prose = Prose(text)
    wanted = {place for span in expected(text) for place in span}
    found = {place for place in range(len(text)) if prose.holds(place)}
    assert found - wanted == set(), "code that counts as prose is not read"
    assert len(wanted - found) <= len(wanted) / 50


@pytest.mark.parametrize(
    ("text", "outside"),
    [
        ("x = 1  # dlopen", False),
        ("x = '#'; dlopen", True),
        ('def f():\n    """dlopen"""', False),
        ('def f(\n    a,\n) -> None:\n    r"""dlopen\n"""', False),
        ('exec(\n    """dlopen"""\n)', True),
        ('x = {\n  "a":\n    """dlopen"""}', True),
        ('"""dlopen"""', False),
        ('"""a""" "dlopen"', True),
        ('# a\n\nr"""dlopen"""', False),
        ('x = 1\nf(\n  # a\n"""dlopen""")', True),
        ("x = f'''{a}\n# dlopen'''", True),
        ("'''\n# dlopen", False),
        ("x = 'a\\'# b'; dlopen", True),
    ],
)
def test_places(text: str, outside: bool) -> None:
    assert Prose(text).has_outside("dlopen") is outside
