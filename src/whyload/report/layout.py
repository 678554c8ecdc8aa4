"""Text on a terminal: how wide it is, and where its lines may be broken.

Source: Unicode Standard Annex 11, "East Asian Width".
"""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.regular import regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

COLUMNS = 80
_CONTROL = regular(r"\x1b\[(?:0|1|1;3\d)m|[\x00-\x1f\x7f-\x9f]")
"""Our own colours, or a control character."""
_OPENING = "\u201c\u300a\uff08"
_CLOSING = "\u201d\u300b\u3001\u3002\uff01\uff09\uff0c\uff1a\uff1b\uff1f"


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
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def pad(text: str, columns: int) -> str:
    """A text filled up to a width."""
    return text + " " * (columns - width(text))


def paragraph(head: str, text: str, columns: int = COLUMNS, indent: int = 8) -> Iterator[str]:
    """A text broken to a width, at blanks and between Chinese characters; paths and commands are never broken.

    Its further lines begin where the first one's text does, at most `indent` columns in.
    """
    line, further = head, " " * min(width(head), indent)
    empty = True
    for piece in _pieces(text):
        if not empty and width(line) + width(piece.rstrip()) > columns:
            yield line.rstrip()
            line, empty = further, True
        line += piece.lstrip() if empty else piece
        empty = False
    yield line.rstrip()


def _pieces(text: str) -> Iterator[str]:
    """Parts between which a line may be broken: words with the blank before them, Chinese characters.

    No Chinese line begins with a closing sign or ends with an opening one.
    """
    start, length = 0, len(text)
    while start < length:
        end = start
        while end < length and (text[end].isspace() or text[end] in _OPENING):
            end += 1
        end = _end_of_word(text, end)
        while end < length and text[end] in _CLOSING:
            end += 1
        yield text[start:end]
        start = end


def _end_of_word(text: str, start: int) -> int:
    """Where the word ends that begins here: what stands in backticks, one Chinese character, or Latin letters."""
    if text[start : start + 1] == "`" and (closing := text.find("`", start + 1)) >= 0:
        return closing + 1
    end = start
    while end < len(text) and not (text[end].isspace() or _is_alone(text[end])):
        end += 1
    return max(end, min(start + 1, len(text)))


def _is_alone(sign: str) -> bool:
    return sign in "`\u201c\u201d" or "\u3000" <= sign <= "\u9fff" or "\uff00" <= sign <= "\uffef"
