"""States the words that regular expressions need, so that those are not compiled for texts that have none of them.

    python -m tools.needed_words       writes `whyload/base/needed_words.py`

Taken from the parsed expressions: of all that a match has to pass, the piece whose shortest literal is longest.
"""

from __future__ import annotations

import gc
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import whyload
from whyload.base.regular import Alternatives, _Regular, key_of
from whyload.knowledge.shared_objects import name_library
from whyload.knowledge.suspects import suspects
from whyload.observe.text.traits import read_traits

if sys.version_info >= (3, 11):
    from re import _parser as parser
else:
    import sre_parse as parser

FILE = Path(__file__).resolve().parent.parent / "src" / "whyload" / "base" / "needed_words.py"
_MOST = 60
"""Words of one expression; to look for more takes as long as to compile it."""
_LEAST = 3
"""Letters of a word that tells anything."""
Words = frozenset[str]
_WITHOUT_WIDTH = ("AT", "ASSERT", "ASSERT_NOT")


def needs(pattern: str, flags: int = 0) -> Iterator[Words]:
    """Sets of literals, of each of which one stands in every match; in lower case where case does not matter."""
    parsed: Any = parser.parse(pattern, flags)
    ignores = bool(parsed.state.flags & re.IGNORECASE)
    yield from _needs(list(parsed), ignores)


def _needs(items: Sequence[Any], ignores: bool) -> Iterator[Words]:
    run = ""
    for operator, given in items:
        name = str(operator)
        letter = _letter(name, given, ignores)
        if letter is not None:
            run += letter
            continue
        if name in _WITHOUT_WIDTH:
            continue
        if run:
            yield frozenset({run})
        run = ""
        yield from _inner(name, given, ignores)
    if run:
        yield frozenset({run})


def _letter(name: str, given: Any, ignores: bool) -> str | None:
    """The sign that stands there, if it can be but one."""
    if name != "LITERAL":
        return None
    sign = chr(given)
    if not ignores:
        return sign
    plain = sign.isascii() or sign.lower() == sign == sign.upper()
    return sign.lower() if plain else None


def _inner(name: str, given: Any, ignores: bool) -> Iterator[Words]:
    if name == "SUBPATTERN":
        _, added, removed, items = given
        inner = (ignores or bool(added & re.IGNORECASE)) and not removed & re.IGNORECASE
        if inner == ignores:
            yield from _needs(list(items), ignores)
    elif name == "BRANCH":
        of_each = [list(_needs(list(items), ignores)) for items in given[1]]
        if all(of_each):
            yield frozenset().union(*(best(found) for found in of_each))
    elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, _, items = given
        if least:
            yield from _needs(list(items), ignores)


def best(found: Sequence[Words]) -> Words:
    """The set that tells most: of long words, and few."""
    return max(found, key=lambda words: (min(map(_weight, words)), -len(words)))


def _weight(word: str) -> int:
    """How much a word tells: a sign of Chinese as much as three letters, blanks nothing."""
    return len(word.replace(" ", "").encode())


def words_of(pattern: str, flags: int = 0) -> tuple[str, ...]:
    """The words that are stated for an expression, a first empty one where case does not matter; none if too vague."""
    found = list(needs(pattern, flags))
    chosen = best(found) if found else frozenset()
    shorter = {word for word in chosen if not any(other != word and other in word for other in chosen)}
    if not shorter or len(shorter) > _MOST or min(map(_weight, shorter)) < _LEAST:
        return ()
    ignores = bool(parser.parse(pattern, flags).state.flags & re.IGNORECASE)
    return (*([""] if ignores else []), *sorted(shorter))


def divided(pattern: str) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Where each alternative of an expression ends, and its words."""
    ends, depth, at, in_class = [], 0, 0, False
    while at < len(pattern):
        sign = pattern[at]
        if sign == "\\":
            at += 1
        elif in_class:
            in_class = sign != "]"
        elif sign == "[":
            in_class = True
            at += pattern[at + 1 : at + 2] == "]" or 2 * (pattern[at + 1 : at + 3] == "^]")
        elif sign in "()":
            depth += 1 if sign == "(" else -1
        elif sign == "|" and not depth:
            ends.append(at)
        at += 1
    starts = [0, *(end + 1 for end in ends)]
    return tuple((end, words_of(pattern[start:end])) for start, end in zip(starts, [*ends, len(pattern)], strict=True))


def expressions() -> tuple[dict[int, tuple[str, int]], dict[int, str]]:
    """Every expression of the package by its key, and those that are asked by their alternatives."""
    for module in pkgutil.walk_packages(whyload.__path__, "whyload."):
        if not module.name.endswith(("__main__", ".probe")):
            importlib.import_module(module.name)
    suspects()
    name_library("none")
    read_traits("")
    known = gc.get_objects()
    given = [(*one._given, 0)[:2] for one in known if type(one) is _Regular]
    whole = {key_of(pattern, flags): (pattern, int(flags)) for pattern, flags in given if isinstance(pattern, str)}
    return whole, {key_of(one._pattern): one._pattern for one in known if type(one) is Alternatives}


def stated() -> str:
    """The module."""
    whole, parts = expressions()
    needed = {key: words for key, given in whole.items() if (words := words_of(*given))}
    lines = [
        '"""The words that regular expressions need, by their keys (`regular.key_of`), and where alternatives end.',
        "",
        "Written by `python -m tools.needed_words`.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "# fmt: off",
        "# ruff: noqa: E501",
        "NEEDED: dict[int, tuple[str, ...]] = {",
        *_in_lines(f"{key}: {words!r}," for key, words in sorted(needed.items())),
        "}",
        "DIVIDED: dict[int, tuple[tuple[int, tuple[str, ...]], ...]] = {",
        *_in_lines(f"{key}: {divided(pattern)!r}," for key, pattern in sorted(parts.items())),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _in_lines(entries: Iterable[str]) -> Iterator[str]:
    """As many entries in a line as have room."""
    line = ""
    for entry in entries:
        if line and len(line) + len(entry) > _WIDTH:
            yield f"    {line}"
            line = ""
        line = f"{line} {entry}".strip()
    yield f"    {line}"


_WIDTH = 110


if __name__ == "__main__":
    FILE.write_text(stated(), encoding="utf-8", newline="\n")
