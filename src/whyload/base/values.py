"""Frozen values as plain ones (what JSON can hold) and back, by their types.

Dataclasses and mappings become objects, tuples lists, enums their values, paths and versions texts. Reading demands the
types that are declared; a key that a type does not have is ignored, one that is absent takes the default, and where
None is allowed an empty text stands for it.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import importlib
import sys
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from whyload.base.enumeration import Enum
from whyload.base.message import Message, message
from whyload.base.paths import WinPath
from whyload.base.versions import FileVersion, PythonVersion, parse_file_version, parse_python_version

_T = TypeVar("_T")


class ValueShapeError(ValueError):
    """A plain value is not of the shape that its type demands; `said` names the place, `str` is it in English."""

    def __init__(self, place: str, why: Message) -> None:
        self.said = Message(en=f"{place}: {why.en}", zh=f"{place}：{why.zh}")
        super().__init__(self.said.en)


_OBJECT = Message(en="an object", zh="对象")
_LIST = Message(en="a list", zh="列表")
_TEXT = Message(en="a text", zh="字符串")
_LONGEST_REASON = 300
"""Characters of what is wrong with a value, which may quote it."""


def shape_error(error: Exception) -> Message:
    """What is wrong with values that come from elsewhere, cut to a length that can be shown."""
    said = error.said if isinstance(error, ValueShapeError) else message(str(error))
    return Message(en=said.en[:_LONGEST_REASON], zh=said.zh[:_LONGEST_REASON])


def plain(value: object) -> Any:
    """`value` as None, bool, int, float, str, list and dict."""
    if value is None or isinstance(value, bool | float | str):
        return value
    if isinstance(value, Enum):
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


def recorded(value: object, text: Callable[[str], str] = str) -> Any:
    """The same, to be kept: `text` is applied to every text, a dataclass says under `is` which one it is, and what has
    its default is left out.
    """
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str | WinPath):
        return text(str(value))
    if dataclasses.is_dataclass(value):
        kind: Any = type(value)
        items = ((name, getattr(value, name), default) for name, default in _defaults(kind).items())
        kept = {name: recorded(item, text) for name, item, default in items if not _same(item, default)}
        return {"is": kind.__name__, **kept}
    if isinstance(value, Mapping):
        return {text(str(name)): recorded(item, text) for name, item in value.items()}
    if isinstance(value, FileVersion | PythonVersion) or not isinstance(value, tuple | list):
        return plain(value)
    return [recorded(item, text) for item in value]


@functools.cache
def _defaults(kind: Any) -> dict[str, object]:
    """Default of each field; a factory's product counts, a field without either has the class itself."""
    return {field.name: _default(field, kind) for field in dataclasses.fields(kind)}


def _same(item: object, default: object) -> bool:
    return item is default or (type(item) is type(default) and item == default)


def _default(field: dataclasses.Field[Any], kind: object) -> object:
    if field.default is not dataclasses.MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not dataclasses.MISSING else kind


def typed(kind: type[_T], value: object, place: str = "", *, exact: bool = False) -> _T:
    """The value of type `kind` in what `plain` or `recorded` made. Raises ValueShapeError, which names the place.

    Dataclasses and unions of them, tuples, mappings with texts as keys, enums, paths, versions, and unions with None.
    With `exact` an empty text is a text also where None is allowed.
    """
    made: _T = _Reading(exact).value(kind, value, place or kind.__name__)
    return made


class _Reading:
    """Reads plain values; `exact` as for `typed`."""

    def __init__(self, exact: bool) -> None:
        self._exact = exact

    def value(self, kind: Any, value: object, place: str) -> Any:
        origin, arguments = _shape(kind)
        if origin is None:
            if dataclasses.is_dataclass(kind):
                return self._dataclass(kind, _checked(value, dict, _OBJECT, place), place)
            return _scalar(kind, value, place)
        if origin is types.UnionType:
            return self._union(arguments, value, place)
        if origin is tuple:
            return self._tuple(arguments, _checked(value, list, _LIST, place), place)
        table = _checked(value, dict, _OBJECT, place)
        return {name: self.value(arguments[1], item, f"{place}.{name}") for name, item in table.items()}

    def _union(self, members: tuple[Any, ...], value: object, place: str) -> Any:
        if type(None) in members and (value is None or (value == "" and not self._exact)):
            return None
        kinds = [item for item in members if item is not type(None)]
        if len(kinds) == 1 or (str in kinds and type(value) is str):
            return self.value(kinds[0] if len(kinds) == 1 else str, value, place)
        name = _checked(value, dict, _OBJECT, place).get("is")
        kind = next((item for item in kinds if item.__name__ == name), None)
        if kind is None:
            raise _not_one_of(place, name, [item.__name__ for item in kinds])
        return self.value(kind, value, place)

    def _tuple(self, kinds: tuple[Any, ...], items: list[object], place: str) -> tuple[Any, ...]:
        if kinds[1:] == (...,):
            return tuple([self.value(kinds[0], item, f"{place}[{index}]") for index, item in enumerate(items)])
        if len(items) != len(kinds):
            raise ValueShapeError(
                place,
                Message(
                    en=f"must have {len(kinds)} items, not {len(items)}",
                    zh=f"应有 {len(kinds)} 项，而不是 {len(items)} 项",
                ),
            )
        return tuple([self.value(kind, item, place) for kind, item in zip(kinds, items, strict=True)])

    def _dataclass(self, kind: Any, table: dict[str, object], place: str) -> Any:
        hints = hints_of(kind)
        given = {name: self.value(hints[name], table[name], f"{place}.{name}") for name in hints if name in table}
        try:
            return kind(**given)
        except TypeError as error:
            raise _lacking(place, kind, given, error) from None


@functools.cache
def _shape(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    """What a generic type is made of: tuple, Mapping or a union (UnionType), and its arguments."""
    origin = typing.get_origin(kind)
    return types.UnionType if origin is typing.Union else origin, typing.get_args(kind)


@functools.cache
def hints_of(kind: Any) -> dict[str, Any]:
    """The types of a dataclass' fields by name, also those that its module imports for type checkers only."""
    names: dict[str, Any] = {}
    while True:
        try:
            hints = typing.get_type_hints(kind, localns=names)
        except NameError as error:
            if error.name in names:
                raise
            names[str(error.name)] = _imported_for_checkers(kind.__module__, error.name)
            continue
        return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def _imported_for_checkers(module: str, name: str | None) -> Any:
    """What the name stands for: where `from … import name` says that it comes from."""
    loader: Any = sys.modules[module].__loader__
    for node in ast.walk(ast.parse(loader.get_source(module) or "")):
        if isinstance(node, ast.ImportFrom) and node.module and any(alias.name == name for alias in node.names):
            return getattr(importlib.import_module(node.module), str(name))
    raise NameError(f"name {name!r} is not defined in {module}", name=str(name))


def _scalar(kind: Any, value: object, place: str) -> Any:
    if kind in (int, float, str, bool):
        if kind is float and type(value) is int:
            return float(value)
        return _checked(value, kind, Message(en=f"of type {kind.__name__}", zh=f" {kind.__name__} 类型"), place)
    if kind is object:
        return _anything(value, place)
    if issubclass(kind, Enum):
        try:
            return kind(value)
        except ValueError:
            raise _no_such(place, value, kind) from None
    text = _checked(value, str, _TEXT, place)
    made = _READERS[kind](text)
    if made is None:
        raise _no_such(place, text, kind)
    return made


def _anything(value: object, place: str) -> object:
    """A text, a number, None, or a tuple of texts."""
    if isinstance(value, list):
        return tuple(_checked(item, str, _TEXT, f"{place}[{index}]") for index, item in enumerate(value))
    if isinstance(value, dict):
        raise ValueShapeError(place, Message(en="must be no object", zh="不能是对象"))
    return value


_READERS: dict[Any, Callable[[str], object]] = {
    WinPath: WinPath,
    FileVersion: parse_file_version,
    PythonVersion: parse_python_version,
}


def _checked(value: object, kind: Any, wanted: Message, place: str) -> Any:
    if type(value) is not kind:
        name = type(value).__name__
        raise ValueShapeError(
            place, Message(en=f"must be {wanted.en}, not {name}", zh=f"应为{wanted.zh}，而不是 {name}")
        )
    return value


def _lacking(place: str, kind: Any, given: Mapping[str, object], error: TypeError) -> ValueShapeError:
    """The keys that are not there although they have to be."""
    unset = dataclasses.MISSING
    wanted = [each.name for each in dataclasses.fields(kind) if each.default is unset and each.default_factory is unset]
    names = [name for name in wanted if name not in given]
    if not names:
        return ValueShapeError(place, message(str(error)))
    return ValueShapeError(place, Message(en=f"lacks {', '.join(names)}", zh=f"缺少 {'、'.join(names)}"))


def _no_such(place: str, value: object, kind: type) -> ValueShapeError:
    return ValueShapeError(place, Message(en=f"{value!r} is no {kind.__name__}", zh=f"{value!r} 不是 {kind.__name__}"))


def _not_one_of(place: str, name: object, known: list[str]) -> ValueShapeError:
    return ValueShapeError(
        place,
        Message(en=f"{name!r} is none of {', '.join(known)}", zh=f"不能是 {name!r}，只能是 {'、'.join(known)} 之一"),
    )
