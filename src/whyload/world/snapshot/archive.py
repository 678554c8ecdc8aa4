"""The zip file of a snapshot. What comes from elsewhere is not trusted: its size, counts and names are looked at before
anything is inflated, and whatever is wrong with it ends in one UsageError.

Source: PKWARE, "APPNOTE" 4.3.12, 4.3.14 and 4.3.16 (central directory, zip64, end of central directory).
"""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path

from whyload.base.errors import UsageError
from whyload.base.message import Message, message
from whyload.base.regular import regular
from whyload.world.zip_errors import UNREADABLE

LARGEST_FILE = 512 << 20
"""Bytes of the zip file."""
MOST_MEMBERS = 20_000
LARGEST_TOTAL = 2 << 30
"""Bytes of all members together, inflated."""
LARGEST_JSON = 64 << 20
LARGEST_MEMBER = 64 << 20
_DIRECTORY_LIMIT = 4 << 20
_PARTS = 20
"""More JSON parts than there will be."""
_END = struct.Struct("<4sHHHHIIH")
_ZIP64_LOCATOR, _ZIP64_LENGTH = b"PK\x06\x07", 20
_LONGEST_REASON = 200
"""Characters of what `zipfile` says, which may quote the file."""
_NAME = regular(r"(?:images|texts)/[0-9]{1,6}|[a-z]{1,20}\.json")


class _UnfitError(Exception):
    """The zip file is not what a snapshot is, and why."""

    def __init__(self, en: str, zh: str) -> None:
        self.why = Message(en=en, zh=zh)
        super().__init__(en)


def unusable(path: str, why: Message) -> UsageError:
    """The error of a snapshot that cannot be used."""
    return UsageError(Message(en=f"{path}: not a usable snapshot: {why.en}", zh=f"{path}：不是可用的快照：{why.zh}"))


class Archive:
    """The members of one snapshot, read on demand."""

    def __init__(self, path: str) -> None:
        self._path = path
        try:
            _check_end(path)
            self._zip = zipfile.ZipFile(path)
            self._members = dict(self._checked())
        except FileNotFoundError:
            raise UsageError(Message(en=f"no such file: {path}", zh=f"没有这个文件：{path}")) from None
        except _UnfitError as error:
            raise unusable(path, error.why) from None
        except UNREADABLE as error:
            raise self._damaged(str(error)) from None

    def _checked(self) -> Iterator[tuple[str, zipfile.ZipInfo]]:
        seen: set[str] = set()
        total = 0
        for info in self._zip.infolist():
            total += info.file_size
            if not _NAME.fullmatch(info.filename):
                raise _UnfitError(
                    f"a member that does not belong there: {info.filename[:60]!r}",
                    f"含有不应有的成员：{info.filename[:60]!r}",
                )
            if info.filename in seen:
                raise _UnfitError(f"{info.filename} is there twice", f"{info.filename} 出现了两次")
            if info.file_size > (LARGEST_JSON if info.filename.endswith(".json") else LARGEST_MEMBER):
                raise _UnfitError(
                    f"{info.filename} would have {info.file_size} bytes",
                    f"{info.filename} 解压后会有 {info.file_size} 字节",
                )
            if info.flag_bits & 1 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise _UnfitError(
                    f"{info.filename} is encrypted or packed in another way",
                    f"{info.filename} 已加密，或用了其他压缩方式",
                )
            seen.add(info.filename)
            yield info.filename, info
        if total > LARGEST_TOTAL:
            raise _UnfitError(f"it would have {total} bytes", f"解压后会有 {total} 字节")

    def _damaged(self, why: str) -> UsageError:
        return unusable(self._path, message(why[:_LONGEST_REASON]))

    def has(self, name: str) -> bool:
        """True where there is such a member."""
        return name in self._members

    def data(self, name: str) -> bytes:
        """A whole member; at most as long as the central directory says."""
        if name not in self._members:
            raise unusable(self._path, Message(en=f"{name} is missing", zh=f"缺少 {name}"))
        try:
            info = self._members[name]
            with self._zip.open(info) as stream:  # with a length: without one, all of it is inflated before it is cut
                return stream.read(info.file_size + 1)
        except (*UNREADABLE, MemoryError) as error:
            raise self._damaged(f"{name}: {error}") from None

    def json(self, name: str) -> object:
        """A member as the values that its JSON says."""
        data = self.data(name)
        try:
            return json.loads(data.decode("utf-8"))
        except (ValueError, RecursionError, MemoryError) as error:
            raise self._damaged(f"{name}: {error}") from None


def _check_end(path: str) -> None:
    """The numbers at the very end, before `zipfile` believes them: it makes an object for every entry."""
    with Path(path).open("rb") as stream:
        size = stream.seek(0, 2)
        if size > LARGEST_FILE:
            raise _UnfitError(
                f"the file has {size} bytes, at most {LARGEST_FILE} are read",
                f"文件有 {size} 字节，最多读取 {LARGEST_FILE} 字节",
            )
        stream.seek(max(size - _END.size - _ZIP64_LENGTH, 0))
        tail = stream.read(_END.size + _ZIP64_LENGTH)
    if len(tail) < _END.size or tail[-_END.size :][:4] != b"PK\x05\x06":
        raise _UnfitError("it is no zip file, or was cut off", "不是 zip 文件，或文件不完整")
    if tail[: -_END.size].startswith(_ZIP64_LOCATOR):
        raise _UnfitError("it is of the large zip format (zip64)", "使用了大文件 zip 格式（zip64）")
    _, _, _, _, entries, length, _, comment = _END.unpack(tail[-_END.size :])
    if comment or entries > MOST_MEMBERS or length > _DIRECTORY_LIMIT:
        raise _UnfitError(
            f"its directory has {entries} entries and {length} bytes", f"其目录有 {entries} 项，共 {length} 字节"
        )


class ArchiveWriter:
    """Writes the members of a snapshot one by one; a file that could not be finished is taken away again."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._members = 0

    def __enter__(self) -> ArchiveWriter:
        try:
            self._zip = zipfile.ZipFile(self._path, "w", zipfile.ZIP_DEFLATED, allowZip64=False)
        except (OSError, ValueError) as error:
            raise self._failed(error) from None
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        try:
            self._zip.close()
        except (OSError, ValueError, zipfile.LargeZipFile) as problem:
            raise self._failed(problem) from None
        finally:
            if error is not None:
                Path(self._path).unlink(missing_ok=True)

    def add(self, name: str, data: bytes) -> None:
        """One member. Raises UsageError where it cannot be written."""
        self._members += 1
        try:
            self._zip.writestr(_member(name), data)
        except (OSError, ValueError, zipfile.LargeZipFile) as error:
            raise self._failed(error) from None

    def add_json(self, name: str, part: object) -> None:
        """A part as JSON."""
        text = json.dumps(part, ensure_ascii=False, separators=(",", ":"))
        self.add(f"{name}.json", text.encode("utf-8", "replace"))

    @property
    def has_room(self) -> bool:
        """False where a reader would refuse more members of this kind."""
        return self._members < MOST_MEMBERS - _PARTS

    def _failed(self, error: Exception) -> UsageError:
        return UsageError(_not_written(self._path, getattr(error, "strerror", None) or error))


def _not_written(path: str, why: object) -> Message:
    return Message(en=f"cannot write {path}: {why}", zh=f"无法写入 {path}：{why}")


def _member(name: str) -> zipfile.ZipInfo:
    """With the earliest date that a zip can have: when it was made is nobody's business."""
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info
