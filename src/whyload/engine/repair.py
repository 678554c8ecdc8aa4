"""Which files of an installed distribution are not those of its wheel, and a world in which they are."""

from __future__ import annotations

import zlib

from whyload.base.bytesource import ByteSource
from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.base.record import normalised
from whyload.facts.packages import Packages
from whyload.world.model import FileView, Presence
from whyload.world.wheel import Wheel, WheelFiles

_NATIVE = (".dll", ".pyd", ".exe")
_CHUNK = 1 << 20


class NotThisWheelError(UsageError):
    """The distribution was installed from another wheel: single files of this one do not belong there."""


def damaged(
    files: FileView, packages: Packages, wheel: Wheel, new: WheelFiles, doubted: frozenset[str]
) -> tuple[WinPath, ...]:
    """Files of the wheel that are gone, empty, native and of another length, or doubted and of other contents.

    `new` shows the wheel where it is installed, `doubted` are keys of paths. Text that somebody edited is left alone.
    Raises NotThisWheelError where RECORD has other hashes than the wheel.
    """
    _check_origin(packages, wheel, new)
    found = []
    for path, info in new.members():
        size = files.size(path) if files.presence(path) is Presence.FILE else None
        other = size != info.file_size and (size is None or not size or path.suffix in _NATIVE)
        if other or (path.key in doubted and _checksum(files, path) != info.CRC):
            found.append(path)
    return tuple(path for path in found if path.name.upper() != "RECORD")


def _check_origin(packages: Packages, wheel: Wheel, new: WheelFiles) -> None:
    owners = [owner for owner in packages.owners() if normalised(owner.distribution) == normalised(wheel.distribution)]
    entries = [entry for owner in owners for entry in packages.files_of(owner)]
    recorded = {entry.path.key: f"sha256={entry.sha256}" for entry in entries if entry.sha256}
    shipped = new.hashes(wheel)
    both = recorded.keys() & shipped.keys()
    if not both or any(recorded[key] != shipped[key] for key in both):
        raise NotThisWheelError(
            Message(
                en=f"{wheel.distribution} was installed from another wheel than {wheel.path.name}",
                zh=f"{wheel.distribution} 不是从 {wheel.path.name} 安装的，而是来自另一个 wheel",
            )
        )


def _checksum(files: FileView, path: WinPath) -> int:
    source = files.source(path)
    value, offset = 0, 0
    while source is not None and (chunk := source.read(offset, _CHUNK)):
        value, offset = zlib.crc32(chunk, value), offset + len(chunk)
    return value


class Repaired:
    """The files of wheels, taken from the disk where they are there in the same length: that spares their unpacking."""

    def __init__(self, new: WheelFiles, disk: FileView, doubted: frozenset[str]) -> None:
        self._new, self._disk, self._doubted = new, disk, doubted

    def presence(self, path: WinPath) -> Presence:
        """What stands at `path`."""
        return self._new.presence(path)

    def actual(self, path: WinPath) -> WinPath:
        """`path` with the last name as the wheel spells it."""
        return self._new.actual(path)

    def listdir(self, folder: WinPath) -> tuple[str, ...]:
        """Names in `folder`, sorted without case."""
        return self._new.listdir(folder)

    def source(self, path: WinPath) -> ByteSource | None:
        """The bytes, from the disk where those are the same."""
        size = self._new.size(path)
        same = path.key not in self._doubted and size is not None and self._disk.size(path) == size
        return self._disk.source(path) if same else self._new.source(path)

    def size(self, path: WinPath) -> int | None:
        """The length in the wheel."""
        return self._new.size(path)

    def identity(self, path: WinPath) -> object:
        """The path itself."""
        return path.key
