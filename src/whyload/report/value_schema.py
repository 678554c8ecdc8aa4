"""The JSON schema of a frozen value, from the types that it declares (see `base/values.py` for the plain form)."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any

from whyload.base.enumeration import Enum
from whyload.base.paths import WinPath
from whyload.base.versions import FileVersion, PythonVersion
from whyload.report.json_shapes import choice, closed, list_of

_PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    WinPath: {"type": "string"},
    FileVersion: {"type": "string"},
    PythonVersion: {"type": "string"},
}


def schema_of(kind: Any) -> dict[str, Any]:
    """The closed schema of what `plain` makes of a value of that type."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind in _PLAIN:
        return _PLAIN[kind]
    if origin in (typing.Union, types.UnionType):
        shapes = [schema_of(item) for item in arguments if item is not type(None)]
        return {"anyOf": [*shapes, {"type": "null"}]} if type(None) in arguments else {"anyOf": shapes}
    if origin is tuple:
        return list_of(schema_of(arguments[0]))
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": schema_of(arguments[1])}
    if issubclass(kind, Enum):
        return choice(kind)
    hints = typing.get_type_hints(kind)
    return closed({item.name: schema_of(hints[item.name]) for item in dataclasses.fields(kind)})
