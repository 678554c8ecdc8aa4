"""Our data classes against the standard library's: the same class made by both behaves in the same way."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import pickle
import pickletools
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from whyload.base import dataclass as ours

KINDS: list[dict[str, Any]] = [
    {"frozen": frozen, "kw_only": kw_only, "eq": eq, "slots": True}
    for frozen, kw_only, eq in itertools.product((False, True), repeat=3)
]
Maker = Callable[..., Any]


def made(dataclass: Maker, field: Maker, kind: Mapping[str, Any]) -> Any:
    """A class and one that inherits from it, with every kind of default."""

    @dataclass(**kind)
    class Place:
        """A place."""

        name: str
        depth: int = 3
        parts: list[str] = field(default_factory=list)
        hidden: str = field(default="x", repr=False)

        def twice(self) -> int:
            return self.depth * 2

    @dataclass(**kind)
    class Room(Place):
        depth: int = 5
        floor: int = 1

    return Room


@pytest.fixture(params=KINDS, ids=lambda kind: "-".join(name for name, on in kind.items() if on))
def pair(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    """The class as we make it, and as the standard library does."""
    maker: Maker = ours.dataclass
    return made(maker, ours.field, request.param), made(dataclasses.dataclass, dataclasses.field, request.param)


def outcome(action: Callable[[], object]) -> object:
    """The value, or the type of the exception."""
    try:
        return action()
    except Exception as error:
        return type(error)


ACTIONS: dict[str, Callable[[Any], object]] = {
    "text": lambda cls: repr(cls(name="a", hidden="b")),
    "defaults": lambda cls: (cls(name="a").depth, cls(name="a").parts, cls(name="a").hidden, cls(name="a").floor),
    "a default of its own": lambda cls: cls(name="a").parts is cls(name="a").parts,
    "method": lambda cls: cls(name="a").twice(),
    "by position": lambda cls: repr(cls("a", 2, ["b"], "c", 4)),
    "too many": lambda cls: cls("a", 2, ["b"], "c", 4, 5),
    "too few": lambda cls: cls(),
    "unknown": lambda cls: cls(name="a", other=1),
    "equal": lambda cls: cls(name="a") == cls(name="a"),
    "unequal": lambda cls: cls(name="a") == cls(name="b"),
    "equal to its base": lambda cls: cls(name="a") == cls.__mro__[1](name="a"),
    "equal to something else": lambda cls: cls(name="a") == 1,
    "hash": lambda cls: len({*(cls(name=name, parts=()) for name in "aab")}),
    "hash of what has none": lambda cls: hash(cls(name="a")) is not None,
    "change": lambda cls: setattr(cls(name="a"), "depth", 1),
    "delete": lambda cls: delattr(cls(name="a"), "depth"),
    "no dictionary": lambda cls: hasattr(cls(name="a"), "__dict__"),
    "patterns": lambda cls: cls.__match_args__,
    "words": lambda cls: (cls.__qualname__, cls.__mro__[1].__doc__, cls.__module__),
    "annotations": lambda cls: cls.__annotations__,
    "copy": lambda cls: repr(copy.copy(cls(name="a", depth=9))),
    "deep copy": lambda cls: repr(copy.deepcopy(cls(name="a", depth=9))),
    "fields": lambda cls: [(f.name, f.default, f.default_factory, f.repr) for f in dataclasses.fields(cls)],
    "as a dictionary": lambda cls: dataclasses.asdict(cls(name="a")),
    "replaced by the standard function": lambda cls: repr(dataclasses.replace(cls(name="a"), depth=8)),
    "is a data class": lambda cls: dataclasses.is_dataclass(cls),
}


@pytest.mark.parametrize("name", ACTIONS)
def test_as_the_standard_library_does(pair: tuple[Any, Any], name: str) -> None:
    mine, standard = pair
    assert outcome(lambda: ACTIONS[name](mine)) == outcome(lambda: ACTIONS[name](standard))


def test_a_name_that_is_no_field_cannot_be_set(pair: tuple[Any, Any]) -> None:
    with pytest.raises(AttributeError):  # the standard library's frozen classes with slots give TypeError by mistake
        pair[0](name="a").other = 1


def test_replace(pair: tuple[Any, Any]) -> None:
    mine, standard = pair
    assert repr(ours.replace(mine(name="a", parts=["b"]), depth=8, name="c")) == repr(
        dataclasses.replace(standard(name="a", parts=["b"]), depth=8, name="c")
    )
    assert outcome(lambda: ours.replace(mine(name="a"), other=1)) is TypeError


@ours.dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    name: str
    inner: Kept | None = None


def test_values_travel() -> None:
    value = Kept(name="a", inner=Kept(name="b"))
    data = pickle.dumps(value)
    assert pickle.loads(data) == value
    assert "Kept" in [argument for _, argument, _ in pickletools.genops(data)]


@ours.dataclass(slots=True, eq=False)
class Chain:
    after: Chain | None = None


def test_a_value_that_holds_itself_has_a_text() -> None:
    chain = Chain()
    chain.after = chain
    assert repr(chain) == "Chain(after=...)"


@ours.dataclass(frozen=True, slots=True)
class Own:
    name: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own) and self.name.lower() == other.name.lower()

    def __hash__(self) -> int:
        return hash(self.name.lower())

    def __repr__(self) -> str:
        return "own"


def test_methods_that_are_there_stay() -> None:
    assert Own("a") == Own("A")
    assert {Own("a")} == {Own("A")}
    assert repr(Own("a")) == "own"


def test_a_class_pattern() -> None:
    match Own("a"):
        case Own(name):
            assert name == "a"
