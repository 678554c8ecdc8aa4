"""Bytes of a saved text as text: the encodings that consoles, editors and redirections of Windows leave behind.

Source: Unicode Standard 3.10 (byte order marks); Microsoft, "Code Page Identifiers".
"""

from __future__ import annotations

import codecs

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LOOKED_AT = 4096
_CODE_PAGES = ("gb18030", "cp932", "big5", "cp949", "cp1251", "cp1252", "cp1250", "cp1254", "cp866", "cp850")
"""In the order in which they are tried; the first whose text contains a known sentence of Windows wins."""


def decode(data: bytes) -> str:
    """The text of some bytes: by its mark, as UTF-16 where every second byte is zero, as UTF-8, else by code page."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace").removeprefix("\ufeff")
    wide = _wide_encoding(data)
    if wide is not None:
        return data.decode(wide, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.end >= len(data) and error.start > len(data) - 4:  # a cut character at the end
            return data.decode("utf-8", "replace")
    return _by_code_page(data)


def _wide_encoding(data: bytes) -> str | None:
    """UTF-16 without a mark: PowerShell's `>` cut at the front, or pasted in pieces."""
    head = data[: _LOOKED_AT // 2 * 2]
    if len(head) < 8:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > half * 0.4 and even < half * 0.1:
        return "utf-16-le"
    if even > half * 0.4 and odd < half * 0.1:
        return "utf-16-be"
    return None


def _beside_chinese(text: str) -> frozenset[str]:
    """Letters of the text that are no common Chinese and that a text in GB 18030 may have: Latin and Korean ones, and
    beside Japanese syllables all of those and every ideograph.
    """
    letters = frozenset(text)
    is_japanese = any("ぁ" <= letter <= "ヶ" for letter in letters)
    return frozenset(
        letter
        for letter in letters
        if "\xa0" <= letter < "\u0250" or "가" <= letter <= "힣" or (is_japanese and "ぁ" <= letter <= "鿿")
    )


def _by_code_page(data: bytes) -> str:
    """The code page in which a known sentence appears; without one, the Chinese one where all of it is common Chinese
    (what is left of an odd number of bytes in a row would be none), Latin letters, Korean ones (which take four
    bytes each in it) or Japanese, else UTF-8 with replacement characters.
    """
    from whyload.knowledge.errors import match_error_texts

    for encoding in _CODE_PAGES:
        text = data.decode(encoding, "replace")
        if match_error_texts(text):
            return text
    try:
        text = data.decode("gb18030")
        "".join(set(text) - _beside_chinese(text)).encode("gb2312")
    except UnicodeError:
        return data.decode("utf-8", "replace")
    return text
