"""What the loader of Linux says in other languages than English.

Source: data/loader_words.toml (the translations of the GNU C library).
"""

from __future__ import annotations

import functools

from whyload.base.regular import regular
from whyload.knowledge.reader import data_tables

_NEAR = regular(r"\.so\b|ELF|TLS")
"""What stands in every text that such words are looked for in."""


def in_english(text: str) -> str:
    """The text with the loader's words put back into English, in which the messages are known."""
    if not _NEAR.search(text):
        return text
    for words, english in _phrases():
        if words in text:
            text = text.replace(words, english)
    return text


@functools.cache
def _phrases() -> tuple[tuple[str, str], ...]:
    """Translation and English, longest first, so that no phrase breaks a longer one."""
    pairs = ((words, row["english"]) for row in data_tables("loader_words")["phrase"] for words in row["words"])
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))
