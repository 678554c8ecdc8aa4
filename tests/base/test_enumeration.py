"""The enumerations of this code beside the standard library's, which a type checker takes them for."""

from __future__ import annotations

import copy
import enum
import pickle
from typing import Any

import pytest

from whyload.base.enumeration import Enum, IntEnum


class Colour(Enum):
    RED = "red"
    """Of the rose."""
    BLUE = "blue"
    AZURE = "blue"

    @property
    def is_warm(self) -> bool:
        """A property is no member."""
        return self is Colour.RED


class StandardColour(enum.Enum):
    RED = "red"
    BLUE = "blue"
    AZURE = "blue"  # noqa: PIE796


class Size(IntEnum):
    SMALL = 1
    LARGE = 0x10


class StandardSize(enum.IntEnum):
    SMALL = 1
    LARGE = 0x10


PAIRS: list[tuple[Any, Any]] = [(Colour, StandardColour), (Size, StandardSize)]


@pytest.mark.parametrize(("ours", "standard"), PAIRS)
def test_members_are_those_of_the_standard_class(ours: Any, standard: Any) -> None:
    assert [(each.name, each.value) for each in ours] == [(each.name, each.value) for each in standard]
    assert list(ours.__members__) == list(standard.__members__)
    assert len(ours) == len(standard)
    for each in standard:
        assert ours(each.value) is ours[each.name] is getattr(ours, each.name)
        assert hash(ours(each.value)) == hash(ours[each.name])
        assert repr(ours(each.value)).replace("Colour", "StandardColour").replace("Size", "StandardSize") == repr(each)


@pytest.mark.parametrize("given", ["green", None, [], 7])
@pytest.mark.parametrize(("ours", "standard"), PAIRS)
def test_a_value_of_none_is_refused(ours: Any, standard: Any, given: object) -> None:
    with pytest.raises(ValueError, match="is not a valid Standard"):
        standard(given)
    with pytest.raises(ValueError, match=r"is not a valid (Colour|Size)"):
        ours(given)


@pytest.mark.parametrize("kind", [Colour, Size])
def test_a_member_is_the_only_one_of_its_value(kind: Any) -> None:
    for each in kind:
        assert copy.copy(each) is copy.deepcopy(each) is kind(each) is each
        assert pickle.loads(pickle.dumps(each)) is each
        assert each in kind
    colours: Any = Colour
    assert colours.AZURE is colours.BLUE
    assert colours.RED != colours.BLUE
    assert colours.RED.is_warm
    assert "is_warm" not in Colour.__members__


def test_a_number_is_one() -> None:
    assert {Size.LARGE: True}[16]  # type: ignore[index]
    assert Size.SMALL < Size.LARGE
    assert f"{Size.LARGE:#x} {Size.LARGE}" == "0x10 16"
    assert isinstance(Size.SMALL, int)


def test_a_member_is_not_replaced() -> None:
    with pytest.raises(AttributeError, match="RED"):
        Colour.RED = "pink"  # type: ignore[misc]
    with pytest.raises(KeyError):
        Colour["PINK"]
    with pytest.raises(AttributeError):
        Colour.PINK  # type: ignore[attr-defined] # noqa: B018
