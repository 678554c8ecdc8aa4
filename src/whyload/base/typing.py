"""The names of `typing` that ordinary code is written with; to a type checker they *are* the standard library's.

Source of truth: Python's documentation of `typing`. Importing that costs 3 ms, and each named tuple another half. At
run time annotations are never looked at, so most names mean nothing here; a named tuple is a tuple with C-made getters
whose `__new__` is compiled when the first one is made.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Final, NamedTuple, NoReturn, Protocol, TypeAlias, TypeVar

__all__ = ["IO", "TYPE_CHECKING", "Any", "Final", "NamedTuple", "NoReturn", "Protocol", "TypeAlias", "TypeVar"]

if not TYPE_CHECKING:
    from collections import _tuplegetter

    IO = Any = Final = NoReturn = Protocol = TypeAlias = object

    def TypeVar(name, **_bounds):  # noqa: N802 - the standard name
        """A variable for a type."""
        return name

    class _NamedTupleType(type):
        def __new__(meta, name, bases, namespace):
            namespace["__slots__"] = ()
            cls = super().__new__(meta, name, bases, namespace)
            if bases != (tuple,):
                _name_items(cls)
            return cls

    def _name_items(cls):
        names = tuple(cls.__annotations__)
        defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
        for index, name in enumerate(names):
            setattr(cls, name, _tuplegetter(index, None))

        def first(given, *args, **kwargs):
            cls.__new__ = staticmethod(_new(names, defaults))
            return cls.__new__(given, *args, **kwargs)

        cls._fields = cls.__match_args__ = names
        cls._field_defaults = defaults
        cls.__new__ = staticmethod(first)

    def _new(names, defaults):
        known = {f"_default_{name}": value for name, value in defaults.items()}
        known["_made"] = tuple.__new__
        given = ", ".join(f"{name}=_default_{name}" if name in defaults else name for name in names)
        exec(f"def __new__(_cls, {given}):\n return _made(_cls, ({', '.join(names)},))", known)
        return known["__new__"]

    class NamedTuple(tuple, metaclass=_NamedTupleType):
        """A tuple whose items have names: the annotated names of the class, in their order."""

        def __repr__(self):
            items = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({', '.join(items)})"

        def __getnewargs__(self):
            return tuple(self)

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def _replace(self, **changes):
            return type(self)(**{**self._asdict(), **changes})
