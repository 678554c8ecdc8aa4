"""Errors of the Windows loader: numbers, names, and the sentences of Windows in thirteen languages.

Source: data/errors.toml (Microsoft's System Error Codes, public reports).
"""

from __future__ import annotations

import functools
import re

from whyload.base.dataclass import dataclass
from whyload.knowledge.reader import data_tables

_FACILITY_WIN32 = 0x8007
"""Upper half of an HRESULT that wraps a GetLastError code (Microsoft, "Structure of COM Error Codes")."""


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
    position: int


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


def match_error_texts(text: str) -> tuple[ErrorMatch, ...]:
    """Every known error sentence in a text, in order of position; spacing, quotes and final stops do not matter.

    `position` is an index into the text without its white space.
    """
    haystack = _plain(text)
    found = [
        (place, -len(needle), ErrorMatch(error=error, language=language, position=place))
        for error, language, needle in _needles()
        if (place := haystack.find(needle)) >= 0
    ]
    return tuple(match for _, _, match in sorted(found, key=lambda item: item[:2]))


@functools.cache
def _needles() -> tuple[tuple[Win32Error, str, str], ...]:
    return tuple((error, language, _plain(text)) for error in win32_errors() for language, text in error.texts)


_ALIKE = str.maketrans({"’": "'", "‘": "'", "`": "'", "，": ",", "（": "(", "）": ")", "：": ":"})


def _plain(text: str) -> str:
    folded = re.sub(r"\s+", "", text).translate(_ALIKE).casefold()
    return folded.rstrip(".。")
