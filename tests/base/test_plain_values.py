"""Frozen values as plain ones and back."""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from whyload.base.paths import WinPath
from whyload.base.values import ValueShapeError, plain, typed
from whyload.base.versions import FileVersion, PythonVersion


class Colour(enum.Enum):
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
