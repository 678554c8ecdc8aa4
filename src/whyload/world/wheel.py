"""Wheels read in place: their members appear as the files of site-packages, nothing is unpacked.

Source: PyPA, "Binary distribution format" (where the parts of a wheel are installed).
"""

from __future__ import annotations

import tempfile
import weakref
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from whyload.base.bytesource import ByteSource, BytesSource
from whyload.base.dataclass import dataclass
from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.base.record import record_fields
from whyload.base.regular import regular
from whyload.base.typing import IO
from whyload.world.files import NamedFiles
from whyload.world.model import Presence
from whyload.world.zip_errors import UNREADABLE

_IN_MEMORY = 4 << 20
_LONGEST_TEXT = 8 << 20
_MOST_INFLATION = 100
"""Large members of some eighty published wheels shrink to a twentieth at most; deflate can do a thousandth."""
_DATA = regular(r"[^/]+\.data/(?P<scheme>purelib|platlib|scripts|data|headers)/(?P<rest>.+)")


class InflatedSource:
    """A compressed member: inflated as far as it was read, into a temporary file, so that memory stays flat."""

    def __init__(self, stream: IO[bytes], size: int, name: str) -> None:
        self._stream = stream
        self._name = name
        self._size = size
        self._store = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (lives as long as the source)
        self._inflated = 0
        weakref.finalize(self, self._store.close)

    @property
    def size(self) -> int:
        """Length of the member in bytes."""
        return self._size

    def read(self, offset: int, length: int) -> bytes:
        """The bytes from `offset`; what lies before is inflated too."""
        wanted = min(offset + length, self._size)
        while self._inflated < wanted:
            self._store.seek(self._inflated)
            try:
                chunk = self._stream.read(1 << 20)
            except UNREADABLE as error:
                raise UsageError(
                    Message(en=f"{self._name} cannot be read: {error}", zh=f"无法读取 {self._name}：{error}")
                ) from None
            if not chunk:
                self._size = wanted = self._inflated
                break
            self._store.write(chunk)
            self._inflated += len(chunk)
        if offset < 0 or offset >= wanted:
            return b""
        self._store.seek(offset)
        return self._store.read(wanted - offset)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """An opened wheel: `distribution` and `version` from its file name, `platform` its platform tags."""

    path: Path
    archive: zipfile.ZipFile
    distribution: str
    version: str
    tags: tuple[str, ...]
    """Python, ABI and platform tag as the file name has them."""

    @property
    def info_folder(self) -> str:
        """The name of its `.dist-info` folder."""
        for member in self.archive.namelist():
            folder, _, rest = member.partition("/")
            if folder.endswith(".dist-info") and "/" not in rest:
                return folder
        return f"{self.distribution}-{self.version}.dist-info"

    def text(self, name: str) -> str | None:
        """A file of the `.dist-info` folder, at most 8 MiB of it; None where there is none."""
        try:
            with self.archive.open(f"{self.info_folder}/{name}") as stream:
                return stream.read(_LONGEST_TEXT).decode("utf-8", "replace")
        except KeyError:
            return None
        except UNREADABLE as error:
            raise UsageError(_unreadable(self.path, name, error)) from None


def _unreadable(wheel: Path, member: str, error: Exception) -> Message:
    return Message(en=f"{wheel}: {member} cannot be read: {error}", zh=f"{wheel}：无法读取其中的 {member}：{error}")


def open_wheel(path: Path) -> Wheel:
    """Open a wheel. Raises UsageError where there is no such file, it is no zip, or its name is no wheel's."""
    parts = path.name[: -len(path.suffix)].split("-")
    if path.suffix.lower() != ".whl" or len(parts) not in (5, 6):
        raise UsageError(
            Message(
                en=f"{path}: not the file name of a wheel (NAME-VERSION-PYTHON-ABI-PLATFORM.whl)",
                zh=f"{path}：不是 wheel 的文件名（应为 NAME-VERSION-PYTHON-ABI-PLATFORM.whl）",
            )
        )
    try:
        archive = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise UsageError(Message(en=f"no such file: {path}", zh=f"没有这个文件：{path}")) from None
    except UNREADABLE as error:
        raise UsageError(
            Message(en=f"{path}: not a readable wheel: {error}", zh=f"{path}：无法作为 wheel 读取：{error}")
        ) from None
    wheel = Wheel(path=path, archive=archive, distribution=parts[0], version=parts[1], tags=tuple(parts[-3:]))
    if wheel.text("METADATA") is None:
        raise UsageError(
            Message(en=f"{path}: no METADATA in it: not a wheel", zh=f"{path}：其中没有 METADATA，不是 wheel")
        )
    return wheel


class WheelFiles:
    """The files of some wheels as they would lie after installation in one environment."""

    def __init__(self, wheels: Iterable[Wheel], site: WinPath, prefix: WinPath) -> None:
        self._members: dict[str, tuple[Wheel, zipfile.ZipInfo]] = {}
        self._sources: dict[str, ByteSource] = {}
        self._paths: list[WinPath] = []
        self._site, self._prefix = site, prefix
        folders: dict[WinPath, list[str]] = {site: []}
        for wheel in wheels:
            for info in _files_in(wheel.archive):
                path = _installed(info.filename, site, prefix)
                self._members[path.key] = (wheel, info)
                self._paths.append(path)
                folders.setdefault(path.parent, []).append(path.name)
            record = site / f"{wheel.info_folder}\\RECORD"
            folders.setdefault(record.parent, []).append(record.name)
            self._sources[record.key] = BytesSource(_installed_record(wheel, site, prefix))
        self._names = NamedFiles(folders)

    def members(self) -> list[tuple[WinPath, zipfile.ZipInfo]]:
        """Every file that is installed, and its member."""
        return [(path, self._members[path.key][1]) for path in self._paths]

    def extract(self, path: WinPath, target: Path) -> None:
        """Write the contents of a file to `target`. Raises UsageError where the wheel cannot be read, OSError where
        the disk does not take it.
        """
        wheel, info = self._members[path.key]
        try:
            stream = wheel.archive.open(info)
        except UNREADABLE as error:
            raise UsageError(_unreadable(wheel.path, info.filename, error)) from None
        with stream, target.open("wb") as file:
            while chunk := stream.read(1 << 20):
                file.write(chunk)

    def hashes(self, wheel: Wheel) -> dict[str, str]:
        """The digests in a wheel's own RECORD by the keys of the installed paths."""
        lines = map(record_fields, (wheel.text("RECORD") or "").splitlines())
        return {_installed(name, self._site, self._prefix).key: digest for name, digest, _ in lines if digest}

    def named(self, name: str) -> list[WinPath]:
        """The files of a base name, without case."""
        return [path for path in self._paths if path.name.lower() == name.lower()]

    def presence(self, path: WinPath) -> Presence:
        """What stands at `path`."""
        return self._names.presence(path)

    def actual(self, path: WinPath) -> WinPath:
        """`path` with the last name as the wheel spells it."""
        return self._names.actual(path)

    def listdir(self, folder: WinPath) -> tuple[str, ...]:
        """Names in `folder`, sorted without case."""
        return self._names.listdir(folder)

    def source(self, path: WinPath) -> ByteSource | None:
        """The member's bytes."""
        if path.key not in self._sources:
            member = self._members.get(path.key)
            if member is None:
                return None
            self._sources[path.key] = _member_source(*member)
        return self._sources[path.key]

    def size(self, path: WinPath) -> int | None:
        """The member's length."""
        member = self._members.get(path.key)
        if member is None or path.name.upper() == "RECORD":
            source = self._sources.get(path.key)
            return source.size if source else None
        return member[1].file_size

    def identity(self, path: WinPath) -> object:
        """The path itself."""
        return path.key


def _files_in(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The members that are files; one without a name, on which `is_dir` fails, is none."""
    return [info for info in archive.infolist() if info.filename and not info.is_dir()]


def _installed_record(wheel: Wheel, site: WinPath, prefix: WinPath) -> bytes:
    """RECORD as an installer writes it: the paths of the installed files. A file that RECORD alone has is kept."""
    lines = {}
    for line in (wheel.text("RECORD") or "").splitlines():
        name, digest, size = record_fields(line)
        if name:
            path = _installed(name, site, prefix)
            lines[path.key] = f'"{path}",{digest},{size}'
    for info in _files_in(wheel.archive):
        path = _installed(info.filename, site, prefix)
        lines.setdefault(path.key, f'"{path}",,{info.file_size}')
    return "\n".join(lines.values()).encode("utf-8", "surrogatepass")


def _member_source(wheel: Wheel, info: zipfile.ZipInfo) -> ByteSource:
    if info.file_size > _IN_MEMORY and info.file_size > _MOST_INFLATION * info.compress_size:
        times = info.file_size // max(info.compress_size, 1)
        raise UsageError(
            Message(
                en=f"{wheel.path}: {info.filename} claims to be {times} times as long as it is packed",
                zh=f"{wheel.path}：{info.filename} 声称的大小是压缩后的 {times} 倍",
            )
        )
    try:
        if info.file_size <= _IN_MEMORY:
            return BytesSource(wheel.archive.read(info))
        return InflatedSource(wheel.archive.open(info), info.file_size, f"{wheel.path}: {info.filename}")
    except UNREADABLE as error:
        raise UsageError(_unreadable(wheel.path, info.filename, error)) from None


def _installed(member: str, site: WinPath, prefix: WinPath) -> WinPath:
    scheme, rest = scheme_of(member)
    folders = {"scripts": prefix / "Scripts", "data": prefix, "headers": prefix / "Include"}
    return folders.get(scheme, site) / rest


def scheme_of(member: str) -> tuple[str, str]:
    """Where a member is installed: the key of sysconfig's scheme, and the path below that folder."""
    match = _DATA.fullmatch(member)
    return (match["scheme"], match["rest"]) if match is not None else ("platlib", member)


def destinations(wheel: Wheel, folders: Mapping[str, Path]) -> list[Path]:
    """The files that an installation of the wheel makes, entry points and compiled files apart.

    `folders` has the paths of `purelib`, `platlib`, `scripts`, `data` and `headers`.
    """
    found = []
    for info in _files_in(wheel.archive):
        scheme, rest = scheme_of(info.filename)
        found.append(folders[scheme] / rest)
    return found
