"""What of a text is compared with public reports: its words, and what was understood of it."""

from __future__ import annotations

from collections.abc import Collection

from whyload.base.regular import regular
from whyload.observe.text.clues import Clues
from whyload.observe.text.signs import Sign

_WORD = regular(r"[^\W\d_]{2,}|(?![a-z])[^\W\d_]|\d+(?:\.\d+)*")
"""A Latin letter alone is a mark of the program that printed the text, of a drive or of an option."""
_WITHOUT_BLANKS = (("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\uac00", "\ud7a3"))
"""The first and the last sign of scripts without blanks between words; to compile them as a class takes 3 ms."""


def features_of(clues: Clues) -> frozenset[str]:
    """Words in lower case, versions by their first two parts, pairs of signs of scripts without blanks between words;
    `+NAME` for a trait, `!NAME` for a message of a program, `#NUMBER` for an error of Windows.
    """
    found = {f"+{trait.value}" for trait in clues.traits}
    found.update(f"!{saying.kind.value}" for saying in clues.sayings)
    found.update(f"#{error.code}" for error in clues.errors)
    for word in set(_WORD.findall(clues.text.lower())):
        if "." in word:
            found.add(".".join(word.split(".")[:2]))
        elif not word.isascii() and _is_without_blanks(word):
            found.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        else:
            found.add(word)
    return frozenset(found)


def _is_without_blanks(word: str) -> bool:
    return any(first <= sign <= last for sign in word for first, last in _WITHOUT_BLANKS)


def unread(features: Collection[str], signs: Collection[Sign]) -> frozenset[str]:
    """The words and traits alone, and `%NAME` for a sign: what a text has of which no message was understood.

    Reports that are stored were all understood; by what was, they would be told apart from any text that was not.
    """
    told = {f"%{sign.value}" for sign in signs}
    return frozenset(feature for feature in features if feature[0] not in "!#") | told
