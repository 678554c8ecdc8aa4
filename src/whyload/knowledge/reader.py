"""Reads the data files beside it, each at most once and only when something asks for it."""

from __future__ import annotations

import functools
import os
import sys

from whyload.knowledge.plain_toml import plain_tables

_MOST_PARTS = 100
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def toml_loads(text: str) -> dict[str, Any]:
    """The tables of any TOML text. Raises ValueError with the line where it is none, or is more than tables have to be:
    nested beyond what Python bears, or with keys of many parts, which take the square of their number to read.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    if any(_has_long_key(line) for line in text.splitlines() if line.count(".") >= _MOST_PARTS):
        raise ValueError(f"a key of more than {_MOST_PARTS} parts")
    try:
        tables: dict[str, Any] = tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return tables


def _has_long_key(line: str) -> bool:
    """Many bare or quoted words in a row, joined by dots."""
    run = 0
    for part in line.split("."):
        word = part.strip().strip("\"'")
        run = run + 1 if word.replace("-", "_").isidentifier() or word.isdigit() else 0
        if run > _MOST_PARTS:
            return True
    return False


@functools.cache
def data_text(name: str) -> str:
    """The text of `data/NAME`; works from a zip archive as well."""
    loader: Any = __spec__.loader
    data: bytes = loader.get_data(os.path.join(os.path.dirname(__file__), "data", name))  # noqa: PTH118, PTH120
    return data.decode("utf-8")


@functools.cache
def data_tables(name: str) -> dict[str, Any]:
    """The tables of `data/NAME.toml`."""
    return plain_tables(data_text(f"{name}.toml"), toml_loads)


@functools.cache
def data_names(name: str) -> frozenset[str]:
    """The lines of `data/NAME.txt`, without comments and empty lines."""
    lines = data_text(f"{name}.txt").splitlines()
    return frozenset([line for line in lines if line and line[0] != "#"])
