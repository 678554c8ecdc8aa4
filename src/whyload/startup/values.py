"""What the reader knows of a value: a constant of Python, one of the kinds below, or `UNKNOWN`.

Strings, bytes, numbers, None and tuples stand for themselves. Everything that changes lives in a dict that only `Store`
writes, so that the two sides of a condition can be read one after the other and joined.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from whyload.base.dataclass import dataclass, field
from whyload.base.typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from whyload.startup.modules import Module
    from whyload.startup.tree import AttemptNode, Lineage, LoadNode

Value: TypeAlias = Any
"""Any of the kinds described above; the reader tests what it got before it uses it."""
Namespace: TypeAlias = dict[Any, Any]


class Unknown:
    """The one value that nothing is known of."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()
MISSING: Final = Unknown()
"""No value at all: an unbound name."""


@dataclass(slots=True, eq=False)
class Fork:
    """A value that depends on whether an attempt succeeded."""

    node: AttemptNode
    ok: Value
    failed: Value


@dataclass(slots=True, eq=False)
class LastError:
    """The Windows error of a load, as GetLastError or `OSError.winerror` gives it after a failure."""

    node: AttemptNode


@dataclass(slots=True, eq=False)
class ErrorTest:
    """`error == code` (or `!=`) for the Windows error of an attempt that failed."""

    node: AttemptNode
    code: int
    equal: bool


@dataclass(slots=True, eq=False)
class ListValue:
    """A list or set; its items are a tuple in `cell["items"]`."""

    cell: Namespace
    is_set: bool = False

    @property
    def items(self) -> tuple[Value, ...]:
        """What it holds now; nothing where that is not known or depends on an attempt (see `Reader.items`)."""
        items = self.cell["items"]
        return items if isinstance(items, tuple) else ()


def new_list(items: tuple[Value, ...] | list[Value], *, is_set: bool = False) -> ListValue:
    """A fresh list of `items`."""
    return ListValue({"items": bounded(tuple(items))}, is_set)


def bounded(items: tuple[Value, ...]) -> Value:
    """The items of a list; UNKNOWN where there are more than any start-up needs."""
    return items if len(items) <= LONGEST else UNKNOWN


@dataclass(slots=True, eq=False)
class DictValue:
    """A dict: its own, or the live variables of a scope."""

    names: Namespace
    partial: bool = False
    """True where it may have keys that are not known."""


@dataclass(slots=True, frozen=True)
class PathValue:
    """A pathlib path."""

    text: str


@dataclass(slots=True, frozen=True)
class Known:
    """A name of the standard library, such as `os.path.join`; what it does is in the tables of startup.natives."""

    name: str


@dataclass(slots=True, eq=False)
class Scope:
    """The variables of one function call or of a class body, and the scopes around it."""

    names: Namespace
    module: Module
    outer: tuple[Namespace, ...] = ()


@dataclass(slots=True, eq=False)
class FunctionValue:
    """A function of the source that is being read."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    module: Module
    outer: tuple[Namespace, ...]
    name: str
    decorators: tuple[str, ...] = ()
    defaults: Namespace = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class ClassValue:
    """A class of the source that is being read."""

    name: str
    bases: tuple[Value, ...]
    names: Namespace
    module: Module
    is_stub: bool = False
    """True where its body was left out."""


@dataclass(slots=True, eq=False)
class Instance:
    """An object of a ClassValue."""

    kind: ClassValue
    names: Namespace


@dataclass(slots=True, eq=False)
class Super:
    """`super()` in a method: the bases of the class that defines it, for the object it was called on."""

    kind: ClassValue
    receiver: Value


@dataclass(slots=True, eq=False)
class Bound:
    """A method with its object, or a method of a built-in type with the value it belongs to."""

    receiver: Value
    function: Value


@dataclass(slots=True, eq=False)
class BuiltinMethod:
    """A method of a value that the reader knows the type of."""

    receiver: Value
    name: str


@dataclass(slots=True, eq=False)
class LibraryValue:
    """A library that ctypes or cffi opened; `loads` is empty for one that is not followed."""

    name: str
    load: LoadNode | None = None
    names: Namespace = field(default_factory=dict)
    """Attributes that the program gave it, or that its class has: no functions of the library."""


@dataclass(slots=True, eq=False)
class LibraryFunction:
    """A function of a library."""

    library: LibraryValue
    name: str


@dataclass(slots=True, eq=False)
class ErrorClass:
    """An exception class: built in, or of the source."""

    lineage: Lineage


@dataclass(slots=True, eq=False)
class ErrorValue:
    """An exception; `node` is the attempt whose failure it stands for."""

    lineage: Lineage
    text: str | None = None
    module: str | None = None
    node: AttemptNode | None = None


@dataclass(slots=True, eq=False)
class ModuleValue:
    """A module that is not part of the standard library."""

    module: Module


@dataclass(slots=True, eq=False)
class Later:
    """A value that is worked out only when something depends on it."""

    work: Callable[[], Value]
    origin: Module | None = None
    """The module that was passed by and has the value."""
    result: Value = MISSING
    name: str = ""
    """The value's name in that module."""


@dataclass(slots=True, eq=False)
class Folder:
    """What os.add_dll_directory returns."""

    path: str


@dataclass(slots=True, eq=False)
class OpenFile:
    """A text file opened for reading."""

    path: str


@dataclass(slots=True, eq=False)
class FolderFinder:
    """importlib.machinery.FileFinder(…)."""

    path: str


@dataclass(slots=True, eq=False)
class Coroutine:
    """A call of an `async def` function, which runs when it is awaited."""

    function: FunctionValue
    args: list[Value]
    keywords: dict[str, Value]
    exact: bool


@dataclass(slots=True, eq=False)
class FileStatus:
    """What `os.stat` returns, as far as it is known: the size of a file in bytes."""

    size: Value


@dataclass(slots=True, eq=False)
class Suppress:
    """contextlib.suppress(…)."""

    names: tuple[str, ...]


@dataclass(slots=True, eq=False)
class Spec:
    """What importlib.util.find_spec returns."""

    name: str
    origin: str | None
    locations: tuple[str, ...] | None


LONGEST: Final = 1 << 16
"""The longest text or list that is kept."""
_LARGEST_CONSTANT = 4096
CONSTANTS: Final = (str, bytes, int, float, complex, bool, type(None), type(Ellipsis))


def is_constant(value: Value) -> bool:
    """True for a plain constant of Python, tuples of such included (up to a size)."""
    if not isinstance(value, tuple):
        return isinstance(value, CONSTANTS)
    waiting: list[Value] = [value]
    for _ in range(_LARGEST_CONSTANT):
        if not waiting:
            return True
        item = waiting.pop()
        if isinstance(item, tuple):
            waiting.extend(item[:_LARGEST_CONSTANT])
        elif not isinstance(item, CONSTANTS):
            return False
    return not waiting


def same(left: Value, right: Value) -> bool:
    """True where two values are surely one and the same."""
    if left is right:
        return True
    if isinstance(left, (Known, PathValue)) or is_constant(left):
        return type(left) is type(right) and bool(left == right)
    if isinstance(left, ListValue) and isinstance(right, ListValue):
        return left.cell is right.cell
    if isinstance(left, ModuleValue) and isinstance(right, ModuleValue):
        return left.module is right.module
    return False
