"""Regular expressions that are compiled when they are first used.

Source of truth: Python's documentation of `re.compile`. Compiling one takes 50 to 500 us, and of those that stand in
the modules of a program most are never asked; `re` itself takes 3 ms to import. To a type checker they *are* compiled.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import compile as regular
    from typing import Any

__all__ = ["regular"]

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")


class _Regular:
    """Takes its methods from the compiled expression when one of them is first asked for."""

    __slots__ = ("_given", *_METHODS)

    def __init__(self, *given: Any) -> None:
        self._given = given

    def __getattr__(self, name: str) -> Any:
        import re

        compiled = re.compile(*self._given)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


if not TYPE_CHECKING:
    regular = _Regular
