"""Frozen values as plain ones and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from whyload.base.enumeration import Enum
from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.base.values import ValueShapeError, plain, recorded, typed
from whyload.base.versions import FileVersion, PythonVersion


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    name: str
    version: FileVersion | None = None
    at: WinPath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    leaves: tuple[Leaf, ...] = ()
    colours: Mapping[str, Colour] = field(default_factory=dict)
    size: int | None = None
    python: PythonVersion | None = None
    share: float = 0.0
    dry: bool = False


WHOLE = Tree(
    leaves=(Leaf(name="a", version=FileVersion(14, 38), at=WinPath("C:/x")), Leaf(name="")),
    colours={"k": Colour.RED},
    size=3,
    python=PythonVersion(3, 13, True),
    share=0.5,
    dry=True,
)


def test_there_and_back_through_json() -> None:
    text = json.dumps(plain(WHOLE))
    assert json.loads(text)["leaves"][0] == {"name": "a", "version": "14.38.0.0", "at": "C:\\x"}
    assert typed(Tree, json.loads(text)) == WHOLE


def test_absent_and_unknown_keys() -> None:
    assert typed(Tree, {"novel": [1], "size": None, "leaves": [{"name": "a", "version": ""}]}) == Tree(
        leaves=(Leaf(name="a"),)
    )


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ([], "Tree: must be an object, not list"),
        ({"size": "3"}, "Tree.size: must be of type int, not str"),
        ({"size": True}, "Tree.size: must be of type int, not bool"),
        ({"leaves": [{"name": "a"}, {}]}, "Tree.leaves[1]: "),
        ({"colours": {"k": "blue"}}, "Tree.colours.k: 'blue' is no Colour"),
        ({"leaves": [{"name": "a", "version": "new"}]}, "Tree.leaves[0].version: 'new' is no FileVersion"),
        ({"leaves": [{"name": "a", "at": 3}]}, "Tree.leaves[0].at: must be a text, not int"),
    ],
)
def test_other_shapes_are_errors_that_name_the_place(given: object, place: str) -> None:
    with pytest.raises(ValueShapeError) as caught:
        typed(Tree, given)
    assert str(caught.value).startswith(place)


def test_what_has_no_plain_form() -> None:
    with pytest.raises(TypeError):
        plain(object())


@dataclass(frozen=True, slots=True, kw_only=True)
class Twig:
    name: str
    text: str | Message = ""
    maybe: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    below: tuple[Twig | Branch, ...] = ()
    pair: tuple[int, str] = (0, "")
    where: WinPath | None = None


TREE = Branch(
    below=(
        Twig(name="a", text=Message(en="one", zh="一")),
        Branch(below=(Twig(name="b", text="two", maybe=""),), where=WinPath("C:\\x"), pair=(3, "y")),
    )
)


def test_unions_of_classes_and_empty_texts_come_back() -> None:
    assert typed(Branch, recorded(TREE), exact=True) == TREE


def test_every_text_passes_through_the_function() -> None:
    found = json.dumps(recorded(TREE, str.upper))
    assert [word for word in ("A", "ONE", "B", "TWO", "C:\\\\X", "Y") if f'"{word}"' not in found] == []


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"below": [{"is": "Exploit"}]}, "below[0]"),
        ({"below": [{"name": "a"}]}, "below[0]"),
        ({"below": [{"is": "Twig"}]}, "below[0]"),
        ({"pair": [1]}, "pair"),
        ({"pair": [1, 2]}, "pair: must be of type str"),
        ({"below": [{"is": "Twig", "name": "a", "text": 7}]}, "text"),
    ],
)
def test_what_is_none_of_the_union_is_named(value: object, place: str) -> None:
    with pytest.raises(ValueShapeError) as caught:
        typed(Branch, value, exact=True)
    assert place in str(caught.value)
