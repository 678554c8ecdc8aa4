"""Errors of the Windows loader: numbers, names, and the sentences of Windows in thirteen languages.

Source: data/errors.toml (Microsoft's System Error Codes, public reports).
"""

from __future__ import annotations

import functools
import re

from whyload.base.dataclass import dataclass
from whyload.base.regular import regular
from whyload.knowledge.reader import data_tables

_FACILITY_WIN32 = 0x8007
"""Upper half of an HRESULT that wraps a GetLastError code (Microsoft, "Structure of COM Error Codes")."""
_STATUS = regular(
    r"(?:\b0x(?=C0)|\b(?=C0000|C06D007))(C0[0-9a-f]{6})\b|-(10737\d{5}|106659827[34])\b|\b(32212\d{5}|322836902[23])\b",
    re.IGNORECASE,
)
"""Without `0x` only what no hash or address begins with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Win32Error:
    """A GetLastError code."""

    code: int
    name: str
    category: str
    """missing, mismatch, format, init, memory, security, permissions, path, lock, call or other."""
    meaning: str
    texts: tuple[tuple[str, str], ...]
    """(language, sentence); a language may have a second wording."""
    source: str

    def text(self, language: str = "en") -> str | None:
        """The sentence in a language such as `zh-CN`."""
        return next((text for known, text in self.texts if known == language), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class NtStatus:
    """An NTSTATUS code, as a process ends with it."""

    code: int
    name: str
    category: str
    meaning: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorMatch:
    """An error sentence found in a text."""

    error: Win32Error
    language: str
    place: int
    """Where its last occurrence begins: an index into the text (a little off after letters like `ß`)."""


@functools.cache
def win32_errors() -> tuple[Win32Error, ...]:
    """Every code of the data, ascending."""
    return tuple(
        Win32Error(
            code=row["code"],
            name=row["name"],
            category=row["category"],
            meaning=row["meaning"],
            texts=tuple((language.partition("_")[0], text) for language, text in row["text"].items()),
            source=row["source"],
        )
        for row in data_tables("errors")["win32"]
    )


def win32_error(code: int) -> Win32Error | None:
    """The error of a GetLastError code."""
    return next((error for error in win32_errors() if error.code == code), None)


def winerror_of(code: int) -> int | None:
    """The GetLastError code behind another encoding of it (R2.55): an NTSTATUS or a process' exit code, signed or not,
    or an HRESULT 0x8007xxxx. None for what stands for no error of the loader.
    """
    unsigned = code & 0xFFFFFFFF
    if unsigned >> 16 == _FACILITY_WIN32:
        return unsigned & 0xFFFF
    rows = data_tables("statuses")["status"]
    return next((int(row["win32"]) for row in rows if unsigned in row["codes"]), None)


def ntstatus(code: int) -> NtStatus | None:
    """The status of a code, given as unsigned or as the signed exit code of a process."""
    row = next((row for row in data_tables("errors")["ntstatus"] if row["code"] == code & 0xFFFFFFFF), None)
    if row is None:
        return None
    return NtStatus(
        code=row["code"], name=row["name"], category=row["category"], meaning=row["meaning"], source=row["source"]
    )


def status_numbers(text: str) -> tuple[int, ...]:
    """Statuses of errors that a text names, as unsigned numbers in order, each once; known ones or not.

    In hexadecimal (dialogs and event logs leave `0x` out), or as a shell or an IDE writes the exit code: signed or not.
    """
    found = (
        int(match[1], 16) if match[1] else (-int(match[2])) & 0xFFFFFFFF if match[2] else int(match[3])
        for match in _STATUS.finditer(text)
    )
    return tuple(dict.fromkeys(found))


def match_error_texts(text: str) -> tuple[ErrorMatch, ...]:
    """Every known error sentence in a text, by place; spacing, broken lines, quotes and final stops do not matter."""
    haystack = plain(text)
    found = [
        (place, -len(needle), error, language)
        for error, language, needle in _needles()
        if (place := haystack.rfind(needle)) >= 0
    ]
    return tuple(
        ErrorMatch(error=error, language=language, place=_place(text, place))
        for place, _, error, language in sorted(found, key=lambda item: item[:2])
    )


def _place(text: str, plain_place: int) -> int:
    """The index in `text` of the character number `plain_place` that is no white space."""
    passed = 0
    for match in re.finditer(r"\S+", text):
        if passed + len(match[0]) > plain_place:
            return match.start() + plain_place - passed
        passed += len(match[0])
    return len(text)


@functools.cache
def _needles() -> tuple[tuple[Win32Error, str, str], ...]:
    return tuple((error, language, _needle(text)) for error in win32_errors() for language, text in error.texts)


def _needle(sentence: str) -> str:
    """The longest part of a sentence without the name of the file, which some programs put in."""
    return max((plain(part).strip(".。") for part in sentence.split("%1")), key=len)


_ALIKE = str.maketrans(
    dict.fromkeys('’‘`´′“”„«»"＂＇', "'")
    | {
        "，": ",",
        "（": "(",
        "）": ")",
        "：": ":",
        "．": ".",
        "\u00ad": "",
        "\u200b": "",
        "\ufeff": "",
        "\u2011": "-",
        "‐": "-",
    }
)


def plain(text: str) -> str:
    """Comparable form: no white space, lower case, quotes and stops of one kind."""
    folded = "".join(text.split()).translate(_ALIKE).casefold()
    return folded.rstrip(".。")
