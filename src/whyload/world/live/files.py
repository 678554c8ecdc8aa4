"""The real file system of a Windows machine. Every folder is listed once and remembered for the run."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from whyload.base.bytesource import ByteSource
from whyload.base.paths import WinPath
from whyload.world.disk import FileSource, Handles
from whyload.world.model import Presence

_LOADABLE = (".dll", ".pyd", ".exe", ".drv", ".so")
_LONG = 240


class LiveFiles:
    """Files by their Windows paths.

    `windows` is None where System32 is what it says, and the Windows folder in a 32-bit process on a 64-bit system,
    which reaches the real System32 through Sysnative only (loader.md R2.37).
    """

    def __init__(self, windows: WinPath | None = None) -> None:
        self._system32 = windows / "System32" if windows else None
        self._sysnative = windows / "Sysnative" if windows else None
        self._listed: dict[str, Mapping[str, os.DirEntry[str]] | None] = {}
        self._presence: dict[str, Presence] = {}
        self._handles = Handles()

    def forget(self) -> None:
        """Drop all that is remembered, after the disk was changed."""
        self._listed.clear()
        self._presence.clear()
        self._handles = Handles()

    def real(self, path: WinPath) -> str:
        """The text under which this process reaches `path`."""
        if self._system32 and self._sysnative and (path == self._system32 or path.is_below(self._system32)):
            path = self._sysnative / path.relative_to(self._system32) if path != self._system32 else self._sysnative
        text = path.text
        if len(text) < _LONG or text.startswith("\\\\?\\"):
            return text
        return "\\\\?\\UNC\\" + text[2:] if text.startswith("\\\\") else "\\\\?\\" + text

    def _entries(self, folder: WinPath) -> Mapping[str, os.DirEntry[str]] | None:
        """Entries by lower-case name; empty where the folder is not there, None where it may not be listed."""
        if folder.key not in self._listed:
            try:
                with os.scandir(self.real(folder)) as entries:
                    self._listed[folder.key] = {entry.name.lower(): entry for entry in entries}
            except (FileNotFoundError, NotADirectoryError):
                self._listed[folder.key] = {}
            except (OSError, ValueError):
                self._listed[folder.key] = None
        return self._listed[folder.key]

    def presence(self, path: WinPath) -> Presence:
        """What stands at `path`; DENIED also for a library that is there but cannot be opened (R2.33)."""
        if path.key not in self._presence:
            self._presence[path.key] = self._look(path)
        return self._presence[path.key]

    def _look(self, path: WinPath) -> Presence:
        if not path.is_absolute:
            return Presence.UNKNOWN
        entries = self._entries(path.parent) if path.parent != path else None
        if entries is not None and path.name.lower() not in entries:
            return Presence.ABSENT
        try:
            entry = entries.get(path.name.lower()) if entries is not None else None
            folder = entry.is_dir() if entry is not None else stat.S_ISDIR(Path(self.real(path)).stat().st_mode)
            if folder:
                return Presence.DIRECTORY
            if path.suffix in _LOADABLE:
                os.close(os.open(self.real(path), os.O_RDONLY | getattr(os, "O_BINARY", 0)))
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return Presence.ABSENT
        except PermissionError:
            return Presence.DENIED
        except OSError:
            return Presence.UNKNOWN
        return Presence.FILE

    def actual(self, path: WinPath) -> WinPath:
        """`path` with the last name as it is spelt on disk."""
        entries = self._entries(path.parent) if path.parent != path else None
        entry = entries.get(path.name.lower()) if entries else None
        return path.parent / entry.name if entry is not None else path

    def listdir(self, folder: WinPath) -> tuple[str, ...]:
        """Names in `folder`, sorted without case."""
        entries = self._entries(folder)
        return tuple(entries[key].name for key in sorted(entries)) if entries else ()

    def source(self, path: WinPath) -> ByteSource | None:
        """The file's bytes; None where it is no file that can be opened."""
        size = self.size(path)
        return (
            None
            if size is None or self.presence(path) is not Presence.FILE
            else FileSource(self.real(path), size, self._handles)
        )

    def size(self, path: WinPath) -> int | None:
        """The file's length."""
        status = self._status(path)
        return status.st_size if status is not None else None

    def identity(self, path: WinPath) -> object:
        """Volume and file number, the same for two names of one file."""
        status = self._status(path)
        return (status.st_dev, status.st_ino) if status is not None and status.st_ino else path.key

    def _status(self, path: WinPath) -> os.stat_result | None:
        try:
            return Path(self.real(path)).stat()
        except (OSError, ValueError):
            return None
