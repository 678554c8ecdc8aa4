"""Files of a real disk: positioned, unbuffered reads, and a folder that stands for a Windows drive."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable

from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.base.typing import TYPE_CHECKING
from whyload.world.model import Presence

if TYPE_CHECKING:
    from whyload.base.bytesource import ByteSource
    from whyload.base.typing import TypeAlias

HostPath: TypeAlias = "str | os.PathLike[str]"
"""A path of the machine that whyload runs on. This module does without `pathlib`, which costs 3 ms to import."""
_OPEN_AT_ONCE = 64
_NOT_IN_A_NAME = frozenset({*map(chr, range(32)), *'<>:"/\\|?*'})
"""What no name of a file on Windows holds (Microsoft, "Naming Files, Paths, and Namespaces"); others allow it."""
_PREAD = getattr(os, "pread", None)


class Handles:
    """Open files of one view, the least recently used closed first: a machine has more DLLs than may be open at once.

    They are closed with the view, so that the files can be replaced and a later view reads the new ones.
    """

    def __init__(self) -> None:
        self._open: OrderedDict[str, int] = OrderedDict()

    def get(self, path: str) -> int:
        if path in self._open:
            self._open.move_to_end(path)
            return self._open[path]
        if len(self._open) >= _OPEN_AT_ONCE:
            os.close(self._open.popitem(last=False)[1])
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0))
        self._open[path] = handle
        return handle

    def close(self) -> None:
        """Close all of them; one that is read again is opened again."""
        while self._open:
            os.close(self._open.popitem()[1])

    def __del__(self, close: Callable[[int], None] = os.close) -> None:
        for handle in self._open.values():
            close(handle)


def close_every_file() -> None:
    """Close the open files of every view: Windows neither renames nor removes what somebody holds."""
    import gc

    for item in gc.get_objects():
        if type(item) is Handles:
            item.close()


class FileSource:
    """Positioned reads from a file on disk, without a memory map (measured dearer, and it locks the file on
    Windows).
    """

    __slots__ = ("_handles", "_path", "_size")

    def __init__(self, path: str, size: int, handles: Handles) -> None:
        self._handles = handles
        self._path = path
        self._size = size

    @property
    def size(self) -> int:
        """Length of the file in bytes."""
        return self._size

    def read(self, offset: int, length: int) -> bytes:
        """The bytes from `offset`; raises OSError where the disk fails."""
        if length <= 0 or offset < 0 or offset >= self._size:
            return b""
        handle = self._handles.get(self._path)
        if _PREAD is not None:
            return bytes(_PREAD(handle, length, offset))
        os.lseek(handle, offset, os.SEEK_SET)
        return os.read(handle, length)


class FolderFiles:
    """A folder that stands for drive `C:`, or for a folder there; names are looked up without case on any file system.

    Every folder is listed once and remembered. Symbolic links are followed; what is on other drives is unknown.
    """

    def __init__(self, root: HostPath, mount: WinPath | None = None) -> None:
        if not os.path.isdir(root):  # noqa: PTH112
            raise UsageError(Message(en=f"no such folder: {root}", zh=f"没有这个目录：{root}"))
        self._mount = mount or WinPath("C:\\")
        self._handles = Handles()
        self._closed: set[str] = set()
        self._identities: dict[str, object] = {}
        self._listed: dict[str, dict[str, os.DirEntry[str]] | None] = {}
        self._real: dict[str, str] = {self._mount.key: os.fspath(root)}

    def _entries(self, folder: WinPath) -> dict[str, os.DirEntry[str]] | None:
        """Entries of a folder by lower-case name; None where it is not there or not readable."""
        if folder.key not in self._listed:
            self._listed[folder.key] = self._scan(folder)
        return self._listed[folder.key]

    def _scan(self, folder: WinPath) -> dict[str, os.DirEntry[str]] | None:
        real = self._real_folder(folder)
        if real is None:
            return None
        try:
            with os.scandir(real) as entries:
                possible = [e for e in entries if _NOT_IN_A_NAME.isdisjoint(e.name) and not _leads_back(e)]
                return {entry.name.lower(): entry for entry in sorted(possible, key=lambda e: e.name, reverse=True)}
        except PermissionError:
            self._closed.add(folder.key)
            return None
        except OSError:
            return None

    def _real_folder(self, folder: WinPath) -> str | None:
        if folder.key not in self._real:
            entry = self._entry(folder)
            if entry is None:
                return None
            self._real[folder.key] = entry.path
        return self._real[folder.key]

    def _entry(self, path: WinPath) -> os.DirEntry[str] | None:
        parent = path.parent
        if not path.is_below(self._mount):
            return None
        entries = self._entries(parent)
        return entries.get(path.name.lower()) if entries else None

    def presence(self, path: WinPath) -> Presence:
        """What stands at `path`."""
        if path.key[:2] != self._mount.key[:2]:
            return Presence.UNKNOWN
        if path.key in self._real:
            return Presence.DIRECTORY
        entry = self._entry(path)
        if entry is None:
            return Presence.UNKNOWN if path.parent.key in self._closed else Presence.ABSENT
        try:
            if entry.is_dir():
                return Presence.DIRECTORY
            entry.stat()
        except FileNotFoundError:  # a link that leads nowhere
            return Presence.ABSENT
        except OSError:
            return Presence.DENIED
        return Presence.FILE

    def actual(self, path: WinPath) -> WinPath:
        """`path` with every name as it is spelt on disk."""
        if not path.is_below(self._mount):
            return path
        entry = self._entry(path)
        return self.actual(path.parent) / (entry.name if entry else path.name)

    def listdir(self, folder: WinPath) -> tuple[str, ...]:
        """Names in `folder`, sorted without case."""
        entries = self._entries(folder)
        return tuple(entries[key].name for key in sorted(entries)) if entries else ()

    def source(self, path: WinPath) -> ByteSource | None:
        """The file's bytes; None where it is no readable file."""
        entry = self._entry(path)
        if entry is None:
            return None
        try:
            return None if entry.is_dir() else FileSource(entry.path, entry.stat().st_size, self._handles)
        except OSError:
            return None

    def size(self, path: WinPath) -> int | None:
        """The file's length."""
        entry = self._entry(path)
        try:
            return entry.stat().st_size if entry else None
        except OSError:
            return None

    def identity(self, path: WinPath) -> object:
        """Device and inode, so that hard links are recognised as one file; asked for once for each path."""
        known = self._identities.get(path.key)
        if known is None:
            known = self._identities[path.key] = self._identity(path)
        return known

    def _identity(self, path: WinPath) -> object:
        entry = self._entry(path)
        try:
            status = os.stat(entry.path) if entry else None  # noqa: PTH116 - an entry's own stat has no inode on Windows
        except OSError:
            status = None
        return (status.st_dev, status.st_ino) if status and status.st_ino else path.key


def _leads_back(entry: os.DirEntry[str]) -> bool:
    """Is it a link to a folder that it lies in? Whoever walks the folders would meet the same files without end."""
    if not entry.is_symlink():
        return False
    target, place = os.path.realpath(entry.path), os.path.realpath(os.path.dirname(entry.path))  # noqa: PTH120
    return place == target or place.startswith(target.rstrip(os.sep) + os.sep)
