"""Levels of tracebacks: Python's own, IPython's old and new form, rich's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from whyload.base.regular import regular
from whyload.observe.text.clues import TextFrame

_PLAIN = regular(r'^[ \t]{0,12}File "([^"\n]{1,400})", line (\d{1,7})(?:, in (\S{1,120}))?', re.MULTILINE)
_NOTEBOOK = regular(
    r"^[ \t]{0,4}(?:File )?((?:[A-Za-z]:|~|/)[^\n:*?<>|]{1,400}?\.pyw?)(?::(\d{1,7}))?,? in (\S{1,120})", re.MULTILINE
)
_ARROW = regular(r"^\s{0,6}(?:-{1,6}>|\u2771|>)\s{0,6}(\d{1,7})\s([^\n]{1,300})", re.MULTILINE)
_ERROR = regular(r"(?:E\s+)?[A-Z][\w.]{0,40}(?:Error|Exception): ")
"""What ends a traceback, where a level (of compiled code) has no line of source."""


def read_frames(text: str) -> tuple[TextFrame, ...]:
    """Every level of every traceback in the text, in the order of the text."""
    found = [*_plain(text), *_notebook(text)]
    return tuple(frame for _, frame in sorted(found, key=lambda item: item[0]))


def _plain(text: str) -> Iterator[tuple[int, TextFrame]]:
    for match in _PLAIN.finditer(text):
        source = _line_after(text, match.end())
        yield match.start(), TextFrame(file=match[1], line=int(match[2]), function=match[3], source=source)


def _line_after(text: str, place: int) -> str | None:
    start = text.find("\n", place)
    if start < 0:
        return None
    end = text.find("\n", start + 1)
    line = text[start + 1 : end if end >= 0 else len(text)].strip()[:300]
    return line if line and not line.startswith('File "') and not _ERROR.match(line) else None


def _notebook(text: str) -> Iterator[tuple[int, TextFrame]]:
    for match in _NOTEBOOK.finditer(text):
        arrow = _ARROW.search(text, match.end(), match.end() + 1500)
        yield (
            match.start(),
            TextFrame(
                file=match[1],
                line=int(match[2] or (arrow[1] if arrow else 0)) or None,
                function=match[3],
                source=arrow[2].strip() if arrow else None,
            ),
        )
