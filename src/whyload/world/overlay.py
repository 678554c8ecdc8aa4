"""A file view seen through changes: files and folders taken out, others laid over it. The disk stays as it is."""

from __future__ import annotations

from collections.abc import Iterable

from whyload.base.bytesource import ByteSource, BytesSource
from whyload.base.paths import WinPath
from whyload.world.files import LayeredFiles, NamedFiles
from whyload.world.model import FileView, Presence

_CACHE = "__pycache__"


class WithoutFiles:
    """A view in which some files, or whole folders, are gone; a folder that loses all it had goes too."""

    def __init__(self, base: FileView, gone: Iterable[WinPath]) -> None:
        self._base = base
        self._gone = {path.key for path in gone}
        self._gone |= self._emptied()

    def _emptied(self) -> set[str]:
        """Folders all of whose names are gone, up to the first that keeps one (compiled files count for nothing)."""
        emptied: set[str] = set()
        waiting = {WinPath(key).parent for key in self._gone}
        while waiting:
            folder = waiting.pop()
            if folder.parent == folder or folder.key in emptied or self._base.presence(folder) is Presence.ABSENT:
                continue
            names = (name for name in self._base.listdir(folder) if name != _CACHE)
            if all((folder / name).key in self._gone or (folder / name).key in emptied for name in names):
                emptied.add(folder.key)
                waiting.add(folder.parent)
        return emptied

    def _is_gone(self, path: WinPath) -> bool:
        while path.parent != path:
            if path.key in self._gone:
                return True
            path = path.parent
        return False

    def presence(self, path: WinPath) -> Presence:
        """What stands at `path`."""
        return Presence.ABSENT if self._is_gone(path) else self._base.presence(path)

    def actual(self, path: WinPath) -> WinPath:
        """`path` with the last name as it is spelt."""
        return path if self._is_gone(path) else self._base.actual(path)

    def listdir(self, folder: WinPath) -> tuple[str, ...]:
        """Names in `folder` that are left."""
        if self._is_gone(folder):
            return ()
        return tuple(name for name in self._base.listdir(folder) if (folder / name).key not in self._gone)

    def source(self, path: WinPath) -> ByteSource | None:
        """The bytes, where the file is left."""
        return None if self._is_gone(path) else self._base.source(path)

    def size(self, path: WinPath) -> int | None:
        """The length, where the file is left."""
        return None if self._is_gone(path) else self._base.size(path)

    def identity(self, path: WinPath) -> object:
        """The identity in the base."""
        return self._base.identity(path)


class GivenFiles:
    """Files with the contents that are given."""

    def __init__(self, contents: dict[WinPath, bytes]) -> None:
        self._contents = {path.key: BytesSource(data) for path, data in contents.items()}
        folders: dict[WinPath, list[str]] = {}
        for path in contents:
            folders.setdefault(path.parent, []).append(path.name)
        self._names = NamedFiles(folders)

    def presence(self, path: WinPath) -> Presence:
        """What stands at `path`."""
        return self._names.presence(path)

    def actual(self, path: WinPath) -> WinPath:
        """`path` with the last name as it was given."""
        return self._names.actual(path)

    def listdir(self, folder: WinPath) -> tuple[str, ...]:
        """Names in `folder`, sorted without case."""
        return self._names.listdir(folder)

    def source(self, path: WinPath) -> ByteSource | None:
        """The bytes."""
        return self._contents.get(path.key)

    def size(self, path: WinPath) -> int | None:
        """The length."""
        source = self._contents.get(path.key)
        return source.size if source else None

    def identity(self, path: WinPath) -> object:
        """The path itself."""
        return path.key


class MovedFiles:
    """One file or folder of another view, seen under a new path as well."""

    def __init__(self, base: FileView, old: WinPath, new: WinPath) -> None:
        self._base, self._old, self._new = base, old, new

    def _origin(self, path: WinPath) -> WinPath | None:
        if path == self._new:
            return self._old
        return self._old / path.relative_to(self._new) if path.is_below(self._new) else None

    def presence(self, path: WinPath) -> Presence:
        """What stands at `path`."""
        origin = self._origin(path)
        return self._base.presence(origin) if origin else Presence.ABSENT

    def actual(self, path: WinPath) -> WinPath:
        """`path` with the last name as it is spelt."""
        origin = self._origin(path)
        return path.parent / self._base.actual(origin).name if origin and path != self._new else path

    def listdir(self, folder: WinPath) -> tuple[str, ...]:
        """Names in `folder`, sorted without case."""
        origin = self._origin(folder)
        if origin is not None:
            return self._base.listdir(origin)
        return (self._new.name,) if folder == self._new.parent else ()

    def source(self, path: WinPath) -> ByteSource | None:
        """The bytes."""
        origin = self._origin(path)
        return self._base.source(origin) if origin else None

    def size(self, path: WinPath) -> int | None:
        """The length."""
        origin = self._origin(path)
        return self._base.size(origin) if origin else None

    def identity(self, path: WinPath) -> object:
        """The identity under the old path."""
        origin = self._origin(path)
        return self._base.identity(origin) if origin else path.key


def laid_over(base: FileView, *views: FileView) -> FileView:
    """`views` over `base`, the first one on top."""
    return LayeredFiles((*views, base))
