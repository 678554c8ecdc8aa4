"""Vocabularies: the few words that a thing cannot be said without, looked for in whatever order they stand.

The words are looked for as they are, in a text that has single blanks for all signs: a blank before a word is its
beginning. That costs next to nothing, where a regular expression has to be compiled first.
"""

from __future__ import annotations

from collections.abc import Iterator

from whyload.base.dataclass import dataclass
from whyload.base.regular import regular
from whyload.observe.text.clues import Trait

_NO_WORD = regular(r"[^\w./\\+%#'-]+")


def vocabulary(separated: str) -> tuple[str, ...]:
    """Words, or their beginnings, that stand between bars; a blank at an end is the end of a word."""
    return tuple(separated.split("|"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a sentence means that has a word of every vocabulary and none of `without`."""

    words: tuple[tuple[str, ...], ...]
    trait: Trait
    without: tuple[str, ...] = ()


def in_words(sentence: str) -> str:
    """A sentence in lower case without its signs, as vocabularies are looked for in it."""
    return f" {_NO_WORD.sub(' ', sentence)} ".replace(". ", " ").replace("’", "'")


def has(sentence: str, words: tuple[str, ...]) -> bool:
    """Whether one of the words stands in what `in_words` gave."""
    return any(word in sentence for word in words)


def meant(sentence: str, meanings: tuple[Meaning, ...]) -> Iterator[Trait]:
    """The meanings that a sentence, as `in_words` gives it, has."""
    for meaning in meanings:
        if all(has(sentence, words) for words in meaning.words) and not has(sentence, meaning.without):
            yield meaning.trait
