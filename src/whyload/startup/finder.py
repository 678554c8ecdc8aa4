"""Which file Python takes for a module name (loader.md R3.9-R3.13; CPython `Lib/importlib/_bootstrap_external.py`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from whyload.base.dataclass import dataclass
from whyload.base.enumeration import Enum
from whyload.base.machine import Machine
from whyload.base.typing import TYPE_CHECKING
from whyload.startup.paths import python_paths
from whyload.startup.standard import is_standard
from whyload.world.model import FileView, Presence, PythonInstallation, World

if TYPE_CHECKING:
    from whyload.base.paths import WinPath

_PLATFORMS = {Machine.I386: "win32", Machine.AMD64: "win_amd64", Machine.ARM64: "win_arm64", Machine.ARMNT: "win_arm32"}
_SOURCE_SUFFIXES = (".py", ".pyw")


class ModuleKind(Enum):
    """What a module name leads to."""

    PACKAGE = "package"
    SOURCE = "source"
    BYTECODE = "bytecode"
    EXTENSION = "extension"
    STANDARD = "standard library"
    NAMESPACE = "namespace package"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundModule:
    """Where a module name leads, and what stands near it that Python does not take."""

    name: str
    kind: ModuleKind
    file: WinPath | None = None
    """The file of code; of a package its `__init__`."""
    is_package: bool = False
    folders: tuple[WinPath, ...] = ()
    """Where the submodules of a package are looked for."""
    near_misses: tuple[WinPath, ...] = ()
    """Files of that name with a suffix that this Python does not take (R3.9), or another spelling (R3.11)."""
    parent_kind: ModuleKind | None = None
    """For a missing submodule: what its parent is."""


class Finder:
    """Finds modules in folders; each folder is listed once."""

    def __init__(self, files: FileView, python: PythonInstallation) -> None:
        self._files = files
        self._python = python
        self._listings: dict[str, Mapping[str, str]] = {}
        self._stems: dict[str, frozenset[str]] = {}
        self._standard_folders = frozenset(_standard_folders(python))
        self.suffixes = suffixes(python)

    def find(self, name: str, folders: Sequence[WinPath], *, top: bool, near: bool = False) -> FoundModule:
        """The module `name`, its last component looked for in `folders` (`sys.path`, or its package's own list).

        `near`: where it is missing, list what stands near it.
        """
        last = name.rpartition(".")[2]
        standard = top and is_standard(name, self._python.version)
        portions: list[WinPath] = []
        for position, folder in enumerate(folders):
            if standard and folder in self._standard_folders:
                break
            if standard and position and not self._standard_folders & set(folders):
                break
            if not self._mentions(folder, last):
                continue
            found = self._in_folder(name, last, folder)
            if found is not None:
                return found
            if last in self.listing(folder) and self._files.presence(folder / last) is Presence.DIRECTORY:
                portions.append(folder / last)
        if standard:
            return FoundModule(name=name, kind=ModuleKind.STANDARD)
        if portions:
            return FoundModule(name=name, kind=ModuleKind.NAMESPACE, is_package=True, folders=tuple(portions))
        return FoundModule(
            name=name, kind=ModuleKind.MISSING, near_misses=tuple(self._near(last, folders)) if near else ()
        )

    def listing(self, folder: WinPath) -> Mapping[str, str]:
        """Names in a folder as they are spelt, by themselves and with the suffix in lower case (R3.11)."""
        known = self._listings.get(folder.key)
        if known is None:
            known = self._listings[folder.key] = _spellings(self._files.listdir(folder))
        return known

    def names(self, folder: WinPath) -> tuple[str, ...]:
        """The names in a folder, sorted without case."""
        return self._files.listdir(folder)

    def has_other_build(self, folder: WinPath, last: str) -> bool:
        """Is there a native module of that name which this Python does not take, and none that it takes?"""
        if not self._mentions(folder, last) and not self._mentions(folder, f"{last}_d"):
            return False
        near = self._near(last, (folder,))
        return self._in_folder(last, last, folder) is None and any(path.suffix in (".pyd", ".so") for path in near)

    def _mentions(self, folder: WinPath, last: str) -> bool:
        stems = self._stems.get(folder.key)
        if stems is None:
            stems = self._stems[folder.key] = frozenset(name.partition(".")[0] for name in self.listing(folder))
        return last in stems

    def _in_folder(self, name: str, last: str, folder: WinPath) -> FoundModule | None:
        listing = self.listing(folder)
        if last in listing:
            inside = folder / last
            names = self.listing(inside)
            for suffix, kind in self.suffixes:
                spelt = names.get("__init__" + suffix)
                if spelt is not None:
                    kind = ModuleKind.PACKAGE if kind is ModuleKind.SOURCE else kind
                    return FoundModule(name=name, kind=kind, file=inside / spelt, is_package=True, folders=(inside,))
        for suffix, kind in self.suffixes:
            if (spelt := listing.get(last + suffix)) is not None:
                return FoundModule(name=name, kind=kind, file=folder / spelt)
        return None

    def _near(self, last: str, folders: Iterable[WinPath]) -> Iterable[WinPath]:
        wanted = last.lower()
        for folder in folders:
            for name in self._files.listdir(folder):
                lower = name.lower()
                stem, _, rest = lower.partition(".")
                if (
                    (stem == wanted and rest.rpartition(".")[2] in ("pyd", "dll", "py", "so"))
                    or (stem == f"{wanted}_d" and rest.rpartition(".")[2] == "pyd")
                    or (lower == wanted and name != last)
                ):
                    yield folder / name


class SysPath:
    """Top-level modules on `sys.path`, remembered as long as that does not change."""

    def __init__(self, finder: Finder, folders: Callable[[], Sequence[WinPath]]) -> None:
        self._finder = finder
        self._folders = folders
        self._natives: dict[str, WinPath | None] = {}
        self._tops: dict[str, FoundModule] = {}

    def extension(self, name: str) -> WinPath | None:
        """The file of an extension module of the standard library, if it is on `sys.path`."""
        if name not in self._natives:
            self._natives[name] = None
            for folder in self._folders():
                listing = self._finder.listing(folder)
                spelt = next((listing[name + s] for s, _ in self._finder.suffixes[:2] if name + s in listing), None)
                if spelt is not None:
                    self._natives[name] = folder / spelt
                    break
        return self._natives[name]

    def find(self, name: str) -> FoundModule:
        """A top-level module on `sys.path`."""
        found = self._tops.get(name)
        if found is None:
            found = self._tops[name] = self._finder.find(name, self._folders(), top=True)
        return found

    def forget(self) -> None:
        """`sys.path` is another one now."""
        self._tops.clear()
        self._natives.clear()


def suffixes(python: PythonInstallation) -> tuple[tuple[str, ModuleKind], ...]:
    """The suffixes of modules in the order in which they are tried (R3.9)."""
    platform = _PLATFORMS.get(python.machine, "win_amd64")
    tagged = f".cp{python.version.digits}-{platform}.pyd"
    return (
        (tagged, ModuleKind.EXTENSION),
        (".pyd", ModuleKind.EXTENSION),
        *((suffix, ModuleKind.SOURCE) for suffix in _SOURCE_SUFFIXES),
        (".pyc", ModuleKind.BYTECODE),
    )


def find_module(world: World, name: str, folders: Sequence[WinPath] | None = None) -> FoundModule | None:
    """The module that `import name` would take, its parents taken as they lie on disk; None for an empty name.

    `folders` stands for `sys.path` where it is not the world's own. Nothing is executed: a package that changes its
    `__path__` is not followed.
    """
    if not name or not all(name.split(".")):
        return None
    path = tuple(folders) if folders is not None else python_paths(world)
    finder = Finder(world.files, world.python)
    parts = name.split(".")
    found = finder.find(parts[0], path, top=True, near=True)
    for count in range(2, len(parts) + 1):
        full = ".".join(parts[:count])
        if found.kind is ModuleKind.STANDARD:
            return FoundModule(name=name, kind=ModuleKind.STANDARD)
        if not found.is_package:
            return FoundModule(name=full, kind=ModuleKind.MISSING, parent_kind=found.kind)
        parent = found
        found = finder.find(full, parent.folders, top=False, near=True)
        if found.kind is ModuleKind.MISSING:
            return FoundModule(
                name=full, kind=ModuleKind.MISSING, near_misses=found.near_misses, parent_kind=parent.kind
            )
    return found


def _standard_folders(python: PythonInstallation) -> Iterable[WinPath]:
    base = python.base_prefix
    digits = f"{python.version.major}{python.version.minor}"
    yield base / f"python{digits}.zip"
    yield base / "Lib"
    for folder in (base, base / "_internal", base / "lib"):
        yield folder / "base_library.zip"
        yield folder / "library.zip"


def _spellings(names: Iterable[str]) -> dict[str, str]:
    spellings: dict[str, str] = {}
    for name in names:
        spellings[name] = name
        stem, dot, suffix = name.partition(".")
        if dot and (lower := f"{stem}.{suffix.lower()}") != name:
            spellings.setdefault(lower, name)
    return spellings
