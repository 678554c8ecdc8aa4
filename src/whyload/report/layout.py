"""Text on a terminal: how wide it is, and where its lines may be broken.

Source: Unicode Standard Annex 11, "East Asian Width".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whyload.base.dataclass import dataclass
from whyload.base.regular import regular

COLUMNS = 80
_CONTROL = regular(r"\x1b\[(?:0|1|1;3\d)m|[\x00-\x1f\x7f-\x9f]")
"""Our own colours, or a control character."""
_OPENING = "[\u201c\u300a\uff08]"
_CLOSING = "[\u201d\u300b\u3001\u3002\uff01\uff09\uff0c\uff1a\uff1b\uff1f]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How the text is written."""

    language: str = "en"
    colour: bool = False
    verbose: int = 0

    def paint(self, text: str, code: str) -> str:
        """`text` in a colour, where there is any."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text


def visible(line: str) -> str:
    """Control characters of names spelt out, so that a file's name cannot forge a line or a colour."""
    return _CONTROL.sub(lambda match: match[0] if match[0].startswith("\x1b[") else f"\\x{ord(match[0]):02x}", line)


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
    """Parts between which a line may be broken: words with the blank before them, Chinese characters.

    No Chinese line begins with a closing sign or ends with an opening one.
    """
    return re.findall(rf"\s*{_OPENING}*(?:`[^`]*`|[^\s`\u201c\u201d\u3000-\u9fff\uff00-\uffef]+|.){_CLOSING}*", text)
