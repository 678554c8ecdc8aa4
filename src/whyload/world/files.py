"""File views over described files and over other views. No disk is touched here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from whyload.base.typing import TYPE_CHECKING
from whyload.world.model import FileView, Presence

if TYPE_CHECKING:
    from whyload.base.bytesource import ByteSource
    from whyload.base.paths import WinPath


class _NoContents:
    """What a view says of files whose contents nobody has."""

    def source(self, path: WinPath) -> ByteSource | None:
        """Never known."""
        return None

    def size(self, path: WinPath) -> int | None:
        """Never known."""
        return None

    def identity(self, path: WinPath) -> object:
        """The path itself."""
        return path.key


class NamedFiles(_NoContents):
    """Files known by name only, such as the system DLLs of a clean Windows: they exist, their contents are
    not known.
    """

    def __init__(self, folders: Mapping[WinPath, Iterable[str]]) -> None:
        self._folders: dict[str, dict[str, str]] = {}
        self._below: dict[str, set[str]] = {}
        for folder, names in folders.items():
            self._add_folder(folder)
            given = tuple(names)
            self._folders[folder.key].update(zip(map(str.lower, given), given, strict=True))

    def _add_folder(self, folder: WinPath) -> None:
        while folder.key not in self._folders:
            self._folders[folder.key] = {}
            if folder.parent.key != folder.key:
                self._below.setdefault(folder.parent.key, set()).add(folder.name)
            folder = folder.parent

    def presence(self, path: WinPath) -> Presence:
        """What stands at `path`."""
        if path.key in self._folders:
            return Presence.DIRECTORY
        known = self._folders.get(path.parent.key)
        return Presence.FILE if known is not None and path.name.lower() in known else Presence.ABSENT

    def actual(self, path: WinPath) -> WinPath:
        """`path` with the last name as it was given."""
        known = self._folders.get(path.parent.key, {})
        return path.parent / known.get(path.name.lower(), path.name)

    def listdir(self, folder: WinPath) -> tuple[str, ...]:
        """Names in `folder`, sorted without case; folders in it come from the folders that are described."""
        files = self._folders.get(folder.key, {})
        return tuple(sorted([*files.values(), *self._below.get(folder.key, ())], key=str.lower))


class LayeredFiles:
    """Several views laid over one another; the first that has something at a path decides."""

    def __init__(self, views: Sequence[FileView]) -> None:
        self._views = tuple(views)

    def _owner(self, path: WinPath) -> tuple[FileView | None, Presence]:
        unknown = False
        for view in self._views:
            found = view.presence(path)
            if found is Presence.UNKNOWN:
                unknown = True
            elif found is not Presence.ABSENT:
                return view, found
        return None, Presence.UNKNOWN if unknown else Presence.ABSENT

    def presence(self, path: WinPath) -> Presence:
        """What stands at `path`."""
        return self._owner(path)[1]

    def actual(self, path: WinPath) -> WinPath:
        """`path` with the last name as it is spelt where it was found."""
        owner, _ = self._owner(path)
        return owner.actual(path) if owner else path

    def listdir(self, folder: WinPath) -> tuple[str, ...]:
        """Names of all layers, sorted without case; a name that several layers have appears once."""
        names: dict[str, str] = {}
        for view in reversed(self._views):
            listed = view.listdir(folder)
            names.update(zip(map(str.lower, listed), listed, strict=True))
        return tuple(map(names.__getitem__, sorted(names)))

    def source(self, path: WinPath) -> ByteSource | None:
        """The bytes, from the layer that has the file."""
        owner, _ = self._owner(path)
        return owner.source(path) if owner else None

    def size(self, path: WinPath) -> int | None:
        """The length, from the layer that has the file."""
        owner, _ = self._owner(path)
        return owner.size(path) if owner else None

    def identity(self, path: WinPath) -> object:
        """The identity, from the layer that has the file."""
        owner, _ = self._owner(path)
        return owner.identity(path) if owner else path.key


class UnknownBelow(_NoContents):
    """Says "unknown" for what lies in one folder: the last layer where that folder is not known, or some
    names in it are not.
    """

    def __init__(self, folder: WinPath, names: frozenset[str] | None = None) -> None:
        self._folder = folder
        self._names = names

    def presence(self, path: WinPath) -> Presence:
        """Unknown for the names (None: for all) below the folder, absent elsewhere."""
        if not path.is_below(self._folder) or (self._names is not None and path.name.lower() not in self._names):
            return Presence.ABSENT
        return Presence.UNKNOWN

    def actual(self, path: WinPath) -> WinPath:
        """The path itself."""
        return path

    def listdir(self, folder: WinPath) -> tuple[str, ...]:
        """Nothing that could be listed."""
        return ()


class KnownRegistry:
    """The registry values that a description brings along; every other key is unknown."""

    def __init__(self, keys: Mapping[str, Mapping[str, object]]) -> None:
        self._keys = {_key(name).lower(): dict(values) for name, values in keys.items()}
        self._names = [_key(name) for name in keys]

    def values(self, key: str) -> Mapping[str, object] | None:
        """Values of `key`; None where the description does not have it."""
        return self._keys.get(_key(key).lower())

    def subkeys(self, key: str) -> tuple[str, ...] | None:
        """Keys below `key` that the description has; None where it has none: there may be some."""
        start = _key(key).lower() + "\\"
        below = [name[len(start) :].partition("\\")[0] for name in self._names if name.lower().startswith(start)]
        names = {name.lower(): name for name in below}
        return tuple(names[folded] for folded in sorted(names)) or (() if start[:-1] in self._keys else None)


def _key(name: str) -> str:
    return name.replace("/", "\\").strip("\\")
