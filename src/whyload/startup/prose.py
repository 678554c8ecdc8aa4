"""Comments and docstrings: what stands in a source text without being code (Python reference, "Lexical analysis")."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from whyload.base.regular import regular

_TOKEN = regular(
    r"""[#"'](?:(?<=\#)[^\n]*"""
    r'''|(?<=")(?:""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""|[^"\\\n]*(?:\\.[^"\\\n]*)*")'''
    r"""|(?<=')(?:''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''|[^'\\\n]*(?:\\.[^'\\\n]*)*'))""",
    16,  # re.DOTALL
)
"""A comment or a string. Each alternative is entered by one character and goes back nowhere."""
_HEADER = regular(r"[ \t]*(?:async[ \t]+def|def|class)\b[^\n]*:[ \t]*$|[^\n]*\)[^\n]*:[ \t]*$")
"""The (last) line of a header of a function or class."""
_LONGEST_HEADER = 500


def long_strings(text: str) -> Iterator[tuple[int, int]]:
    """Where each string of more than one line begins and ends."""
    for token in _TOKEN.finditer(text):
        start, end = token.span()
        if text.find("\n", start, end) >= 0:
            yield start, end


class Prose:
    """The comments and docstrings of one text, looked for when the first place is asked about."""

    __slots__ = ("_done", "_ends", "_found", "_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: Iterator[tuple[int, int]] | None = None
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._done = 0
        """The text is looked through up to here."""

    def holds(self, position: int) -> bool:
        """Does this place of the text stand in one of them?"""
        if position >= self._done:
            self._look(position)
        index = bisect_right(self._starts, position) - 1
        return index >= 0 and position < self._ends[index]

    def has_outside(self, word: str) -> bool:
        """Does the word stand anywhere else?"""
        position = self._text.find(word)
        while position >= 0 and self.holds(position):
            position = self._text.find(word, position + 1)
        return position >= 0

    def _look(self, position: int) -> None:
        """Look through the text as far as that."""
        if self._found is None:
            self._found = self._prose()
        for start, end in self._found:
            self._starts.append(start)
            self._ends.append(end)
            self._done = end
            if end > position:
                return
        self._done = len(self._text)

    def _prose(self) -> Iterator[tuple[int, int]]:
        """Where each comment and docstring begins and ends."""
        text, head = self._text, 0
        """Where the comments end that the text begins with; -1 behind its first code."""
        for token in _TOKEN.finditer(text):
            start = token.start()
            head = head if head >= 0 and not text[head:start].strip(" \t\r\nrR") else -1
            if text[start] == "#" or self._is_docstring(start, is_first=head >= 0):
                yield start, token.end()
            head = token.end() if head >= 0 and text[start] == "#" else -1

    def _is_docstring(self, start: int, *, is_first: bool) -> bool:
        """Is the string a statement at the start of a module (with no code before it), of a class or a function?"""
        text = self._text
        if not text.startswith(('"""', "'''"), start):
            return False
        line = text.rfind("\n", 0, start) + 1
        if is_first or text[line:start].strip() not in ("", "r", "R"):
            return is_first
        before = text[max(line - _LONGEST_HEADER, 0) : line].rstrip()
        return _HEADER.match(before, before.rfind("\n") + 1) is not None
