"""Errors of Windows in a text: numbers, and the sentences of Windows in thirteen languages, also garbled.

Source: data/errors.toml; Microsoft, "Code Page Identifiers" for what a console of each language writes.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from whyload.base.regular import regular
from whyload.knowledge.errors import match_error_texts, ntstatus, plain, status_numbers, win32_errors, winerror_of
from whyload.observe.text.clues import WindowsError

_NUMBERS = (
    regular(r"\[WinError\s{0,3}(-?\d{1,10})\]", re.IGNORECASE),
    regular(r"(?<!\[)\bWinError:?\s{0,3}(\d{1,5})\b", re.IGNORECASE),
    regular(r"\[Windows ?Error\s{0,3}(\d{1,5})\]", re.IGNORECASE),
    regular(r"\bWindows ?Error:?\s{0,3}(?:\[Error\s{0,3})?(\d{1,5})\b", re.IGNORECASE),
    regular(
        r"(?:LoadLibrary(?:Ex)?[AW]?|DLL|library|load(?:ing)?|error code|GetLastError\(?\)?|system error|"
        r"win32 error)[^\n]{0,160}?\berror(?: code)?:?\s{0,3}\(?(\d{1,5})\b",
        re.IGNORECASE,
    ),
    regular(r"\b(?:error|code|错误代码|错误|Fehler|erreur|エラー|오류|ошибка)(?: "
               r"code)?\s{0,2}[:=]?\s{0,2}(126|127|193|1114|1455|4551|14001)\b", re.IGNORECASE),
    regular(r"\berror\s{1,2}0x([0-9a-fA-F]{1,4})\b"),
    regular(r"0x8007([0-9a-fA-F]{4})\b"),
    regular(r"\((\d{1,5}), ['\"]LoadLibrary"),  # pywintypes.error
    regular(r"\bLoadLibrary(?:Ex)?[AW]?\b[^\n]{0,120}?\bfailed:? \(?(\d{1,5})\b", re.IGNORECASE),
    regular(r"\b(?:load|loading) [\w ]{0,20}(?:DLL|library)\b['\"]?: (\d{1,5})\b", re.IGNORECASE),
)  # fmt: skip
_LOOSELY = (
    (126, regular(r"(?i)specified module (?:could not be|can(?:not|'t) be|was not|is not|not) found")),
    (
        127,
        regular(
            r"(?i)specified (?:procedure|function|program) (?:could not be|can(?:not|'t) be|was not|is not|not) found"
        ),
    ),
    (193, regular(r"(?i)(?:not a|no) valid win(?:dows |dows)?32[ -]app")),
    (
        193,
        regular(
            r"(?i)(?:not designed to run on windows|没有被指定在 ?windows ?上运行|"
            r"не предназначена для выполнения в windows|"
            r"pas con[çc]u pour s.ex[ée]cuter sous windows)(?!.{0,320}0xc0e90002)",
            re.DOTALL,
        ),
    ),
    (1114, regular(r"(?i)dll\)? init(?:iali[sz]ation)? routine failed")),
    (5, regular(r"(?i)dll load failed[^\n:]{0,60}: access (?:is |was )?(?:refused|denied|forbidden)")),
)
"""The sentences as people write them down from memory, in English; and the dialog Bad Image, where a status follows.

Of the status 0xC0E90002 it is a policy that forbids the file.
"""
_EXIT = regular(r"\b(?:exit|status|return(?:ed)?)\b[^\n]{0,12}$", re.IGNORECASE)
_TRIED = regular(r"\.(?:so(?:\.\d{1,2}){0,3}|dylib)'?: $")
_DLL_REFUSED = regular(r"\.dll'?: error 0x(?!7e)")
"""Libraries that try the names of every system, one after another: what Windows says of the DLL matters."""
_OF_AN_IMAGE = (193, 225, 577, 1260, 4551)
_INVALID_IMAGE = 0xC000007B
"""It has entries of its own among the usual suspects."""
_MOST = 200
_LEAST_LATIN = 12
"""Letters that a garbled sentence needs where only Latin ones are left of it: `Windows` may be all of a Chinese one."""


def read_errors(text: str) -> tuple[WindowsError, ...]:
    """The errors of Windows that a text names by number or sentence, by place; each number once."""
    found = [*_numbers(text), *_sentences(text)]
    said = {error.code for error in found}
    found += [error for error in _loosely(text) if error.code not in said]
    said = {error.code for error in found}
    found += [error for error in _refusals(text) if error.code not in said]
    if not any(error.language for error in found) and not text.isascii():
        found += _garbled(text)
    last: dict[int, WindowsError] = {}
    for error in sorted(found, key=lambda error: (error.place, error.language is not None)):
        if error.code in last and error.language is None:
            continue
        last[error.code] = error
    return tuple(sorted(last.values(), key=lambda error: error.place))


def read_statuses(text: str) -> tuple[int, ...]:
    """NTSTATUS codes that are known, as unsigned numbers, in order."""
    return tuple(code for code in status_numbers(text) if ntstatus(code) is not None)


def _numbers(text: str) -> Iterator[WindowsError]:
    known = {error.code for error in win32_errors()}
    for pattern in _NUMBERS:
        base = 16 if "0-9a-fA-F" in pattern.pattern else 10
        for count, match in enumerate(pattern.finditer(text)):
            if count > _MOST:
                break
            code = int(match[1], base)
            if (
                base == 16
                and _TRIED.search(text, max(match.start() - 24, 0), match.start())
                and _DLL_REFUSED.search(text)
            ):
                continue
            if code in known and not _EXIT.search(text, max(match.start(1) - 24, 0), match.start(1)):
                yield WindowsError(code=code, place=match.start())


def _refusals(text: str) -> Iterator[WindowsError]:
    """Of statuses by which a process ends or does not start, those that can come of nothing but a refused image."""
    for status in status_numbers(text):
        code = winerror_of(status)
        if code in _OF_AN_IMAGE and status != _INVALID_IMAGE:
            yield WindowsError(code=code, place=len(text), language="en")


def _sentences(text: str) -> Iterator[WindowsError]:
    for match in match_error_texts(text):
        yield WindowsError(code=match.error.code, place=match.place, language=match.language)


def _loosely(text: str) -> Iterator[WindowsError]:
    for code, pattern in _LOOSELY:
        for match in pattern.finditer(text):
            yield WindowsError(code=code, place=match.start(), language="en")


# ---- sentences written in one code page and read in another

_WRITTEN = {
    "zh": ("gbk", "utf-8"), "zh-TW": ("big5", "utf-8"), "ja": ("cp932", "utf-8"), "ko": ("cp949", "utf-8"),
    "ru": ("cp1251", "cp866", "utf-8"), "pl": ("cp1250", "cp852", "utf-8"), "tr": ("cp1254", "cp857", "utf-8"),
}  # fmt: skip
_WESTERN = ("cp1252", "cp850", "utf-8")
_READ = ("utf-8", "cp1252", "latin-1", "gbk", "cp437", "cp850", "cp1251", "cp866", "cp932", "ascii")


def _garbled(text: str) -> Iterator[WindowsError]:
    """Known sentences in the garbled forms that the usual pairs of code pages give."""
    haystack = _rubble(text)
    for needle, code, language in _garbled_sentences():
        if needle in haystack:
            yield WindowsError(code=code, place=len(text), language=language)
            return


@functools.cache
def _garbled_sentences() -> tuple[tuple[str, int, str], ...]:
    found: dict[str, tuple[int, str]] = {}
    for error in win32_errors():
        for language, sentence in error.texts:
            if sentence.isascii():
                continue
            body = sentence.replace("%1", "").strip(" .。")
            for written in _WRITTEN.get(language, _WRITTEN.get(language.partition("-")[0], _WESTERN)):
                for needle in _as_read(body, written):
                    if len(needle) > (_LEAST_LATIN if needle.isascii() else 3):
                        found.setdefault(needle, (error.code, language))
    return tuple(
        (needle, code, language) for needle, (code, language) in sorted(found.items(), key=lambda item: -len(item[0]))
    )


def _as_read(sentence: str, written: str) -> Iterator[str]:
    try:
        data = sentence.encode(written)
    except UnicodeEncodeError:
        return
    for read in _READ:
        if read != written:
            yield _rubble(data.decode(read, "replace"))


def _rubble(text: str) -> str:
    """Comparable form of garbled text: white space out, every run of lost characters as one."""
    return re.sub("[\ufffd?\u00a0\u00ad\x80-\x9f]+", "\ufffd", plain(text)).strip("\ufffd")
