"""The quick reader of data files against the general one: the same tables for every file, and for odd ones."""

from __future__ import annotations

from pathlib import Path

import pytest

import whyload.knowledge
from whyload.knowledge.plain_toml import plain_tables
from whyload.knowledge.reader import toml_loads

DATA = Path(whyload.knowledge.__file__).parent / "data"


@pytest.mark.parametrize("name", sorted(path.name for path in DATA.glob("*.toml")))
def test_every_data_file_is_plain(name: str) -> None:
    text = (DATA / name).read_text(encoding="utf-8")
    assert plain_tables(text, toml_loads) == toml_loads(text)


@pytest.mark.parametrize(
    "value",
    [
        '"a"',
        '""',
        "''",
        "'C:\\dir'",
        r'"a\"b"',
        r'"a\tb"',
        r'"a\U0001F600"',
        '"it\'s"',
        "'say \"x\"'",
        '"a" # why',
        '"a" # "b"',
        "0x1F",
        "1_000",
        "-7",
        "1.5",
        "true",
        "[]",
        "[1, 2, ]",
        "['a', \"b\"]",
        '[\n  "a",\n  "b",\n]',
        '[\n  ["a", 1],\n  ["b", 2]\n]',
        "[\n  'a', # why\n]",
        "[\n]",
        '{ a = "b", c = [1] }',
        "1979-05-27",
    ],
)
def test_values(value: str) -> None:
    text = f"first = 1\n[[rows]]\nkey = {value}\n\n[[rows]]\n[rows.below]\nkey = {value}\n[one.two]\nx = 1\n"
    assert plain_tables(text, toml_loads) == toml_loads(text)
