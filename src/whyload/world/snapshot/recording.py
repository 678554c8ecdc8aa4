"""Views that pass everything on and remember what was asked, so that the same questions can be answered elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from whyload.base.bytesource import ByteSource
from whyload.base.dataclass import dataclass
from whyload.base.paths import WinPath
from whyload.base.regular import regular
from whyload.world.model import FileView, Presence, Registry
from whyload.world.snapshot.shape import RecordedFiles, RecordedFolder, RecordedKey

NATIVE = (".dll", ".pyd", ".exe", ".drv", ".so", ".cpl", ".ocx", ".sys")
_METADATA = regular(
    r"\.(?:dist|egg)-info\\(?:RECORD|METADATA|PKG-INFO|INSTALLER|WHEEL|REQUESTED|direct_url\.json|top_level\.txt)$"
    r"|\\conda-meta\\(?:[^\\]+\.json|history)$|\\pyvenv\.cfg$|\\[^\\]+\._pth$|\\version\.(?:json|txt)$",
    re.IGNORECASE,
)
"""Texts that are kept: what installers write down of a distribution, and where an environment lies."""
_VARIABLE = regular(
    r"(?:PYTHON|CONDA|MAMBA|CUDA|CUDNN|NVTOOLSEXT|TENSORRT|TORCH|HIP|ROCM|HSA_|ONEAPI|MKL|KMP_|OMP_|OPENBLAS|ORT_|CUPY_|QT_"
    r"|GDAL|PROJ_|HDF5|OPENCV|GTK|LD_|DYLD_|PROGRAMFILES|PROGRAMW|COMMONPROGRAM|PROCESSOR_|VS\d)|(?:PATH|PATHEXT|SYSTEMROOT"
    r"|WINDIR|SYSTEMDRIVE|PROGRAMDATA|ALLUSERSPROFILE|APPDATA|LOCALAPPDATA|USERPROFILE|TEMP|TMP|HOME|VIRTUAL_ENV|OS|VCTOOLS\w*"
    r"|NUMBER_OF_PROCESSORS|__PYVENV_LAUNCHER__|__COMPAT_LAYER|USE_PATH_FOR_GDAL_PYTHON|JAVA_HOME|R_HOME)$",
    re.IGNORECASE,
)


class RecordingFiles:
    """A file view that remembers."""

    def __init__(self, files: FileView) -> None:
        self._files = files
        self._asked: dict[str, tuple[WinPath, Presence]] = {}
        self._listed: dict[str, WinPath] = {}
        self._opened: dict[str, WinPath] = {}
        self._identities: dict[object, dict[str, WinPath]] = {}

    def presence(self, path: WinPath) -> Presence:
        """What stands at `path`."""
        known = self._asked.get(path.key)
        if known is None:
            known = self._asked[path.key] = (path, self._files.presence(path))
        return known[1]

    def actual(self, path: WinPath) -> WinPath:
        """`path` as it is spelt on disk."""
        self.presence(path)
        return self._files.actual(path)

    def listdir(self, folder: WinPath) -> tuple[str, ...]:
        """Names in `folder`."""
        self._listed.setdefault(folder.key, folder)
        return self._files.listdir(folder)

    def source(self, path: WinPath) -> ByteSource | None:
        """The file's bytes."""
        self.presence(path)
        source = self._files.source(path)
        if source is not None:
            self._opened.setdefault(path.key, path)
        return source

    def size(self, path: WinPath) -> int | None:
        """The file's length."""
        self.presence(path)
        return self._files.size(path)

    def identity(self, path: WinPath) -> object:
        """The file's identity."""
        identity = self._files.identity(path)
        self._identities.setdefault(identity, {}).setdefault(path.key, path)
        return identity

    def natives(self) -> tuple[WinPath, ...]:
        """Libraries and programs whose contents were asked for, in order of path."""
        return tuple(self._opened[key] for key in sorted(self._opened) if key.endswith(NATIVE))

    def texts(self) -> tuple[WinPath, ...]:
        """Texts of distributions and environments that were asked for."""
        return tuple(self._opened[key] for key in sorted(self._opened) if _METADATA.search(key))

    def met(self) -> frozenset[str]:
        """Keys of the folders on the way to everything that was asked for."""
        found: set[str] = set()
        for path in (*(path for path, _ in self._asked.values()), *self._listed.values()):
            while path.key not in found:
                found.add(path.key)
                path = path.parent
        return frozenset(found)

    def freeze(self, privacy: Privacy) -> RecordedFiles:
        """All names and sizes that the questions met."""
        folders = dict(self._listed)
        for path, _ in self._asked.values():
            folders.setdefault(path.parent.key, path.parent)
        present = [folders[key] for key in sorted(folders) if self._is_folder(folders[key])]
        recorded = tuple(self._folder(folder, privacy) for folder in present)
        whole = {folder.path.key for folder in recorded if folder.complete}
        asked = [self._asked[key] for key in sorted(self._asked) if self._asked[key][0].parent.key not in whole]
        return RecordedFiles(
            folders=recorded,
            absent=tuple(path for path, found in asked if found is Presence.ABSENT),
            unknown=tuple(path for path, found in asked if found is Presence.UNKNOWN),
            same=tuple(tuple(paths.values()) for paths in self._identities.values() if len(paths) > 1),
        )

    def _is_folder(self, folder: WinPath) -> bool:
        return self._files.presence(folder) is Presence.DIRECTORY

    def _folder(self, folder: WinPath, privacy: Privacy) -> RecordedFolder:
        files: dict[str, int | None] = {}
        folders: list[str] = []
        denied: list[str] = []
        whole = privacy.is_software(folder)
        for name in self._files.listdir(folder):
            path = folder / name
            if not (whole or path.key in self._asked or privacy.matters(name)):
                continue
            kind = self._kind(path)
            if kind is Presence.DIRECTORY:
                folders.append(name)
            elif kind is Presence.DENIED:
                denied.append(name)
            elif kind is not Presence.ABSENT:
                files[name] = self._files.size(path)
        complete = whole and self._files.presence(folder / "whyload-is-not-there.dll") is Presence.ABSENT
        return RecordedFolder(path=folder, complete=complete, files=files, folders=tuple(folders), denied=tuple(denied))

    def _kind(self, path: WinPath) -> Presence:
        """Without opening every library of the system, which is what the live machine does to see whether it may."""
        known = self._asked.get(path.key)
        if known is not None:
            return known[1]
        return Presence.FILE if path.suffix in NATIVE else self._files.presence(path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Privacy:
    """Which folders hold software, to be listed whole; in all others only what bears on libraries is written down."""

    software: tuple[WinPath, ...]
    modules: frozenset[str]
    """Names, in lower case, of modules that a file beside the program could hide."""

    def is_software(self, folder: WinPath) -> bool:
        """The folder belongs to Windows, Python, a package or another installed program."""
        return any(folder == top or folder.is_below(top) for top in self.software)

    def matters(self, name: str) -> bool:
        """A library or program, or something that Python would take for an installed module."""
        lower = name.lower()
        return lower.endswith(NATIVE) or lower.partition(".")[0] in self.modules or lower == "pyvenv.cfg"


class RecordingRegistry:
    """A registry that remembers."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._values: dict[str, Mapping[str, object] | None] = {}
        self._subkeys: dict[str, tuple[str, ...] | None] = {}

    def values(self, key: str) -> Mapping[str, object] | None:
        """Values of `key`."""
        self._values[key] = found = self._registry.values(key)
        return found

    def subkeys(self, key: str) -> tuple[str, ...] | None:
        """Names of the keys below `key`."""
        self._subkeys[key] = found = self._registry.subkeys(key)
        return found

    def freeze(self, value: Callable[[str, object], object]) -> dict[str, RecordedKey]:
        """What was asked; `value` is what becomes of (name, value)."""
        keys = sorted({*self._values, *self._subkeys}, key=str.lower)
        return {key: RecordedKey(values=self._frozen(key, value), subkeys=self._subkeys.get(key)) for key in keys}

    def _frozen(self, key: str, value: Callable[[str, object], object]) -> Mapping[str, object] | None:
        found = self._values.get(key)
        return None if found is None else {name: _kept(value(name, item)) for name, item in found.items()}


def _kept(value: object) -> object:
    """Numbers and texts; binary values are left out."""
    if isinstance(value, list | tuple):
        return tuple(str(item) for item in value)
    return value if isinstance(value, str | int) else None


def variables_that_matter(variables: Mapping[str, str], met: frozenset[str]) -> dict[str, str]:
    """Those that a loader, Python or a package obeys when libraries are looked for, and those that name a folder in
    which something was looked for (`met`); no others leave the machine.
    """
    return {name: value for name, value in variables.items() if _VARIABLE.match(name) or _names_one_of(value, met)}


def _names_one_of(value: str, met: frozenset[str]) -> bool:
    path = WinPath(value.strip('"')) if value[1:2] == ":" or value.startswith(('"', "\\\\")) else None
    return path is not None and path.parent != path and path.key in met


def pieces_of(reads: Iterable[tuple[int, int]], size: int) -> Iterator[tuple[int, int]]:
    """Reads of (offset, length) as disjoint ascending pieces within `size` bytes."""
    start = end = 0
    for offset, length in sorted(reads):
        stop = min(offset + length, size)
        if offset > end or end == start:
            if end > start:
                yield start, end - start
            start, end = offset, max(offset, stop)
        else:
            end = max(end, stop)
    if end > start:
        yield start, end - start


class LoggedSource:
    """Bytes of a file, with the log of which of them were read."""

    def __init__(self, source: ByteSource) -> None:
        self._source = source
        self.reads: list[tuple[int, int]] = []

    @property
    def size(self) -> int:
        """Length of the file in bytes."""
        return self._source.size

    def read(self, offset: int, length: int) -> bytes:
        """The bytes from `offset`."""
        data = self._source.read(offset, length)
        if data:
            self.reads.append((offset, len(data)))
        return data
