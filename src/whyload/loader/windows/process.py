"""The simulated process: what is in it, and the state that decides where it looks."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping

from whyload.base.dataclass import dataclass
from whyload.base.machine import Machine
from whyload.base.message import Message, Text
from whyload.base.typing import TYPE_CHECKING
from whyload.knowledge.systems import api_set_host, api_set_known, default_known_dlls, is_api_set
from whyload.loader.images import ImageStore
from whyload.loader.windows.redirection import local_folder, redirected, system_folder
from whyload.world.model import Environment, FileView, Layout, Presence, World

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.formats.apiset import ApiSetSchema
    from whyload.formats.pe import Image

_NEEDED_BY_KNOWN = frozenset(
    {"ntdll.dll", "kernel32.dll", "kernelbase.dll", "ucrtbase.dll", "msvcp_win.dll", "win32u.dll", "gdi32full.dll"}
    | {"bcryptprimitives.dll", "cfgmgr32.dll"}
)
"""What the usual KnownDLLs need (Microsoft: "the known DLL's dependent DLLs"; names: data/known_dlls.txt)."""
_SESSION_MANAGER = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager"


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A library in the process."""

    path: WinPath
    name: str
    """Base name in lower case."""
    identity: object


class Process:
    """State of a process between load calls; the loader changes it as Windows would."""

    def __init__(self, world: World, images: ImageStore | None = None) -> None:
        """`images`: those of another process of the same world, so that no file is read twice."""
        self.world = world
        self.files: FileView = world.files
        self.images = images or ImageStore(world.files)
        self.windir = world.system.windir
        self.application = world.process.application
        self.application_folder = world.process.application.parent  # R3.19: the host's, which need not be Python's
        self.cwd = world.process.cwd
        self.environment: Environment = world.environment
        self.path_known = "PATH" in world.environment
        self.added: list[WinPath] = list(world.process.added_dll_directories)
        self.set_directory = world.process.set_dll_directory
        self.default_directories = 0
        self.safe_search = _number(world, "SafeDllSearchMode", 1) != 0
        self.cwd_is_searched = _number(world, "CWDIllegalInDllSearch", 0) != 0xFFFFFFFF  # R2.29
        self.known_dlls = _known_dlls(world)
        self.machine = self.images.open(self.application).machine or world.python.machine
        self.system32 = system_folder(world, self.machine)
        self.local_folder = local_folder(world, self.images)
        self.long_paths = _long_paths(world)
        self.packaged = world.python.layout is Layout.STORE
        self.failed_preloads: list[str] = []
        """Libraries that the description says are loaded, and that do not load."""
        self.modules: list[Module] = []
        self._by_name: dict[str, Module] = {}
        self._by_identity: dict[object, Module] = {}
        self._schema: ApiSetSchema | None = None
        self._schema_read = False

    # -- modules -------------------------------------------------------------------------------------------------

    def add(self, path: WinPath, identity: object | None = None) -> Module:
        """Put a file into the list of loaded modules."""
        module = Module(path=path, name=path.name.lower(), identity=identity or self.files.identity(path))
        self.modules.append(module)
        self._by_name.setdefault(module.name, module)
        self._by_identity.setdefault(module.identity, module)
        return module

    def loaded_name(self, name: str) -> Module | None:
        """R2.18: the module loaded first under a base name."""
        return self._by_name.get(name.lower())

    def loaded_file(self, path: WinPath) -> Module | None:
        """R2.18: the module that is the same file, whatever path it was loaded by."""
        return self._by_identity.get(self.files.identity(path))

    def forget_file(self, path: WinPath) -> None:
        """Take one file out of the list, so that it can be loaded afresh."""
        self.modules = [module for module in self.modules if module.path != path]
        self.forget(len(self.modules))

    def forget(self, count: int) -> None:
        """Unload all but the first `count` modules: what a failed call leaves behind."""
        self.restore(self.modules[:count])

    def restore(self, modules: Iterable[Module]) -> None:
        """Make these the loaded modules, in this order."""
        self.modules = list(modules)
        self._by_name, self._by_identity = {}, {}
        for module in self.modules:
            self._by_name.setdefault(module.name, module)
            self._by_identity.setdefault(module.identity, module)

    # -- where it looks ------------------------------------------------------------------------------------------

    def absolute(self, text: str) -> WinPath:
        """A folder's path, relative ones taken from the current folder."""
        return self.cwd / text if text else self.cwd

    def path_folders(self) -> list[WinPath]:
        """R2.28: elements of PATH; one in quotes or with blanks at its ends never matches and is left out."""
        return [self._path_folder(part) for part in self._path_elements() if _matches(part)]

    def unmatched_path_folders(self) -> list[WinPath]:
        """The folders that elements in quotes or with blanks at their ends were meant to name."""
        meant = [part.replace('"', "").strip() for part in self._path_elements() if not _matches(part)]
        return [self._path_folder(part) for part in meant if part]

    def _path_elements(self) -> list[str]:
        return [part for part in self.environment.get("PATH", "").split(";") if part]

    def _path_folder(self, part: str) -> WinPath:
        return redirected(self.absolute(part), self.world, self.system32)

    @functools.cached_property
    def ignored_runtime(self) -> Text:
        """R2.17: a private Universal C runtime beside the program, which Windows 10 and later never use."""
        copy = self.application_folder / "ucrtbase.dll"
        there = self.files.presence(copy) is Presence.FILE
        if not there:
            return ""
        return Message(
            en=f"{copy} is there, but this Windows does not use it", zh=f"{copy} 存在，但此 Windows 不使用它"
        )

    def api_set(self, name: str, importer: str | None) -> tuple[bool, WinPath | None, bool]:
        """R2.12 to R2.16: (is one, its host or None, whether that is certain).

        A contract without a host is (True, None, True); one whose host is not known but which this Windows is
        believed to have is (True, None, False).
        """
        if not is_api_set(name):
            return False, None, True
        schema = self._read_schema()
        if schema is not None:
            host = schema.host(name, importer)
            if host is None:
                return False, None, True  # R2.15: not in the schema, an ordinary file name
            return True, self.system32 / host if host else None, True
        known = api_set_known(name)
        host = api_set_host(name) if known else None
        return (True, self.system32 / host, True) if host else (True, None, False)

    def _read_schema(self) -> ApiSetSchema | None:
        if not self._schema_read:
            self._schema_read = True
            image = self.images.open(self.system32 / "apisetschema.dll").image
            if image:
                from whyload.formats.apiset import ApiSetSchema

                self._schema = ApiSetSchema.from_image(image)
        return self._schema

    def runs_here(self, machine: Machine) -> bool:
        """Whether an image of `machine` can be mapped into this process (R1.7)."""
        if machine is Machine.ARM64X:
            on_arm = self.world.system.machine is Machine.ARM64
            return on_arm and self.machine in (Machine.ARM64, Machine.AMD64)
        if machine is Machine.ARM64EC:
            return self.machine is Machine.AMD64 and self.world.system.machine is Machine.ARM64
        return machine is self.machine

    def sees_other_tables(self, image: Image) -> bool:
        """R1.8: an ARM64X file shows an x64 process other imports and exports than the ones that stand in it."""
        return (
            self.machine is Machine.AMD64
            and image.machine is Machine.ARM64
            and image.effective_machine is Machine.ARM64X
        )

    def import_name(self, name: str) -> str:
        """An import's name as this machine reads it; as the file spells it where its code page is not known."""
        if name.isascii():
            return name
        from whyload.loader.windows.ansi import import_name

        return import_name(name, self.world)

    def runs_on_system(self, machine: Machine) -> bool:
        """Whether this Windows can run `machine` in any process (R2.34)."""
        if self.world.system.machine is Machine.ARM64:
            return True
        if self.world.system.machine is Machine.AMD64:
            return machine in (Machine.AMD64, Machine.I386)
        return machine is Machine.I386


def _matches(part: str) -> bool:
    return part == part.strip() and '"' not in part


def _number(world: World, name: str, default: int) -> int:
    values: Mapping[str, object] | None = world.registry.values(_SESSION_MANAGER)
    value = values.get(name, default) if values else default
    return value if isinstance(value, int) else default


def _long_paths(world: World) -> bool | None:
    """R2.39: whether paths of 260 characters and more can be opened; None where that is not known."""
    values = world.registry.values("HKLM\\SYSTEM\\CurrentControlSet\\Control\\FileSystem")
    return None if values is None else values.get("LongPathsEnabled") == 1


def _known_dlls(world: World) -> frozenset[str]:
    """R2.35: from the registry where it is known, else the usual list; what those need counts too."""
    values = world.registry.values(f"{_SESSION_MANAGER}\\KnownDLLs")
    if not values:
        return default_known_dlls()
    names: Iterable[str] = (v.lower() for n, v in values.items() if isinstance(v, str) and not n.startswith("Dll"))
    manager = world.registry.values(_SESSION_MANAGER) or {}
    excluded = manager.get("ExcludeFromKnownDlls")
    listed = excluded if isinstance(excluded, list | tuple) else [excluded]
    return (frozenset(names) | _NEEDED_BY_KNOWN) - {item.lower() for item in listed if isinstance(item, str)}
