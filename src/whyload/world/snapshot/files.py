"""The recorded files as a file view: what was not recorded is unknown, never absent."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from whyload.base.bytesource import ByteSource, BytesSource
from whyload.base.dataclass import dataclass, field
from whyload.base.paths import WinPath
from whyload.world.model import Presence
from whyload.world.snapshot.shape import RecordedFiles, RecordedFolder


@dataclass(slots=True)
class _Folder:
    """A folder by the lower-case names of its entries."""

    complete: bool = False
    names: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, Presence] = field(default_factory=dict)
    sizes: dict[str, int | None] = field(default_factory=dict)

    def add(self, name: str, kind: Presence, size: int | None = None) -> None:
        key = name.lower()
        self.names[key], self.kinds[key] = name, kind
        if kind is Presence.FILE:
            self.sizes[key] = size


class SnapshotFiles:
    """Files by their recorded names, sizes and pieces."""

    def __init__(self, recorded: RecordedFiles, contents: Mapping[str, Callable[[], ByteSource]]) -> None:
        """`contents` gives the source of a file by the key of its path."""
        self._contents = contents
        self._folders: dict[str, _Folder] = {}
        for folder in recorded.folders:
            self._take(folder)
        self._answers = {path.key: Presence.ABSENT for path in recorded.absent}
        self._answers |= {path.key: Presence.UNKNOWN for path in recorded.unknown}
        self._same = {path.key: number for number, paths in enumerate(recorded.same) for path in paths}

    def _take(self, recorded: RecordedFolder) -> None:
        folder = self._folder(recorded.path)
        folder.complete = recorded.complete
        for name, size in recorded.files.items():
            folder.add(name, Presence.FILE, size)
        for name in recorded.folders:
            folder.add(name, Presence.DIRECTORY)
        for name in recorded.denied:
            folder.add(name, Presence.DENIED)

    def _folder(self, path: WinPath) -> _Folder:
        """The folder, which stands in its parent too."""
        known = self._folders.get(path.key)
        if known is None:
            known = self._folders[path.key] = _Folder()
            if path.parent != path:
                self._folder(path.parent).add(path.name, Presence.DIRECTORY)
        return known

    def presence(self, path: WinPath) -> Presence:
        """What stands at `path`; unknown where nobody asked and the folder was not listed whole."""
        if path.key in self._folders:
            return Presence.DIRECTORY
        folder = self._folders.get(path.parent.key)
        if folder is not None and path.name.lower() in folder.kinds:
            return folder.kinds[path.name.lower()]
        return self._answers.get(path.key) or self._unlisted(path)

    def _unlisted(self, path: WinPath) -> Presence:
        """Absent where a folder on the way was listed whole and does not have the next name."""
        while path.parent != path:
            folder = self._folders.get(path.parent.key)
            if folder is not None:
                known = path.name.lower() in folder.kinds
                return Presence.ABSENT if folder.complete and not known else Presence.UNKNOWN
            path = path.parent
        return Presence.UNKNOWN

    def actual(self, path: WinPath) -> WinPath:
        """`path` with the last name as it was spelt."""
        folder = self._folders.get(path.parent.key)
        name = folder.names.get(path.name.lower()) if folder is not None else None
        return path.parent / name if name else path

    def listdir(self, folder: WinPath) -> tuple[str, ...]:
        """The recorded names in `folder`, sorted without case."""
        known = self._folders.get(folder.key)
        return tuple(known.names[key] for key in sorted(known.names)) if known is not None else ()

    def source(self, path: WinPath) -> ByteSource | None:
        """The recorded pieces of a file; None where none were."""
        opened = self._contents.get(path.key)
        return opened() if opened is not None else None

    def size(self, path: WinPath) -> int | None:
        """The recorded length."""
        folder = self._folders.get(path.parent.key)
        return folder.sizes.get(path.name.lower()) if folder is not None else None

    def identity(self, path: WinPath) -> object:
        """The number of the file where several paths lead to it."""
        return self._same.get(path.key, path.key)


class SparseSource:
    """Some pieces of a file. A read ends where the pieces end; beyond them there is nothing to be had."""

    def __init__(self, data: bytes, pieces: tuple[tuple[int, int], ...], size: int) -> None:
        self._size = size
        self.pieces: list[tuple[int, bytes]] = []
        position = 0
        for offset, length in pieces:
            self.pieces.append((offset, data[position : position + length]))
            position += length

    @property
    def size(self) -> int:
        """Length of the whole file in bytes."""
        return self._size

    def read(self, offset: int, length: int) -> bytes:
        """The bytes from `offset` as far as they were recorded."""
        for start, data in self.pieces:
            if 0 <= offset - start < len(data):
                return data[offset - start : offset - start + max(length, 0)]
        return b""


class UnreadableSource(BytesSource):
    """A file that is there and could not be read."""

    def read(self, offset: int, length: int) -> bytes:
        """Always raises PermissionError."""
        raise PermissionError(13, "it could not be read when the snapshot was made")
