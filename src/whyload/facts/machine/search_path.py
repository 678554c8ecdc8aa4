"""PATH, entry by entry: what is odd about each, and which libraries of an earlier entry hide its own.

Source: loader.md R2.28; Microsoft, "Dynamic-link library search order". Since Python 3.8 PATH is not searched for what
extension modules need; programs, `ctypes` by bare name and delay imports still search it.
"""

from __future__ import annotations

from collections.abc import Iterable

from whyload.base.dataclass import dataclass
from whyload.base.enumeration import Enum
from whyload.base.paths import WinPath
from whyload.knowledge.libraries import Family, identify
from whyload.world.measured import DriveKind
from whyload.world.model import Presence, World

_FAMILIES = frozenset(
    {Family.VC_RUNTIME, Family.OPENMP, Family.CUDA, Family.CUDNN, Family.PYTHON, Family.MINGW, Family.PACKAGE}
)
_MOST_HIDDEN = 20


class Oddity(Enum):
    """What is odd about an entry."""

    MISSING = "missing"
    NOT_A_FOLDER = "not-a-folder"
    UNREADABLE = "unreadable"
    DUPLICATE = "duplicate"
    QUOTED = "quoted"
    """It holds quotation marks, which the loader does not take away."""
    BLANKS = "blanks"
    """It begins or ends with a blank."""
    RELATIVE = "relative"
    """It counts from the current folder."""
    VARIABLE = "variable"
    """It holds a variable that nobody expanded."""
    NETWORK = "network"
    ANOTHER_DRIVE = "another-drive"
    """It lies on a drive that is not known here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """A library of an entry that an earlier entry has too."""

    name: str
    by: WinPath
    """The folder that wins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathEntry:
    """One entry as it stands, the folder that it means, and what is odd about it."""

    text: str
    folder: WinPath | None
    oddities: tuple[Oddity, ...] = ()
    libraries: int = 0
    hidden: tuple[Hidden, ...] = ()
    """Libraries of known runtimes that an earlier entry has too; at most 20."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPathFacts:
    """PATH in order; None where it is not known."""

    entries: tuple[PathEntry, ...] | None
    has_system32: bool | None
    length: int | None
    """In characters; more than 2047 is cut by some programs, 32767 is the limit."""


def search_path_facts(world: World) -> SearchPathFacts:
    """What is known of PATH."""
    value = world.environment.get("PATH")
    if value is None:
        return SearchPathFacts(entries=None, has_system32=None, length=None)
    entries = tuple(_entries(world, [part for part in value.split(";") if part]))
    system32 = any(entry.folder == world.system.system32 for entry in entries)
    return SearchPathFacts(entries=entries, has_system32=system32, length=len(value))


def _entries(world: World, parts: Iterable[str]) -> Iterable[PathEntry]:
    seen: set[WinPath] = set()
    winners: dict[str, WinPath] = {}
    for part in parts:
        inner = part.strip().strip('"').strip()
        folder = WinPath(inner) if WinPath(inner).is_absolute else world.process.cwd / inner if inner else None
        oddities = list(_oddities(world, part, folder))
        libraries: list[str] = []
        if folder is not None and folder in seen:
            oddities.append(Oddity.DUPLICATE)
        elif folder is not None:
            libraries = [name for name in world.files.listdir(folder) if name.lower().endswith(".dll")]
            seen.add(folder)
        yield PathEntry(
            text=part,
            folder=folder,
            oddities=tuple(oddities),
            libraries=len(libraries),
            hidden=tuple(_hidden(libraries, winners, folder))[:_MOST_HIDDEN],
        )


def _hidden(libraries: Iterable[str], winners: dict[str, WinPath], folder: WinPath | None) -> Iterable[Hidden]:
    for name in libraries:
        first = winners.get(name.lower())
        if first is None and folder is not None:
            winners[name.lower()] = folder
        known = identify(name) if first is not None else None
        if first is not None and known is not None and known.family in _FAMILIES:
            yield Hidden(name=name, by=first)


def _oddities(world: World, part: str, folder: WinPath | None) -> Iterable[Oddity]:
    if '"' in part:
        yield Oddity.QUOTED
    if part != part.strip():
        yield Oddity.BLANKS
    if "%" in part and part.count("%") > 1:
        yield Oddity.VARIABLE
    if folder is None:
        return
    if not WinPath(part.strip().strip('"')).is_absolute:
        yield Oddity.RELATIVE
    if folder.text.startswith("\\\\") or _drive(world, folder) is DriveKind.NETWORK:
        yield Oddity.NETWORK
    presence = world.files.presence(folder)
    if presence is Presence.ABSENT:
        yield Oddity.MISSING
    elif presence is Presence.FILE:
        yield Oddity.NOT_A_FOLDER
    elif presence is Presence.DENIED:
        yield Oddity.UNREADABLE
    elif presence is Presence.UNKNOWN:
        yield Oddity.ANOTHER_DRIVE


def _drive(world: World, folder: WinPath) -> DriveKind | None:
    return (world.measured.drives or {}).get(folder.text[:1].upper())
