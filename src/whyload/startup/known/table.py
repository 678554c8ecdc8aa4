"""How functions of the standard library are registered."""

from __future__ import annotations

from collections.abc import Callable

from whyload.base.typing import TYPE_CHECKING, Final, Protocol, TypeAlias
from whyload.startup.values import UNKNOWN, PathValue, Value

if TYPE_CHECKING:
    from whyload.startup.reader import Reader


class Native(Protocol):
    """What a known function does when it is called."""

    def __call__(self, reader: Reader, args: list[Value], keywords: dict[str, Value], /) -> Value:
        """The value of the call; events go to the reader."""


Table: TypeAlias = dict[str, Native]

ALIASES: Final = {
    "ntpath": "os.path",
    "posixpath": "os.path",
    "nt": "os",
    "_ctypes": "ctypes",
    "importlib._bootstrap": "importlib",
    "importlib_metadata": "importlib.metadata",
}


def register(table: Table, *names: str) -> Callable[[Native], Native]:
    """Decorator: the function stands for these names."""

    def add(function: Native) -> Native:
        for name in names:
            table[name] = function
        return function

    return add


def argument(args: list[Value], keywords: dict[str, Value], index: int, name: str, default: Value = UNKNOWN) -> Value:
    """An argument by position or name."""
    if index < len(args):
        return args[index]
    return keywords.get(name, default)


def path_text(reader: Reader, value: Value) -> str | None:
    """A path argument as text; None where it is not known."""
    value = reader.plain(value)
    if isinstance(value, PathValue):
        return value.text
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) else None
