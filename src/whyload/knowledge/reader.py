"""Reads the data files beside it, each at most once and only when something asks for it."""

from __future__ import annotations

import functools
import os
import sys

from whyload.knowledge.plain_toml import plain_tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def toml_loads(text: str) -> dict[str, Any]:
    """The tables of any TOML text. Raises ValueError with the line where it is none."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    tables: dict[str, Any] = tomllib.loads(text)
    return tables


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
    lines = (line.strip() for line in data_text(f"{name}.txt").splitlines())
    return frozenset(line for line in lines if line and not line.startswith("#"))
