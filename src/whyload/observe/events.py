"""Events of a program's start-up, in order.

`observe` records them from a real run, `startup` reads them from source. Whoever plays them starts at the first and
goes on until an error is not caught.
"""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.enumeration import Enum
from whyload.base.typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.base.typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A line of source code; `file` is None for `-c` code."""

    file: WinPath | None
    line: int


class Via(Enum):
    """How a program asks for a library."""

    IMPORT = "import"
    """An extension module, by full path: flags 0x1100 (0x8 before Python 3.8); failure is an ImportError."""
    CTYPES = "ctypes"
    """ctypes.CDLL and its kin; failure is an OSError (FileNotFoundError for 126)."""
    LOADLIBRARY = "LoadLibrary"
    """A direct call of LoadLibrary(Ex)W; failure becomes what the program makes of it, an OSError by default."""
    FIND_LIBRARY = "ctypes.util.find_library"
    """No call of the loader: the program looked for the file in PATH, and asks for none that it did not find."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleStarted:
    """A Python module's own code starts (source, bytecode or built in)."""

    module: str
    file: WinPath | None
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryLoad:
    """A library is asked for."""

    name: str
    """As passed to the loader: an absolute path, a relative path or a bare name."""
    via: Via
    flags: int
    module: str | None = None
    """Dotted module name for `Via.IMPORT`."""
    place: Place | None = None
    symbols: tuple[str, ...] = ()
    """Functions that the Python code asks of the library right afterwards (an AttributeError where one is absent)."""
    is_likely: bool = False
    """It is likely, not sure, that the program comes to this call in the state that the events before it give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LibrarySought:
    """ctypes.util.find_library walked PATH for a library and found none (R3.22): no call of the loader, no error."""

    name: str
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryAdded:
    """os.add_dll_directory / AddDllDirectory."""

    path: WinPath
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryRemoved:
    """The added folder is taken back (close(), end of a with block)."""

    path: WinPath


@dataclass(frozen=True, slots=True, kw_only=True)
class DllDirectorySet:
    """SetDllDirectoryW(path); None takes it back."""

    path: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultDirectoriesSet:
    """SetDefaultDllDirectories(flags), which nothing takes back."""

    flags: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentChanged:
    """A variable of the process is set, or removed where `value` is None."""

    name: str
    value: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """Python code raises without any library being at fault by itself (no such module, `raise ImportError(...)`)."""

    exception: str
    """Class name, such as `ModuleNotFoundError`."""
    text: str
    module: str | None = None
    """The module that was not found, for ModuleNotFoundError."""
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """try: `body`; where an error leaves it that `catches` names: `handler`; else `orelse`."""

    body: tuple[Event, ...]
    catches: tuple[str, ...] = ()
    """Exception class names of the except clause; empty catches everything."""
    winerror: int | None = None
    """Only this Windows error is handled (torch's loader tests for 126)."""
    handler: tuple[Event, ...] = ()
    """Played when the error is caught. A handler that raises again ends with `Reraised`."""
    orelse: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reraised:
    """In a handler: the error that was caught goes on."""

    text: str | None = None
    """The text of the new exception, where the handler raises one of its own."""
    exception: str | None = None
    """The class of the new exception, where the handler raises one of its own: outer clauses see this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncertain:
    """Events under a condition that source alone cannot decide: their changes count, their failures do not."""

    condition: str
    body: tuple[Event, ...]


Event: TypeAlias = (
    ModuleStarted
    | LibraryLoad
    | LibrarySought
    | DirectoryAdded
    | DirectoryRemoved
    | DllDirectorySet
    | DefaultDirectoriesSet
    | EnvironmentChanged
    | Raised
    | Attempt
    | Reraised
    | Uncertain
)
