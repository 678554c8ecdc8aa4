"""Text on a terminal: how wide it is, and where its lines may be broken.

Source: Unicode Standard Annex 11, "East Asian Width".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

COLUMNS = 80


def width(text: str) -> int:
    """Columns that a text takes on a terminal: Chinese characters take two."""
    import unicodedata

    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def pad(text: str, columns: int) -> str:
    """A text filled up to a width."""
    return text + " " * (columns - width(text))


def paragraph(head: str, text: str) -> Iterator[str]:
    """A text broken to 80 columns, at blanks and between Chinese characters; paths and commands are never broken."""
    line, indent = head, " " * min(width(head), 8)
    empty = True
    for piece in _pieces(text):
        if not empty and width(line) + width(piece.rstrip()) > COLUMNS:
            yield line.rstrip()
            line, empty = indent, True
        line += piece.lstrip() if empty else piece
        empty = False
    yield line.rstrip()


def _pieces(text: str) -> list[str]:
    """Parts between which a line may be broken: words with the blank before them, Chinese characters."""
    return re.findall(
        r"\s*(?:`[^`]*`|[^\s`\u3000-\u9fff\uff00-\uffef]+|.)[\u3001\u3002\uff0c\uff1b\uff1a\uff09]*", text
    )
