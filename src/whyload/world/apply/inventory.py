"""What lies in the parts of an environment that a session may touch.

A part is a folder or file directly below one of the environment's roots (`torch` in site-packages), with all below it.
Names alone decide what is part of it; links are never followed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from whyload.base.dataclass import dataclass

CACHE = "__pycache__"


@dataclass(frozen=True, slots=True)
class Entry:
    """A file (its length in bytes and its time in nanoseconds), a link, or a folder."""

    size: int
    time: int
    link: str | None = None
    folder: bool = False

    @property
    def values(self) -> list[object]:
        """For JSON."""
        return [self.size, self.time, self.link, self.folder]


Inventory = Mapping[str, Entry]
"""Entries by full path."""


def take(parts: Iterable[Path]) -> dict[str, Entry]:
    """Everything in these parts; a part that is not there gives nothing."""
    found: dict[str, Entry] = {}
    for part in parts:
        _walk(str(part), found)
    return found


def _walk(path: str, found: dict[str, Entry], status: os.stat_result | None = None) -> None:
    """A folder's own list has the lengths and times: on Windows, asking for each file costs far more."""
    try:
        found[path] = entry_of(path, status or os.lstat(path))
        if not found[path].folder:
            return
        with os.scandir(path) as entries:
            below = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in below:
        _walk(entry.path, found, entry.stat(follow_symlinks=False))


def entry_of(path: str, status: os.stat_result) -> Entry:
    """The entry for what stands at `path`."""
    if stat.S_ISLNK(status.st_mode):
        return Entry(0, 0, link=os.readlink(path))  # noqa: PTH115
    if stat.S_ISDIR(status.st_mode):
        return Entry(0, 0, folder=True)
    return Entry(status.st_size, status.st_mtime_ns)


def differences(before: Inventory, after: Inventory) -> list[str]:
    """Paths that are not the same in both, sorted; what Python compiles by itself counts for nothing."""
    names = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    return sorted(path for path in names if CACHE not in Path(path).parts)


def to_values(inventory: Inventory) -> dict[str, list[object]]:
    """For JSON."""
    return {path: entry.values for path, entry in inventory.items()}


def from_values(values: Mapping[str, list[object]]) -> dict[str, Entry]:
    """Back from JSON. Raises ValueError where it is none of ours."""
    found = {}
    for path, row in values.items():
        size, time, link, folder = row
        if not isinstance(size, int) or not isinstance(time, int) or not isinstance(link, str | None):
            raise ValueError(path)
        found[path] = Entry(size, time, link, folder is True)
    return found
