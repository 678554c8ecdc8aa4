"""Event trees as short nested lists, so that a test shows what it expects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tests.testbed.memory import SITE, Content, world
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
)
from whyload.startup.model import Limits, Startup
from whyload.startup.program import read_code
from whyload.world.model import RunRequest, World

Line: TypeAlias = "str | list[Line]"


def site(files: Mapping[str, Content]) -> dict[str, Content]:
    """Files below site-packages."""
    return {f"{SITE}\\{name}": data for name, data in files.items()}


def machine(files: Mapping[str, Content], *, path: Sequence[str] = (), cwd: str = "C:\\work") -> World:
    """A world with these files in site-packages; absolute names stand for themselves."""
    placed = {name if ":" in name else f"{SITE}\\{name}": data for name, data in files.items()}
    return world(placed, path=path, cwd=cwd, run=RunRequest(code="pass"))


def read(files: Mapping[str, Content], code: str, *, path: Sequence[str] = (), limits: Limits | None = None) -> Startup:
    """What the code does on a machine with these files."""
    return read_code(machine(files, path=path), code, limits)


def lines(files: Mapping[str, Content], code: str, *, path: Sequence[str] = ()) -> list[Line]:
    """The events of that, as `sketch` shows them."""
    return sketch(read(files, code, path=path).events)


def sketch(events: Sequence[Event]) -> list[Line]:
    """Events without modules, places and the common part of paths."""
    return [line for event in events if (line := _line(event)) is not None]


def _line(event: Event) -> Line | None:
    if isinstance(event, ModuleStarted):
        return None
    if isinstance(event, LibraryLoad):
        wanted = f" needs {','.join(event.symbols)}" if event.symbols else ""
        return f"load {_short(event.name)} {event.flags:#x}{wanted}"
    if isinstance(event, LibrarySought):
        return f"seek {event.name}"
    if isinstance(event, DirectoryAdded):
        return f"add {_short(event.path.text)}"
    if isinstance(event, DirectoryRemoved):
        return f"remove {_short(event.path.text)}"
    if isinstance(event, DllDirectorySet):
        return f"set {event.path}"
    if isinstance(event, DefaultDirectoriesSet):
        return f"default {event.flags:#x}"
    if isinstance(event, EnvironmentChanged):
        return f"{event.name}={event.value}"
    if isinstance(event, Raised):
        return f"raise {event.exception}: {event.text}"
    if isinstance(event, Reraised):
        return f"again {event.exception or ''}".strip()
    if isinstance(event, Uncertain):
        return ["maybe", *sketch(event.body)]
    return _attempt(event)


def _attempt(event: Attempt) -> list[Line]:
    shown: list[Line] = [f"try {'|'.join(event.catches)}".strip()]
    if event.winerror is not None:
        shown[0] = f"{shown[0]} only {event.winerror}"
    shown.append(sketch(event.body))
    if event.handler:
        shown.append(["except", *sketch(event.handler)])
    if event.orelse:
        shown.append(["else", *sketch(event.orelse)])
    return shown


def _short(path: str) -> str:
    return path.removeprefix(SITE + "\\")
