"""Our named tuples against the standard library's: the same class made by both behaves in the same way."""

from __future__ import annotations

import copy
import pickle
import typing
from collections.abc import Callable
from typing import Any

import pytest

from whyload.base import typing as ours


def made(base: Any) -> Any:
    """A named tuple with a default, a method and a property."""

    class Place(base):  # type: ignore[misc]
        """A place."""

        name: str
        depth: int = 3

        def __str__(self) -> str:
            return f"{self.name} at {self.depth}"

        @property
        def twice(self) -> int:
            return self.depth * 2

    return Place


def outcome(action: Callable[[], object]) -> object:
    """The value, or the type of the exception."""
    try:
        return action()
    except Exception as error:
        return type(error)


ACTIONS: dict[str, Callable[[Any], object]] = {
    "text": lambda cls: (repr(cls("a")), str(cls("a", 2))),
    "by name": lambda cls: cls(depth=1, name="a"),
    "too few": lambda cls: cls(),
    "too many": lambda cls: cls("a", 1, 2),
    "unknown": lambda cls: cls("a", other=2),
    "items": lambda cls: (cls("a").name, cls("a").depth, cls("a")[0], len(cls("a")), tuple(cls("a"))),
    "property": lambda cls: cls("a").twice,
    "equal": lambda cls: (cls("a") == cls("a"), cls("a") == ("a", 3), cls("a") < cls("b"), hash(cls("a"))),
    "change": lambda cls: setattr(cls("a"), "name", "b"),
    "no dictionary": lambda cls: hasattr(cls("a"), "__dict__"),
    "replaced": lambda cls: cls("a")._replace(depth=9),
    "replaced wrongly": lambda cls: outcome(lambda: cls("a")._replace(other=9)) in (TypeError, ValueError),
    "as a dictionary": lambda cls: cls("a")._asdict(),
    "fields": lambda cls: (cls._fields, cls._field_defaults, cls.__match_args__),
    "words": lambda cls: (cls.__name__, cls.__qualname__, cls.__doc__, cls.__module__, cls.__annotations__.keys()),
    "copy": lambda cls: (copy.copy(cls("a")), copy.deepcopy(cls("a", 2))),
    "slice": lambda cls: (cls("a", 2)[:1], type(cls("a", 2)[:1])),
    "without a call": lambda cls: tuple.__new__(cls, ("x", 7)).depth,
}


@pytest.mark.parametrize("name", ACTIONS)
def test_as_the_standard_library_does(name: str) -> None:
    mine, standard = made(ours.NamedTuple), made(typing.NamedTuple)
    assert outcome(lambda: ACTIONS[name](mine)) == outcome(lambda: ACTIONS[name](standard))


class Kept(ours.NamedTuple):
    name: str
    depth: int = 3


def test_values_travel() -> None:
    kept = pickle.loads(pickle.dumps(Kept("a")))
    assert kept == Kept("a")
    assert type(kept) is Kept
