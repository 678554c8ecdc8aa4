"""The state of the process in which the native modules of a package are loaded, read from a little of its source.

Only source files that stand beside or above native files and that speak of loading libraries are read; everything else
is taken as imported. That is enough to know which folders a package adds and what it loads by itself before its modules
come. Where it is not enough, a load fails here that works there: therefore nothing is reported before the whole import
was read (`confirm`).
"""

from __future__ import annotations

from collections.abc import Iterable

from whyload.base.paths import WinPath
from whyload.engine.doctor.survey import NativeFile
from whyload.engine.simulate import started_process
from whyload.loader.images import ImageStore
from whyload.loader.windows.playback import Playback, play
from whyload.loader.windows.process import Process
from whyload.observe.events import Event
from whyload.startup.finder import FoundModule, ModuleKind
from whyload.startup.model import Limits
from whyload.startup.program import read_import
from whyload.world.model import World, WorldKind

_WORDS = (
    *(b"add_dll_directory", b"AddDllDirectory", b"SetDllDirectory", b"SetDefaultDllDirectories", b"LoadLibrary"),
    *(b"CDLL", b"WinDLL", b"PyDLL", b"OleDLL", b"windll", b"cdll.", b"cdll[", b"putenv"),
    *(b'environ["PATH"]', b"environ['PATH']"),
)
"""Words of source that loads libraries or changes where they are looked for."""
_LARGEST = 2 << 20
_LIMITS = Limits(work=60_000, modules=400, events=4000)
"""For one package; the start-up of torch is a third of it."""


class Contexts:
    """One process, put into the state of one package after the other."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.process: Process = started_process(world, ImageStore(world.files))
        self._speaks: dict[str, bool] = {}
        self._play_path_files()
        self._modules = len(self.process.modules)
        self._added = tuple(self.process.added)
        self._set_directory = self.process.set_directory
        self._environment = self.process.environment

    def enter(self, package: str, natives: Iterable[NativeFile], before: tuple[str, ...] = ()) -> Playback:
        """Put the process into the state after the start-up of `package`, as far as it is read; how that went.

        `before`: packages that are imported first.
        """
        self._reset()
        events: tuple[Event, ...] = ()
        recorded = self.world.kind is WorldKind.SNAPSHOT  # it has no source files, but knows what was read of them
        if before or recorded or any(map(self.speaks_of_loading, self.sources(natives))):
            events = self._read((*before, package))
        return play(self.process, events)

    def sources(self, natives: Iterable[NativeFile]) -> list[WinPath]:
        """Source files beside and above native files."""
        folders = {folder for native in natives for folder in _chain(native)}
        return [source for folder in sorted(folders) for source in self._sources(folder)]

    def speaks_of_loading(self, file: WinPath) -> bool:
        """Does a source file name a way of loading libraries or of changing where they are looked for?"""
        known = self._speaks.get(file.key)
        if known is None:
            source = self.world.files.source(file)
            try:
                text = source.read(0, min(source.size, _LARGEST)) if source is not None else b""
            except OSError:
                text = b""
            known = self._speaks[file.key] = any(word in text for word in _WORDS)
        return known

    def _reset(self) -> None:
        process = self.process
        process.forget(self._modules)
        process.added[:] = self._added
        process.set_directory = self._set_directory
        process.environment = self._environment

    def _play_path_files(self) -> None:
        play(self.process, read_import(self.world, (), _LIMITS, self._follows(frozenset())).events)

    def _read(self, packages: tuple[str, ...]) -> tuple[Event, ...]:
        parts = [package.split(".") for package in packages]
        parents = frozenset(".".join(names[:count]) for names in parts for count in range(1, len(names) + 1))
        return read_import(self.world, packages, _LIMITS, self._follows(parents)).events

    def _follows(self, always: frozenset[str]) -> _Follow:
        return _Follow(self, always)

    def _sources(self, folder: WinPath) -> list[WinPath]:
        return [folder / name for name in self.world.files.listdir(folder) if name.lower().endswith(".py")]


class _Follow:
    """Which modules are read: the package itself, and what speaks of loading."""

    def __init__(self, contexts: Contexts, always: frozenset[str]) -> None:
        self._contexts = contexts
        self._always = always

    def __call__(self, found: FoundModule) -> bool:
        if found.kind not in (ModuleKind.SOURCE, ModuleKind.PACKAGE) or found.file is None:
            return False
        return found.name in self._always or self._contexts.speaks_of_loading(found.file)


def _chain(native: NativeFile) -> Iterable[WinPath]:
    """The folders from that of the file up to the folder of `sys.path`, which is left out."""
    folder = native.path.parent
    while folder.is_below(native.root):
        yield folder
        folder = folder.parent
