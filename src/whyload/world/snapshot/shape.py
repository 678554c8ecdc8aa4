"""What stands in the parts of a snapshot (docs/snapshot.md). Every part is JSON of these shapes."""

from __future__ import annotations

from collections.abc import Mapping

from whyload.base.dataclass import dataclass, field
from whyload.base.paths import WinPath

SCHEMA = "whyload.snapshot/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """`snapshot.json`: which format this is, and who wrote it."""

    schema: str
    whyload: str
    source: str
    """The kind of world that was recorded: `live` or `folder`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedFolder:
    """One folder as it was listed."""

    path: WinPath
    complete: bool = True
    """False where only what bears on libraries was written down: other names are not known."""
    files: Mapping[str, int | None] = field(default_factory=dict)
    """Size in bytes by name; None where it is not known."""
    folders: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    """Files that are there and cannot be opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedFiles:
    """`files.json`."""

    folders: tuple[RecordedFolder, ...] = ()
    absent: tuple[WinPath, ...] = ()
    """Paths that were asked for and are not there."""
    unknown: tuple[WinPath, ...] = ()
    """Paths that were asked for and could not be decided."""
    same: tuple[tuple[WinPath, ...], ...] = ()
    """Paths of one and the same file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedImage:
    """One entry of `images.json`: the pieces of a file whose bytes stand one after the other in `images/<number>`."""

    path: WinPath
    size: int
    """Of the whole file, in bytes."""
    pieces: tuple[tuple[int, int], ...] = ()
    """Offset and length in bytes, ascending."""
    unreadable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedKey:
    """What was read of one registry key; None where it may not be read or was not asked for."""

    values: Mapping[str, object] | None = None
    subkeys: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedImages:
    """`images.json`."""

    items: tuple[RecordedImage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTexts:
    """`texts.json`: the paths of the texts in `texts/<number>`."""

    items: tuple[WinPath, ...] = ()
