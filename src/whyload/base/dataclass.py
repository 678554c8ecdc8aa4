"""`dataclass`, `field` and `replace` as the standard library has them, at a tenth of their price for a short program.

Source of truth: Python's documentation of `dataclasses`; this is the part of it that the values of this code use. The
standard module costs 15 ms to import (`inspect`, `ast`, `dis`), and half a millisecond for every class, because it
writes and compiles up to seven methods for each. Here equality, hash and text are shared functions, and `__init__` is
compiled when more than a few instances are made. To a type checker these *are* the standard functions, and to
`dataclasses.fields` and its kin the classes are data classes like any other.
"""

from __future__ import annotations

from operator import attrgetter
from reprlib import recursive_repr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from dataclasses import dataclass, field, replace
    from typing import Any

__all__ = ["dataclass", "field", "replace"]

_NOTHING: Any = object()
_FEW = 24
"""Instances before compiling pays: that takes as long as filling a hundred, and most classes have one or two."""


class _Field:
    """One field; `default` and `factory` are `_NOTHING` where there is none."""

    __slots__ = ("default", "factory", "is_shown", "name")

    def __init__(self, name: str, default: Any, factory: Any, is_shown: bool) -> None:
        self.name, self.default, self.factory, self.is_shown = name, default, factory, is_shown


def _dataclass(*, frozen: bool = False, slots: bool, kw_only: bool = False, eq: bool = True) -> Callable[[type], type]:
    """A decorator that makes a class with slots out of annotated names; it must say `slots=True`."""
    assert slots
    return lambda cls: _with_init(_with_slots(cls, frozen, kw_only, eq), cls.__qualname__, frozen, kw_only)


def _field(*, default: Any = _NOTHING, default_factory: Any = _NOTHING, repr: bool = True) -> _Field:
    """A field with a default, with a function that makes one, or that is left out of the instance's text."""
    return _Field("", default, default_factory, repr)


def _replace(instance: Any, /, **changes: Any) -> Any:
    """A copy of an instance with some fields changed."""
    for each in instance.__fields__:
        if each.name not in changes:
            changes[each.name] = getattr(instance, each.name)
    return type(instance)(**changes)


def _with_slots(cls: Any, frozen: bool, kw_only: bool, eq: bool) -> type:
    """The class made once more: slots can only be given at birth, and are no place for defaults."""
    namespace = dict(cls.__dict__)
    own = [_declared(name, namespace.pop(name, _NOTHING)) for name in cls.__annotations__]
    inherited = {each.name: each for base in cls.__mro__[:0:-1] for each in base.__dict__.get("__fields__", ())}
    fields = inherited | {each.name: each for each in own}
    namespace.pop("__dict__", None)
    namespace.pop("__weakref__", None)
    namespace["__slots__"] = tuple(each.name for each in own if each.name not in inherited)
    namespace["__fields__"] = tuple(fields.values())
    namespace["__match_args__"] = () if kw_only else tuple(fields)
    namespace["__dataclass_fields__"] = _STANDARD_FIELDS
    namespace.setdefault("__repr__", _text)
    if eq:
        namespace["__values__"] = attrgetter(*fields) if fields else _no_values
        if "__eq__" not in namespace and "__hash__" not in namespace:
            namespace["__hash__"] = _hash if frozen else None
        namespace.setdefault("__eq__", _is_equal)
    if frozen:
        namespace |= _FROZEN
    made: type = type(cls)(cls.__name__, cls.__bases__, namespace)
    return made


def _declared(name: str, given: Any) -> _Field:
    if type(given) is _Field:
        given.name = name
        return given
    return _Field(name, given, _NOTHING, True)


def _with_init(cls: Any, qualname: str, frozen: bool, kw_only: bool) -> type:
    """The class with an `__init__` that fills the first few instances field by field, and then, or where the arguments
    are no plain names and values, puts a compiled one in its own place.
    """
    left = _FEW

    def first(self: Any, *args: Any, **kwargs: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0 or args or not _is_filled(self, cls, kwargs):
            cls.__init__ = _compiled(cls, frozen, kw_only)
            cls.__init__(self, *args, **kwargs)

    cls.__qualname__ = qualname
    if "__init__" not in cls.__dict__:
        cls.__init__ = first
    made: type = cls
    return made


def _is_filled(self: Any, cls: Any, given: dict[str, Any]) -> bool:
    """Every field set, past the `__setattr__` that may refuse; False for a field without a value, and for a value that
    is none of them: what a call says then is for the compiled function to say.
    """
    used = 0
    for each in cls.__fields__:
        value = given.get(each.name, _NOTHING)
        if value is not _NOTHING:
            used += 1
        elif each.factory is not _NOTHING:
            value = each.factory()
        elif each.default is not _NOTHING:
            value = each.default
        else:
            return False
        getattr(cls, each.name).__set__(self, value)
    if used < len(given):
        return False
    if hasattr(cls, "__post_init__"):
        self.__post_init__()
    return True


def _compiled(cls: Any, frozen: bool, kw_only: bool) -> Any:
    """`__init__`: a frozen instance is filled through its slots, past the `__setattr__` that refuses."""
    known: dict[str, Any] = {"_NOTHING": _NOTHING}
    parameters, lines = ["self", "*"] if kw_only and cls.__fields__ else ["self"], []
    for number, each in enumerate(cls.__fields__):
        name = value = each.name
        default = ""
        if each.factory is not _NOTHING:
            known[f"_make{number}"] = each.factory
            default, value = "=_NOTHING", f"_make{number}() if {name} is _NOTHING else {name}"
        elif each.default is not _NOTHING:
            known[f"_default{number}"] = each.default
            default = f"=_default{number}"
        known[f"_set{number}"] = getattr(cls, name).__set__
        parameters.append(name + default)
        lines.append(f" _set{number}(self, {value})" if frozen else f" self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append(" self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n" + ("\n".join(lines) or " pass"), known)
    known["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
    return known["__init__"]


@recursive_repr()
def _text(self: Any) -> str:
    shown = (f"{each.name}={getattr(self, each.name)!r}" for each in self.__fields__ if each.is_shown)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _no_values(_instance: Any) -> tuple[()]:
    return ()


def _is_equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    values = self.__values__
    return values(self) == values(other)


def _hash(self: Any) -> int:
    return hash(self.__values__(self))


def _refuse(_self: Any, name: str, *_value: object) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot change field {name!r}")


def _state(self: Any) -> list[object]:
    return [getattr(self, each.name) for each in self.__fields__]


def _take_state(self: Any, state: Iterable[object]) -> None:
    for each, value in zip(self.__fields__, state, strict=True):
        object.__setattr__(self, each.name, value)


_FROZEN = {"__setattr__": _refuse, "__delattr__": _refuse, "__getstate__": _state, "__setstate__": _take_state}


class _StandardFields:
    """What the standard module knows a data class by, made when it asks."""

    def __get__(self, _instance: object, cls: Any) -> dict[str, Any]:
        return {each.name: _standard(each) for each in cls.__fields__}


_STANDARD_FIELDS = _StandardFields()


def _standard(each: _Field) -> Any:
    import dataclasses

    given: dict[str, Any] = {"repr": each.is_shown}
    if each.default is not _NOTHING:
        given["default"] = each.default
    if each.factory is not _NOTHING:
        given["default_factory"] = each.factory
    known: Any = dataclasses.field(**given)
    known.name, known._field_type = each.name, getattr(dataclasses, "_FIELD")  # noqa: B009 - it is not public
    return known


if not TYPE_CHECKING:
    dataclass, field, replace = _dataclass, _field, _replace
