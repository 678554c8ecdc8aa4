"""Of a module's text only the statements of the outermost level that some lines of it need.

A name's value comes from the statements that speak of it (Python reference, "Resolution of names"). Where what is
needed cannot be told from the words alone, or is much, nothing is told.
"""

from __future__ import annotations

import ast
import builtins
from bisect import bisect_right
from collections.abc import Iterable

from whyload.base.regular import regular
from whyload.startup.pieces import starts_of
from whyload.startup.prose import long_strings
from whyload.startup.skeleton import parse
from whyload.startup.words import places_of

_MOST = 12
"""Statements that others need; one that needs more is as well read with the whole module."""
_BUILTINS = frozenset(dir(builtins))
_RIGHT = regular(r"[^\n=(]*(?:(?<![!<>])|(?<=<<)|(?<=>>))=[^=]")
"""What stands behind the target of an assignment, or another target."""
_BINDING_WORDS = ("async", "def", "class", "global", "del", "for")
_BINDING = regular(r"[ \t]*(?:(?:async[ \t]+)?(?:def|class)[ \t]+|(?:global|del|for)[ \t]+(?:\w+[ \t]*,[ \t]*)*)")
"""What stands before a name on a line that binds it by a word."""


def sliced(text: str, kept: Iterable[int], wanted: Iterable[int]) -> ast.Module | None:
    """The statements that stand at the lines `kept` and `wanted`, and those that the wanted ones need, in their places;
    None where that is not sure.
    """
    if text.count("\r") != text.count("\r\n"):
        return None
    pieces = _Pieces(text)
    plain = {pieces.at(line) for line in kept}
    imported = pieces.names(plain)
    taken = {pieces.at(line) for line in wanted} - plain
    if imported is None or not taken:
        return None
    waiting, last = list(taken), pieces.starts[max(taken)]
    while waiting:
        needed = pieces.needed(waiting.pop(), imported, last)
        if needed is None or len(taken) > _MOST:
            return None
        waiting += needed - taken - plain
        taken |= needed
    return parse(pieces.text_of(plain | taken))


class _Pieces:
    """The statements of the outermost level of a text, by their numbers."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._strings = [*long_strings(text)]
        self._ends = [end for _, end in self._strings]
        self.starts: list[int] = []
        is_decorated = False
        for start in starts_of(text):
            if self._is_in_string(start):
                continue
            if not is_decorated:
                self.starts.append(start)
            is_decorated = text.startswith("@", start)
        self.lines: list[int] = []
        line, before = 1, 0
        for start in self.starts:
            line += text.count("\n", before, start)
            before = start
            self.lines.append(line)

    def at(self, line: int) -> int:
        """The piece that holds a line."""
        return bisect_right(self.lines, line) - 1

    def span(self, piece: int) -> tuple[int, int]:
        """Where it begins and ends."""
        after = piece + 1
        return self.starts[piece], self.starts[after] if after < len(self.starts) else len(self.text)

    def names(self, pieces: Iterable[int]) -> frozenset[str] | None:
        """The names that import statements bind; None where there is anything else."""
        found: set[str] = set()
        tree = parse("".join(self.text[slice(*self.span(piece))] + "\n" for piece in pieces))
        for node in tree.body if tree is not None else (None,):
            if not isinstance(node, (ast.Import, ast.ImportFrom)):
                return None
            found.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        return frozenset(found)

    def needed(self, piece: int, imported: frozenset[str], last: int) -> set[int] | None:
        """The pieces that begin before a place and that a piece needs; None where that is not sure.

        What a function needs may stand behind it.
        """
        tree = parse(self.text[slice(*self.span(piece))])
        if tree is None:
            return None
        found: set[int] = set()
        for name in {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}:
            if name not in imported and name not in _BUILTINS:
                found.update(bisect_right(self.starts, place) - 1 for place in places_of(self.text[:last], name))
            elif self._is_bound_again(name):
                return None
        return found

    def _is_bound_again(self, name: str) -> bool:
        """May something else than an import statement of the outermost level bind it, or change what it holds?"""
        for place in places_of(self.text, name):
            is_left = _RIGHT.match(self.text, place + len(name)) is not None
            if not is_left and self.text[place - 1] not in " \t":
                continue
            before = self.text[self.text.rfind("\n", 0, place) + 1 : place]
            is_left = is_left and "=" not in before and "#" not in before and "(" not in before
            is_bound = is_left or (before.lstrip().startswith(_BINDING_WORDS) and _BINDING.fullmatch(before))
            if is_bound and not self._is_in_string(place):
                return True
        return False

    def _is_in_string(self, place: int) -> bool:
        """Does it stand inside a string of several lines?"""
        index = bisect_right(self._ends, place)
        return index < len(self._strings) and self._strings[index][0] < place

    def text_of(self, pieces: Iterable[int]) -> str:
        """The text of these alone, each at its own lines."""
        parts: list[str] = []
        line = 1
        for piece in sorted(pieces):
            start, end = self.span(piece)
            part = self.text[start:end]
            parts += ["\n" * (self.lines[piece] - line), part]
            line = self.lines[piece] + part.count("\n")
        return "".join(parts)
