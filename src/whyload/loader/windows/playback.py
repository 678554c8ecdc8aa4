"""Plays the events of a program's start-up on a simulated process, as far as the first error that nobody catches.

The search contexts are those of loader.md 3.1 and 3.4; what is caught follows Python's exception classes (R3.3, R3.23).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from whyload.base.dataclass import dataclass, field, replace
from whyload.base.errors import FormatError
from whyload.base.paths import WinPath
from whyload.base.typing import TYPE_CHECKING
from whyload.loader.model import INIT_FAILED, LoadTree
from whyload.loader.windows.extension import (
    conflicting_python,
    ctypes_error_text,
    entry_function,
    lacks_entry,
    load_error_text,
)
from whyload.loader.windows.load import load
from whyload.loader.windows.lookup import not_on_path
from whyload.observe.events import (
    Attempt,
    DefaultDirectoriesSet,
    DirectoryAdded,
    DirectoryRemoved,
    DllDirectorySet,
    EnvironmentChanged,
    Event,
    LibraryLoad,
    LibrarySought,
    ModuleStarted,
    Raised,
    Reraised,
    Uncertain,
    Via,
)

if TYPE_CHECKING:
    from whyload.formats.pe import Image
    from whyload.loader.windows.process import Process

_PARENTS = {
    "ModuleNotFoundError": ("ImportError",),
    "FileNotFoundError": ("OSError", "EnvironmentError", "IOError", "WindowsError"),
    "PermissionError": ("OSError", "EnvironmentError", "IOError", "WindowsError"),
    "OSError": ("EnvironmentError", "IOError", "WindowsError"),
    "KeyError": ("LookupError",),
    "IndexError": ("LookupError",),
    "NotImplementedError": ("RuntimeError",),
    "RecursionError": ("RuntimeError",),
}
_ALIASES = {"EnvironmentError": "OSError", "IOError": "OSError", "WindowsError": "OSError"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedLoad:
    """A load call of the program and its answer."""

    event: LibraryLoad
    tree: LoadTree
    optional: bool
    """It stands in a `try:` or under a condition that is not known."""
    is_conditional: bool = False
    """It stands under a condition that is not known: it may never be called."""
    missing_functions: tuple[str, ...] = ()
    """Functions that the Python code asks of the library and that it lacks."""
    other_python: str | None = None
    """R3.4: the DLL of another interpreter that the extension module imports, and that was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An error on its way up."""

    exception: str
    load: PlayedLoad | None = None
    raised: Raised | None = None
    text: str | None = None
    during: Failure | None = None
    """The error that was being handled, or was caught last, when this one came."""

    @property
    def cause(self) -> PlayedLoad | None:
        """The load that this error goes back to."""
        return next((failure.load for failure in self.history() if failure.load is not None), None)

    def history(self) -> Iterator[Failure]:
        """This error, then the one that was being handled when it came, and so on."""
        failure: Failure | None = self
        while failure is not None:
            yield failure
            failure = failure.during


@dataclass(frozen=True, slots=True, kw_only=True)
class Playback:
    """The whole run: every load in order, and the error that ended it."""

    loads: tuple[PlayedLoad, ...]
    failure: Failure | None
    modules: tuple[str, ...]
    """Python modules whose code started."""
    caught: tuple[Failure, ...] = ()
    """Errors of load calls that the program lives without."""
    sought: tuple[PlayedLoad, ...] = ()
    """What find_library did not find, as loads that fail: the loader was never asked."""


@dataclass(slots=True)
class Player:
    """Plays events; the process changes as it goes."""

    process: Process
    loads: list[PlayedLoad] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)
    caught: list[Failure] = field(default_factory=list)
    sought: list[PlayedLoad] = field(default_factory=list)
    depth: int = 0
    conditions: int = 0
    """How many conditions that are not known stand around what is played."""
    doomed: frozenset[str] = frozenset()
    """Names of loads that are taken to end with 1114: what if this library did not start?"""

    def play(self, events: tuple[Event, ...], handling: Failure | None = None) -> Failure | None:
        """Play in order; the error that leaves the last one played, or None."""
        for event in events:
            failure = self._one(event, handling)
            if failure is not None:
                return replace(failure, during=handling) if handling and failure.during is None else failure
        return None

    def _one(self, event: Event, handling: Failure | None) -> Failure | None:
        if isinstance(event, LibraryLoad):
            return self._load(event)
        if isinstance(event, Attempt):
            return self._attempt(event)
        if isinstance(event, Uncertain):
            self._uncertain(event)
            return None
        if isinstance(event, Raised):
            return Failure(
                exception=event.exception, raised=event, text=event.text, during=handling or self._last_caught()
            )
        if isinstance(event, Reraised):
            again = handling or self._last_caught()
            exception = event.exception or (again.exception if again else "Exception")
            return Failure(exception=exception, text=event.text, during=again)
        self.apply_state(event)
        return None

    def result(self, failure: Failure | None) -> Playback:
        """The run so far, which ended with that failure."""
        return Playback(
            loads=tuple(self.loads),
            failure=failure,
            modules=tuple(self.modules),
            caught=tuple(self.caught),
            sought=tuple(self.sought),
        )

    def _last_caught(self) -> Failure | None:
        return self.caught[-1] if self.caught else None

    def apply_state(self, event: Event) -> None:
        """Change the process as an event says that is no load."""
        process = self.process
        if isinstance(event, ModuleStarted):
            self.modules.append(event.module)
        elif isinstance(event, LibrarySought):
            self.sought.append(self._sought(event))
        elif isinstance(event, DirectoryAdded):
            process.added.append(event.path)
        elif isinstance(event, DirectoryRemoved):
            if event.path in process.added:
                del process.added[len(process.added) - 1 - process.added[::-1].index(event.path)]
        elif isinstance(event, DllDirectorySet):
            process.set_directory = event.path
        elif isinstance(event, DefaultDirectoriesSet):
            process.default_directories = event.flags
        elif isinstance(event, EnvironmentChanged):
            process.environment = process.environment.with_value(event.name, event.value)

    def _load(self, event: LibraryLoad) -> Failure | None:
        tree = load(self.process, event.name, event.flags)
        if event.name in self.doomed and not tree.status:
            tree = replace(tree, status=INIT_FAILED)
        lacking = () if tree.status else self._lacking(event, tree)
        image = self._module_image(event, tree)
        conflict = conflicting_python(image, self.process.world.python.dll) if image else None
        played = PlayedLoad(
            event=event,
            tree=tree,
            optional=self.depth > 0,
            is_conditional=self.conditions > 0,
            missing_functions=lacking,
            other_python=conflict,
        )
        self.loads.append(played)
        if tree.status:
            winerror = tree.status.winerror
            text = _error_text(self.process.world.python.version[:2], event, winerror)
            return Failure(exception=_exception_of(event, winerror), load=played, text=text)
        if conflict is not None:
            text = f"Module use of {conflict} conflicts with this version of Python."
            return Failure(exception="ImportError", load=played, text=text)
        if image is not None and event.module is not None and lacks_entry(image, event.module):
            text = f"dynamic module does not define module export function ({entry_function(event.module)})"
            return Failure(exception="ImportError", load=played, text=text)
        if lacking:
            return Failure(exception="AttributeError", load=played, text=f"function {lacking[0]!r} not found")
        return None

    def _sought(self, event: LibrarySought) -> PlayedLoad:
        tree = not_on_path(self.process, event.name)
        asked = LibraryLoad(name=tree.root.name, via=Via.FIND_LIBRARY, flags=0, place=event.place, is_likely=True)
        return PlayedLoad(event=asked, tree=tree, optional=True)

    def _module_image(self, event: LibraryLoad, tree: LoadTree) -> Image | None:
        if event.via is not Via.IMPORT or tree.status or tree.root.path is None or not tree.root.contents_known:
            return None
        opened = self.process.images.open(tree.root.path)
        return None if opened.stand_in else opened.image

    def _lacking(self, event: LibraryLoad, tree: LoadTree) -> tuple[str, ...]:
        path = tree.root.path
        if not event.symbols or path is None:
            return ()
        opened = self.process.images.open(path)
        if opened.image is None or opened.stand_in:
            return ()
        try:
            table = opened.image.exports()
        except FormatError:
            return ()
        if table is not None and not table.is_complete:
            return ()
        return tuple(name for name in event.symbols if table is None or table.find(name) is None)

    def _attempt(self, event: Attempt) -> Failure | None:
        self.depth += 1
        failure = self.play(event.body)
        self.depth -= 1
        if failure is None:
            return self.play(event.orelse)
        if not catches(event, failure):
            return failure
        self.caught.append(failure)
        return self.play(event.handler, failure)

    def _uncertain(self, event: Uncertain) -> None:
        self.depth += 1
        self.conditions += 1
        failure = self.play(event.body)
        self.conditions -= 1
        self.depth -= 1
        if failure is not None:
            self.caught.append(failure)


def catches(attempt: Attempt, failure: Failure) -> bool:
    """Whether the except clause takes this error."""
    if attempt.winerror is not None:
        return failure.load is not None and failure.load.tree.status.winerror == attempt.winerror
    if not attempt.catches:
        return True
    own = _ALIASES.get(failure.exception, failure.exception)
    kinds = {own, *_PARENTS.get(own, ()), "Exception", "BaseException"}
    return any(name.rpartition(".")[2] in kinds for name in attempt.catches)


def _exception_of(event: LibraryLoad, winerror: int) -> str:
    if event.via is Via.IMPORT:
        return "ImportError"
    if event.via is Via.CTYPES and winerror == 126:
        return "FileNotFoundError"
    return "PermissionError" if winerror == 5 else "OSError"


def _error_text(version: tuple[int, int], event: LibraryLoad, winerror: int) -> str | None:
    if event.via is Via.IMPORT:
        return load_error_text(version, event.module or WinPath(event.name).stem.partition(".")[0], winerror)
    return ctypes_error_text(version, event.name, winerror) if event.via is Via.CTYPES else None


def play(process: Process, events: tuple[Event, ...], doomed: frozenset[str] = frozenset()) -> Playback:
    """Play a whole program on a process that has started; the loads in `doomed` are taken to fail."""
    player = Player(process, doomed=doomed)
    return player.result(player.play(events))


class Progress:
    """Plays a program of which ever more becomes known: what was played already is not played again."""

    def __init__(self, start: Callable[[], Process]) -> None:
        self._start = start
        self._player: Player | None = None
        self._played: tuple[Event, ...] = ()

    def play(self, events: tuple[Event, ...]) -> tuple[Process, Playback]:
        """The whole program as it is known now, and the process behind it."""
        player, count = self._player, len(self._played)
        if player is None or events[:count] != self._played:
            player, count = Player(self._start()), 0
        failure = player.play(events[count:])
        self._player, self._played = (player, events) if failure is None else (None, ())
        return player.process, player.result(failure)
