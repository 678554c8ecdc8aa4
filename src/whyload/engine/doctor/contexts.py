"""The state of the process in which the native modules of a package are loaded, read from a little of its source.

Only source files that stand beside or above native files and that speak of loading libraries are read; everything else
is taken as imported. That is enough to know which folders a package adds and what it loads by itself before its modules
come. Where it is not enough, a load fails here that works there: therefore nothing is reported before the whole import
was read (`verdicts`).
"""

from __future__ import annotations

from collections.abc import Iterable

from whyload.base.dataclass import dataclass
from whyload.base.paths import WinPath
from whyload.engine.doctor.survey import NativeFile
from whyload.engine.simulate import started_process
from whyload.loader.images import ImageStore
from whyload.loader.windows.playback import Playback, play
from whyload.loader.windows.process import Module, Process
from whyload.observe.events import Event
from whyload.startup.finder import FoundModule, ModuleKind
from whyload.startup.model import Limits
from whyload.startup.modules import State
from whyload.startup.program import read_import
from whyload.world.model import Environment, World, WorldKind

_WORDS = (
    *(b"add_dll_directory", b"AddDllDirectory", b"SetDllDirectory", b"SetDefaultDllDirectories", b"LoadLibrary"),
    *(b"CDLL", b"WinDLL", b"PyDLL", b"OleDLL", b"windll", b"cdll.", b"cdll[", b"putenv"),
    *(b'environ["PATH"]', b"environ['PATH']"),
)
"""Words of source that loads libraries or changes where they are looked for."""
_LARGEST = 2 << 20
_LIMITS = Limits(work=60_000, modules=400, events=4000)
"""For one package; the start-up of torch is a third of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """What a process is like at one moment, to be put back."""

    modules: tuple[Module, ...]
    added: tuple[WinPath, ...]
    set_directory: str | None
    environment: Environment
    playback: Playback


class Contexts:
    """One process, put into the state of one package after the other."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.process: Process = started_process(world, ImageStore(world.files))
        self.broken: dict[str, str] = {}
        """Packages whose start-up could not be read because of a defect of ours, and the error."""
        self._speaks: dict[str, bool] = {}
        self._events: dict[str, tuple[Event, ...]] = {}
        path_files = read_import(world, (), _LIMITS, _Follow(self, None)).events
        self._states: dict[tuple[str, ...], _State] = {(): self._state(play(self.process, path_files))}

    def enter(self, package: str, natives: Iterable[NativeFile], before: tuple[str, ...] = ()) -> Playback:
        """Put the process into the state after the start-up of `package`, as far as it is read; how that went.

        `before`: packages that are imported first.
        """
        natives = tuple(natives)
        start = self._restore(before)
        if not before and not (natives and self._is_worth_reading(self.sources(natives))):
            return start
        own = play(self.process, self._read(package))
        return Playback(loads=(*start.loads, *own.loads), failure=own.failure or start.failure, modules=own.modules)

    def add(self, package: str, natives: Iterable[NativeFile]) -> None:
        """The same on top of what the process is now."""
        if self._is_worth_reading(self.sources(natives)):
            play(self.process, self._read(package))

    def enter_bare(self, package: str, sources: Iterable[WinPath]) -> Playback | None:
        """The same for a package without native files; None where its sources do not speak of loading."""
        if not self._is_worth_reading(sources):
            return None
        self._restore(())
        return play(self.process, self._read(package))

    def _is_worth_reading(self, sources: Iterable[WinPath]) -> bool:
        """Do any speak of loading? A snapshot has no source files, but it knows what was read of them."""
        return self.world.kind is WorldKind.SNAPSHOT or any(map(self.speaks_of_loading, sources))

    def _restore(self, before: tuple[str, ...]) -> Playback:
        """Put back the state after the imports of `before`, which are played once."""
        state = self._states.get(before)
        if state is None:
            start = self._restore(before[:-1])
            own = play(self.process, self._read(before[-1]))
            loads = (*start.loads, *own.loads)
            played = Playback(loads=loads, failure=start.failure or own.failure, modules=own.modules)
            state = self._states[before] = self._state(played)
        process = self.process
        process.restore(state.modules)
        process.added[:] = state.added
        process.set_directory = state.set_directory
        process.environment = state.environment
        return state.playback

    def _state(self, playback: Playback) -> _State:
        process = self.process
        return _State(
            modules=tuple(process.modules),
            added=tuple(process.added),
            set_directory=process.set_directory,
            environment=process.environment,
            playback=playback,
        )

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

    def _read(self, package: str) -> tuple[Event, ...]:
        events = self._events.get(package)
        if events is None:
            events = self._events[package] = self._read_once(package)
        return events

    def _read_once(self, package: str) -> tuple[Event, ...]:
        try:
            return read_import(self.world, (package,), _LIMITS, _Follow(self, package)).events
        except Exception as error:  # a defect of ours in one package must not take the others along
            self.broken[package] = f"{type(error).__name__}: {error}"
            return ()

    def _sources(self, folder: WinPath) -> list[WinPath]:
        return [folder / name for name in self.world.files.listdir(folder) if name.lower().endswith(".py")]


class _Follow:
    """Which modules are read: the package itself, and what of its own speaks of loading; the rest of its own where a
    value of it is asked for.

    Other packages are not: where libraries of theirs are needed, `ask` enters again with them before.
    """

    def __init__(self, contexts: Contexts, package: str | None) -> None:
        """`package`: None for all (lines of `.pth` files)."""
        self._contexts = contexts
        names = package.split(".") if package is not None else []
        self._always = frozenset(".".join(names[:count]) for count in range(1, len(names) + 1))
        self._top = names[0] if names else None

    def __call__(self, found: FoundModule) -> State:
        if found.kind not in (ModuleKind.SOURCE, ModuleKind.PACKAGE) or found.file is None:
            return State.OPAQUE
        if self._top is not None and found.name.partition(".")[0] != self._top:
            return State.OPAQUE
        speaks = found.name in self._always or self._contexts.speaks_of_loading(found.file)
        return State.RUNNING if speaks else State.PASSED


def _chain(native: NativeFile) -> Iterable[WinPath]:
    """The folders from that of the file up to the folder of `sys.path`, which is left out."""
    folder = native.path.parent
    while folder.is_below(native.root):
        yield folder
        folder = folder.parent
