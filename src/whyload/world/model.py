"""What a world is made of, whichever provider it comes from.

`None` always means unknown; it travels to the report as *not checked* and is never taken for "absent".
"""

from __future__ import annotations

from collections.abc import Mapping

from whyload.base.dataclass import dataclass, field
from whyload.base.enumeration import Enum
from whyload.base.machine import Machine
from whyload.base.paths import WinPath
from whyload.base.typing import TYPE_CHECKING, Protocol
from whyload.world.measured import UNMEASURED, Measured

if TYPE_CHECKING:
    from whyload.base.bytesource import ByteSource
    from whyload.base.message import Text
    from whyload.base.versions import FileVersion, PythonVersion


class Presence(Enum):
    """What stands at a path."""

    FILE = "file"
    DIRECTORY = "directory"
    ABSENT = "absent"
    DENIED = "denied"
    UNKNOWN = "unknown"


class FileView(Protocol):
    """The file system of a world. Paths are absolute; names compare without case."""

    def presence(self, path: WinPath) -> Presence:
        """What stands at `path`."""

    def actual(self, path: WinPath) -> WinPath:
        """`path` with the last name as it is spelt on disk; `path` itself where nothing is there."""

    def listdir(self, folder: WinPath) -> tuple[str, ...]:
        """Names in `folder`, sorted without case (R6.1); empty where it is no readable folder."""

    def source(self, path: WinPath) -> ByteSource | None:
        """The bytes of a file; None where it is not there or its contents are not known."""

    def size(self, path: WinPath) -> int | None:
        """Length of a file in bytes; None where that is not known."""

    def identity(self, path: WinPath) -> object:
        """A value equal for two paths of one and the same file (hard links); the path's key where that is not known."""


def read_text(files: FileView, path: WinPath, limit: int = 8 << 20) -> str | None:
    """A text file, decoded as UTF-8 with replacement; None where it is not there or not known. At most
    `limit` bytes.
    """
    source = files.source(path)
    if source is None:
        return None
    try:
        return source.read(0, min(source.size, limit)).decode("utf-8-sig", "replace")
    except OSError:
        return None


class Environment(Mapping[str, str]):
    """Environment variables; names compare without case."""

    __slots__ = ("_names", "_values")

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = {name.upper(): value for name, value in values.items()}
        self._names = {name.upper(): name for name in values}

    def __getitem__(self, name: str) -> str:
        return self._values[name.upper()]

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(self._names.values())

    def __len__(self) -> int:
        return len(self._values)

    def with_value(self, name: str, value: str | None) -> Environment:
        """A copy with one variable set, or removed where `value` is None."""
        values = {n: v for n, v in self.items() if n.upper() != name.upper()}
        if value is not None:
            values[name] = value
        return Environment(values)


class Layout(Enum):
    """How the Python was brought to the machine."""

    FULL = "full"
    EMBED = "embed"
    CONDA = "conda"
    STORE = "store"
    FROZEN = "frozen"
    PYINSTALLER = "pyinstaller"


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonInstallation:
    """The interpreter that the question is about."""

    executable: WinPath
    """The process image: the base interpreter, also in a virtual environment (loader.md R3.16)."""
    version: PythonVersion
    machine: Machine = Machine.AMD64
    layout: Layout = Layout.FULL
    venv: WinPath | None = None
    paths: tuple[WinPath, ...] = ()
    """`sys.path`, as far as it names folders; the current or the script's folder comes first."""
    implementation: str = "cpython"
    version_text: str | None = None
    """`sys.version`, where the interpreter was asked."""

    @property
    def base_prefix(self) -> WinPath:
        """`sys.base_prefix`: the folder of the process image."""
        return self.executable.parent

    @property
    def prefix(self) -> WinPath:
        """`sys.prefix`: the virtual environment where there is one."""
        return self.venv or self.base_prefix

    @property
    def dll(self) -> str:
        """Base name of the interpreter's own DLL."""
        return f"python{self.version.digits}.dll"


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemInfo:
    """The Windows of the world."""

    windir: WinPath = field(default_factory=lambda: WinPath("C:\\Windows"))
    build: int | None = None
    edition: str | None = None
    machine: Machine = Machine.AMD64
    profile: str | None = None
    vc_runtime: FileVersion | None = None
    """Version of the Visual C++ runtime in System32, where the profile says it."""

    @property
    def system32(self) -> WinPath:
        """The system folder as a 64-bit process sees it."""
        return self.windir / "System32"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preload:
    """A library that is in the process before the question is asked."""

    file: str
    flags: int = 0x1100


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessState:
    """The process at the moment of the load, as far as it is known."""

    application: WinPath
    cwd: WinPath
    added_dll_directories: tuple[WinPath, ...] = ()
    set_dll_directory: str | None = None
    preload: tuple[Preload, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """The program that the person ran."""

    code: str | None = None
    script: WinPath | None = None
    module: str | None = None
    flags: tuple[str, ...] = ()
    imports: tuple[str, ...] | None = None
    """Modules that its source imports at any level, where the source itself is not at hand."""


class Registry(Protocol):
    """The registry of a world."""

    def values(self, key: str) -> Mapping[str, object] | None:
        """Values of `key` (written `HKLM\\…`); an empty mapping where the key is absent, None where that is
        not known.
        """

    def subkeys(self, key: str) -> tuple[str, ...] | None:
        """Names of the keys directly below `key`, sorted without case; none where it is absent, None where that is
        not known.
        """


class Readings(Protocol):
    """Start-ups that were read from source, by question. What they are is known to the room that reads them."""

    def recall(self, question: str) -> object:
        """The start-up of a question; None where it has to be read now."""

    def keep(self, question: str, startup: object) -> None:
        """Takes note of a start-up that was read now."""


class WorldKind(Enum):
    """Which provider a world comes from."""

    FOLDER = "folder"
    REQUIREMENT = "requirement"
    LIVE = "live"
    SNAPSHOT = "snapshot"


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Everything that is known of a machine before a question is asked."""

    kind: WorldKind
    files: FileView
    registry: Registry
    environment: Environment
    system: SystemInfo
    python: PythonInstallation
    process: ProcessState
    run: RunRequest | None = None
    traceback: str | None = None
    measured: Measured = UNMEASURED
    """What only the running machine can say."""
    unknown: tuple[tuple[Text, Text], ...] = ()
    """(what, why) that this provider cannot know."""
    readings: Readings | None = None
    """Start-ups that are known already, where the world has no source files or is being recorded."""
