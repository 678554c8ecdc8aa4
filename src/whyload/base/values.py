"""Frozen values as plain ones (what JSON can hold) and back, by their types.

Dataclasses and mappings become objects, tuples lists, enums their values, paths and versions texts. Reading demands the
types that are declared; a key that a type does not have is ignored, one that is absent takes the default, and where
None is allowed an empty text stands for it.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import types
import typing
from collections.abc import Mapping
from typing import Any, TypeVar

from whyload.base.paths import WinPath
from whyload.base.versions import FileVersion, PythonVersion, parse_file_version, parse_python_version

_T = TypeVar("_T")


class ValueShapeError(ValueError):
    """A plain value is not of the shape that its type demands; the text names the place."""


def plain(value: object) -> Any:
    """`value` as None, bool, int, float, str, list and dict."""
    if value is None or isinstance(value, bool | float | str):
        return value
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, WinPath | FileVersion | PythonVersion):
        return str(value)
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, tuple | list | frozenset | set):
        return [plain(item) for item in (sorted(value) if isinstance(value, frozenset | set) else value)]
    raise TypeError(f"{type(value).__name__} has no plain form")


def typed(kind: type[_T], value: object, place: str = "") -> _T:
    """The value of type `kind` in what `plain` made. Raises ValueShapeError, which names the place.

    Dataclasses, tuples of one kind, mappings with texts as keys, enums, paths, versions, and unions with None.
    """
    made: _T = _typed(kind, value, place or kind.__name__)
    return made


def _typed(kind: Any, value: object, place: str) -> Any:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        inner = [item for item in arguments if item is not type(None)]
        return None if value in (None, "") else _typed(inner[0], value, place)
    if origin is tuple:
        items = _checked(value, list, "a list", place)
        return tuple(_typed(arguments[0], item, f"{place}[{index}]") for index, item in enumerate(items))
    if origin is not None and issubclass(origin, Mapping):
        table = _checked(value, dict, "an object", place)
        return {name: _typed(arguments[1], item, f"{place}.{name}") for name, item in table.items()}
    if dataclasses.is_dataclass(kind):
        return _dataclass(kind, _checked(value, dict, "an object", place), place)
    return _scalar(kind, value, place)


def _dataclass(kind: Any, table: dict[str, object], place: str) -> Any:
    hints = _hints(kind)
    given = {name: _typed(hints[name], table[name], f"{place}.{name}") for name in hints if name in table}
    try:
        return kind(**given)
    except TypeError as error:
        raise ValueShapeError(f"{place}: {error}") from None


@functools.cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def _scalar(kind: Any, value: object, place: str) -> Any:
    if kind in (int, float, str, bool):
        if kind is float and type(value) is int:
            return float(value)
        return _checked(value, kind, f"of type {kind.__name__}", place)
    if issubclass(kind, enum.Enum):
        try:
            return kind(value)
        except ValueError:
            raise ValueShapeError(f"{place}: {value!r} is no {kind.__name__}") from None
    text = _checked(value, str, "a text", place)
    made = _READERS[kind](text)
    if made is None:
        raise ValueShapeError(f"{place}: {text!r} is no {kind.__name__}")
    return made


_READERS: dict[Any, typing.Callable[[str], object]] = {
    WinPath: WinPath,
    FileVersion: parse_file_version,
    PythonVersion: parse_python_version,
}


def _checked(value: object, kind: Any, wanted: str, place: str) -> Any:
    if type(value) is not kind:
        raise ValueShapeError(f"{place}: must be {wanted}, not {type(value).__name__}")
    return value
