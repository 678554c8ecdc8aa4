"""The statements of a module one after the other, each parsed when it is reached: most programs that fail, fail early.

Source: Python reference, "Full grammar specification". A line that begins in the first column begins a statement, or
goes on with one, or stands in a string or in brackets: what does not parse by itself is joined with what follows. A
text whose beginning parses by itself goes on where that ended, so that the pieces' statements are those of the whole.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from whyload.base.typing import TYPE_CHECKING
from whyload.startup.scan import beginnings
from whyload.startup.skeleton import is_too_dense, parse

if TYPE_CHECKING:
    from whyload.startup.skeleton import Bodies

_SIZE = 3000
"""Characters that are parsed at once: the parser starts in 5 us and passes 70 empty lines in one."""


class UnparsedRest(Exception):  # noqa: N818 - a signal
    """The statements so far are of a text that does not parse as a whole: Python would have run none of them."""


def statements(text: str, bodies: Bodies | None = None) -> Iterator[ast.stmt]:
    """The statements of a text that begins with some that parse. Raises UnparsedRest where the rest does not.

    `bodies`: see `parse`.
    """
    if is_too_dense(text) or text.count("\r") != text.count("\r\n"):
        yield from _whole(text, bodies)
        return
    starts = starts_of(text)
    begin, index = 0, 0
    while begin < len(text):
        index, tree = _piece(text, begin, starts, index, bodies)
        yield from tree.body
        begin = starts[index] if index < len(starts) else len(text)


def starts_of(text: str) -> list[int]:
    """Where statements of the outermost level begin, with what stands above the first of them in it."""
    return [0, *(end + 1 for end in beginnings(text))]


def _piece(text: str, begin: int, starts: list[int], index: int, bodies: Bodies | None) -> tuple[int, ast.Module]:
    """The statements from `begin` on that are parsed at once, and the index of the start behind them."""
    size = _SIZE
    above = "\n" * text.count("\n", 0, begin)
    while True:
        while index < len(starts) and starts[index] - begin < size:
            index += 1
        end = starts[index] if index < len(starts) else len(text)
        tree = parse(above + text[begin:end], bodies)
        if tree is not None:
            return index, tree
        if end == len(text):
            raise UnparsedRest
        size *= 2


def _whole(text: str, bodies: Bodies | None) -> list[ast.stmt]:
    tree = parse(text, bodies)
    if tree is None:
        raise UnparsedRest
    return tree.body
