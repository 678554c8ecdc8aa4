"""Which libraries failed to load in a run: what was asked for and is not there, and what exceptions and output name.

Windows' own texts are localised and carry no name; the names come from CPython's, torch's, onnxruntime's and cffi's
English words around them (loader.md R3.3, R3.23, R4.8, R5.4, R5.5, section 4.4), whatever language stands between. The
words are data: knowledge/data/messages.toml.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from whyload.base.paths import WinPath
from whyload.base.regular import regular
from whyload.knowledge.messages import MessagePattern, naming_patterns
from whyload.observe.events import Attempt, Event, LibraryLoad, Uncertain, Via
from whyload.observe.observation import ExceptionInfo, Frame, Link, Observation, Outcome

DEFAULT_DIRS, DLL_LOAD_DIR, ALTERED_PATH = 0x1000, 0x100, 0x8
_SEARCH_FLAGS = 0x1F00


_CTYPES_LOADERS = ("__init__", "_load_library")
"""Where ctypes raises when a library does not load; Windows' text for other errors than 126 carries no name."""
_LOADING = (" in create_module", " in _call_with_frames_removed")
_CONFLICT = regular(r"Module use of python\d+\w*\.dll conflicts with")
_NAMES_A_LOADED_FILE = regular(r"cannot import name ")
_NO_MODULE = regular(r"No module named '([\w.]+)'")
_SPOKEN_OF = regular(r"(?:module|from|named) '([\w.]+)'")
_NO_NAME = regular(r"cannot import name '(\w+)' from (?:partially initialized module )?'([\w.]+)'")
"""CPython says this of a submodule too, where the package is there (`from . import _x`; R3.3)."""


def failed_loads(observation: Observation) -> tuple[LibraryLoad, ...]:
    """The libraries that did not load: first those that ended the run (`fatal_loads`), then those named in the output,
    then the rest of those that were asked for and are not among the loaded modules, in order.

    A load that the program survived is included.
    """
    attempts, absent = _attempts(observation)
    output = observation.stderr + "\n" + observation.stdout
    return tuple(_distinct([*fatal_loads(observation), *_named_in(output, attempts, absent), *absent]))


def fatal_loads(observation: Observation) -> tuple[LibraryLoad, ...]:
    """The loads that ended the run: those that its exceptions name, outermost first, or the one during which it died.

    One library stands twice where it was tried in two ways (torch: flags 0x1100, then 0 with a longer PATH).
    """
    attempts, absent = _attempts(observation)
    if observation.outcome is Outcome.DIED:
        return _under_way(observation, attempts)
    named = (load for error in _by_weight(observation.exceptions) for load in _named_by(error, attempts, absent))
    return tuple(_distinct(named))


def sought_module(text: str) -> str | None:
    """The module that an import asked for and did not get, from CPython's words: of a package's name it may be one."""
    if match := _NO_MODULE.search(text):
        return match[1]
    match = _NO_NAME.search(text)
    return f"{match[2]}.{match[1]}" if match else None


def modules_spoken_of(text: str) -> list[str]:
    """Modules that are not there, or have not what is asked of them, by CPython's words."""
    return [match[1] for match in _SPOKEN_OF.finditer(text)]


def is_crash(exit_status: int | None) -> bool:
    """True for an exit status that no program chooses: an NTSTATUS on Windows, of an error (R2.55) or of a breakpoint
    and the like; a signal elsewhere.
    """
    return exit_status is not None and (exit_status < 0 or exit_status >= 0x80000000)


def _attempts(observation: Observation) -> tuple[list[LibraryLoad], list[LibraryLoad]]:
    """What was asked for, and the part of it that is not loaded afterwards."""
    attempts = list(loads_of(observation.events))
    if observation.loaded is None:
        return attempts, []
    present = Presence(observation.loaded)
    return attempts, [load for load in attempts if not present.has(load.name)]


def _under_way(observation: Observation, attempts: Sequence[LibraryLoad]) -> tuple[LibraryLoad, ...]:
    """The load during which the process died: Python's stack at the crash says so, or nothing at all came after it."""
    stack = [line for line in observation.fault.splitlines() if line.lstrip().startswith("File ")]
    if stack:
        loading = any(word in stack[0] for word in _LOADING) or ("ctypes" in stack[0] and "__init__.py" in stack[0])
    else:
        last = observation.events[-1] if observation.events else None
        loading = is_crash(observation.exit_status) and isinstance(last, LibraryLoad)
    return tuple(attempts[-1:]) if loading else ()


def loads_of(events: Iterable[Event]) -> Iterator[LibraryLoad]:
    """Every load among the events, in order."""
    for event in events:
        if isinstance(event, LibraryLoad):
            yield event
        elif isinstance(event, Attempt):
            yield from loads_of((*event.body, *event.handler, *event.orelse))
        elif isinstance(event, Uncertain):
            yield from loads_of(event.body)


class Presence:
    """Looks names up among loaded modules: a full path as it stands, anything else by its base name (R2.3, R2.18)."""

    def __init__(self, loaded: Iterable[WinPath]) -> None:
        self._paths = frozenset(loaded)
        self._names = frozenset(path.name.lower() for path in self._paths)

    def has(self, name: str) -> bool:
        """True where a module of that path or base name is loaded."""
        path = WinPath(name)
        if path.is_absolute:
            return path in self._paths or WinPath(_with_suffix(path.text)) in self._paths
        return _with_suffix(path.name).lower() in self._names or path.name.lower() in self._names


def _with_suffix(name: str) -> str:
    base = name.rpartition("\\")[2]
    return name[:-1] if name.endswith(".") else name if "." in base else name + ".dll"


def _by_weight(exceptions: Sequence[ExceptionInfo]) -> list[ExceptionInfo]:
    """Members of a group and what was suppressed come after the rest; otherwise the order of the chain stays."""
    return sorted(exceptions, key=lambda error: error.link in (Link.MEMBER, Link.SUPPRESSED))


def _named_by(
    error: ExceptionInfo, attempts: Sequence[LibraryLoad], absent: Sequence[LibraryLoad]
) -> Iterator[LibraryLoad]:
    if error.path and _is_library(error.path) and not _NAMES_A_LOADED_FILE.match(error.text):
        yield _matching(error.path, Via.IMPORT, attempts) or LibraryLoad(
            name=error.path, via=Via.IMPORT, flags=DEFAULT_DIRS | DLL_LOAD_DIR, module=error.name
        )
        return
    direct = tuple(_direct_loads(error))
    if direct:
        yield from direct
        return
    named = tuple(_named_in(error.text, attempts, absent))
    if named:
        yield from named
    elif _CONFLICT.search(error.text):
        yield from _last(absent or attempts, Via.IMPORT)
    elif error.frames and error.frames[-1].module == "ctypes" and error.frames[-1].function in _CTYPES_LOADERS:
        places = {frame.place for frame in error.frames}
        here = [load for load in absent if load.place in places]
        yield from _last(here, Via.CTYPES) or _last(absent, Via.CTYPES)


def _last(loads: Sequence[LibraryLoad], via: Via) -> tuple[LibraryLoad, ...]:
    of_kind = [load for load in loads if load.via is via]
    return tuple(of_kind[-1:])


def _named_in(text: str, attempts: Sequence[LibraryLoad], absent: Sequence[LibraryLoad]) -> Iterator[LibraryLoad]:
    """Libraries that a text names, by what was asked for where that is known."""
    places: set[int] = set()
    for pattern in naming_patterns():
        for match in pattern.matches(text):
            if match.start("file") in places:
                continue
            places.add(match.start("file"))
            name, via = match["file"].rstrip(), Via(pattern.asks)
            known = _matching(name, via, absent) or _matching(name, None, absent) or _matching(name, None, attempts)
            yield known or LibraryLoad(name=name, via=via, flags=_flags(pattern, name))


def _flags(pattern: MessagePattern, name: str) -> int:
    if pattern.flags is not None:
        return pattern.flags
    return DEFAULT_DIRS | DLL_LOAD_DIR if "\\" in name or "/" in name else DEFAULT_DIRS


def _direct_loads(error: ExceptionInfo) -> Iterator[LibraryLoad]:
    """Calls of LoadLibrary(Ex)W that Python code makes itself: no audit event tells of them, the failing frame does."""
    frame = next((frame for frame in reversed(error.frames) if frame.calls), None)
    if frame is None or frame is not _innermost_own(error.frames):
        return
    name = _name_in_frame(error, frame)
    if name is None:
        return
    if any(call.startswith("LoadLibraryEx") for call in frame.calls):
        for flags in dict.fromkeys(number for number in frame.numbers if _is_load_flags(number)) or (0,):
            yield LibraryLoad(name=name, via=Via.LOADLIBRARY, flags=flags, place=frame.place)
    if any(call in ("LoadLibraryW", "LoadLibraryA") for call in frame.calls):
        yield LibraryLoad(name=name, via=Via.LOADLIBRARY, flags=0, place=frame.place)


def _innermost_own(frames: Sequence[Frame]) -> Frame | None:
    """The innermost frame that is not ctypes' own."""
    return next((frame for frame in reversed(frames) if frame.module != "ctypes"), None)


def _name_in_frame(error: ExceptionInfo, frame: Frame) -> str | None:
    named = next((match["file"] for pattern in naming_patterns() for match in pattern.matches(error.text)), None)
    candidates = list(frame.libraries)
    if named is not None:
        base = WinPath(named).name.lower()
        same = [name for name in candidates if WinPath(name).name.lower() == base and WinPath(name).is_absolute]
        return same[0] if same and not WinPath(named).is_absolute else named
    return candidates[0] if len(candidates) == 1 and error.winerror is not None else None


def _is_load_flags(number: int) -> bool:
    return number == ALTERED_PATH or (number & _SEARCH_FLAGS != 0 and number & ~_SEARCH_FLAGS == 0)


def _matching(name: str, via: Via | None, loads: Sequence[LibraryLoad]) -> LibraryLoad | None:
    """The last of the loads that asks for `name`, by path or (where one of them is no path) by base name."""
    wanted = WinPath(name)
    for load in reversed(loads):
        if via is not None and load.via is not via:
            continue
        path = WinPath(load.name)
        by_name = not (wanted.is_absolute and path.is_absolute) and _base(path) == _base(wanted)
        if path == wanted or by_name:
            return load
    return None


def _base(path: WinPath) -> str:
    return _with_suffix(path.name).lower()


def _is_library(path: str) -> bool:
    return path.lower().endswith((".pyd", ".dll", ".so")) or ".so." in path.lower()


def _distinct(loads: Iterable[LibraryLoad]) -> Iterator[LibraryLoad]:
    seen: set[tuple[str, int]] = set()
    for load in loads:
        key = (WinPath(load.name).key, load.flags)
        if key not in seen:
            seen.add(key)
            yield load
