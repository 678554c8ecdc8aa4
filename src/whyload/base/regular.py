"""Regular expressions that are compiled when they are first used on a text that has a word which they need.

Source of truth: Python's documentation of `re.compile`. Compiling one takes 50 to 500 us, and of those that stand in
the modules of a program most are never asked; `re` itself takes 3 ms to import. To a type checker they *are* compiled.
Which words an expression needs is stated in `needed_words`, by its checksum: of one that is not there, or that was
changed since, nothing is known, and it is compiled.
"""

from __future__ import annotations

from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from re import compile as regular
    from typing import Any

__all__ = ["Alternatives", "folded", "key_of", "regular"]

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")
_NOTHING: dict[str, Any] = {
    "findall": lambda _: [],
    "finditer": lambda _: iter(()),
    "fullmatch": lambda _: None,
    "match": lambda _: None,
    "search": lambda _: None,
    "sub": lambda text: text,
}
"""What a method gives where nothing is found; the others are asked of texts that have it."""
_GIVEN = {"sub": 2}
"""What it is given, the text last, if not the text alone."""
_MISSES = 24
"""Texts without the words, after which compiling is cheaper than looking."""
_DOTTED = {0x130: "i", 0x131: "i", 0x17F: "s", 0x212A: "k"}
"""What counts as an ASCII letter where case does not matter, and is in lower case none."""


def folded(text: str) -> str:
    """The text as the words of an expression are looked for in it that does not mind upper and lower case."""
    return text.lower() if text.isascii() else text.translate(_DOTTED).lower()


def key_of(pattern: str, flags: int = 0) -> int:
    """What an expression is known by in `needed_words`."""
    return crc32(f"{int(flags)}:{pattern}".encode())


class _Regular:
    """Takes its methods from the compiled expression when one is first asked of a text that may have it."""

    __slots__ = ("_given", "_left", "_words", *_METHODS)

    def __init__(self, *given: Any) -> None:
        self._given = given
        self._left = _MISSES
        self._words: tuple[str, ...] | None = None

    def __getattr__(self, name: str) -> Any:
        if name in _NOTHING and self._needed():
            return lambda *given, **named: self._ask(name, given, named)
        return getattr(self._compiled(), name)

    def _needed(self) -> tuple[str, ...]:
        """The words one of which any match has, a first empty one where case does not matter; none if unknown."""
        if self._words is None:
            from whyload.base.needed_words import NEEDED

            pattern, flags = (*self._given, 0)[:2]
            self._words = NEEDED.get(key_of(pattern, flags), ()) if isinstance(pattern, str) else ()
        return self._words

    def _ask(self, name: str, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        is_whole = len(given) == _GIVEN.get(name, 1) and not named
        if is_whole and self._left and not has_one(given[-1], self._needed()):
            self._left -= 1
            return _NOTHING[name](given[-1])
        return getattr(self._compiled(), name)(*given, **named)

    def _compiled(self) -> Any:
        import re

        compiled = re.compile(*self._given)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return compiled


if not TYPE_CHECKING:
    regular = _Regular


def has_one(text: str, words: tuple[str, ...]) -> bool:
    """Whether one of the words stands in the text; a first empty one says that case does not matter."""
    if not words[0]:
        text, words = folded(text), words[1:]
    return any(word in text for word in words)


class Alternatives:
    """An expression of which it is only asked whether it is in a text: its alternatives are compiled one by one."""

    __slots__ = ("_parts", "_pattern")

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._parts: tuple[tuple[tuple[str, ...], Any], ...] | None = None

    def are_in(self, text: str) -> bool:
        """Whether one of them is found."""
        if self._parts is None:
            self._parts = tuple(self._divided())
        return any((not words or has_one(text, words)) and part.search(text) for words, part in self._parts)

    def _divided(self) -> Iterator[tuple[tuple[str, ...], Any]]:
        from whyload.base.needed_words import DIVIDED

        start = 0
        for end, words in DIVIDED.get(key_of(self._pattern), ((len(self._pattern), ()),)):
            yield words, regular(self._pattern[start:end])
            start = end + 1
