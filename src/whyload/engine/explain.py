"""Asks every cause what a text says for it, and ranks the answers by the ground they have."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module

from whyload import symptoms
from whyload.engine.alike import in_order
from whyload.engine.guess import guessed
from whyload.findings.candidate import Candidate, Explanation
from whyload.knowledge.causes import causes
from whyload.knowledge.likeness import chances_of
from whyload.observe.text.clues import Clues
from whyload.observe.text.features import features_of
from whyload.observe.text.reading import read_clues

_MOST = 5


def explain(data: bytes | str) -> Explanation:
    """The causes that come into question for a text, best first; none for a text that is not about a native library."""
    clues = read_clues(data)
    return Explanation(
        candidates=rank(clues),
        platform=clues.platform.value if clues.platform else None,
        system=clues.system,
        python=str(clues.python) if clues.python else None,
        winerror=clues.winerror,
        ntstatus=clues.statuses[-1] if clues.statuses else None,
        module=clues.module,
        file=clues.file,
        versions=clues.versions,
        languages=tuple(dict.fromkeys(error.language for error in clues.errors if error.language)),
    )


def rank(clues: Clues) -> tuple[Candidate, ...]:
    """At most five, best first: by their ground, and where that leaves it open by what such texts turned out to be.

    Where no cause has anything to say, that alone is told, if the text is about a native library.
    """
    found = by_ground(ask_all(clues))
    if not found:
        return tuple(guessed(clues))
    return tuple(in_order(found, chances_of(features_of(clues))) if len(found) > 1 else found)[:_MOST]


def by_ground(candidates: tuple[Candidate, ...]) -> list[Candidate]:
    """The strongest first."""
    return sorted(candidates, key=lambda one: (one.strength.rank, one.order))


def ask_all(clues: Clues) -> tuple[Candidate, ...]:
    """What each cause answers."""
    answers = (ask(clues) for ask in _questions())
    return tuple(answer for answer in answers if answer is not None)


@functools.cache
def _questions() -> tuple[Callable[[Clues], Candidate | None], ...]:
    """The module of every cause of the closed list, by its name (looking into the folder would take `inspect`)."""
    names = (cause.code.replace("-", "_") for cause in causes())
    return tuple(import_module(f"{symptoms.__name__}.{name}").explain for name in names)
