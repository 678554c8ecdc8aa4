"""Opens a snapshot as a world."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping

from whyload.base.bytesource import ByteSource, BytesSource
from whyload.base.dataclass import dataclass
from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.base.typing import Any, TypeVar
from whyload.base.values import ValueShapeError, hints_of, shape_error, typed
from whyload.world.model import Environment, World, WorldKind
from whyload.world.snapshot.archive import Archive, unusable
from whyload.world.snapshot.files import SnapshotFiles, SparseSource, UnreadableSource
from whyload.world.snapshot.shape import (
    SCHEMA,
    Head,
    RecordedFiles,
    RecordedImage,
    RecordedImages,
    RecordedKey,
    RecordedTexts,
)

_T = TypeVar("_T")
BUILT = ("kind", "files", "registry", "environment", "readings")
"""Fields of a world that are no plain values: they come from parts of their own, or from what opens it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """An opened snapshot: the machine, and the parts that are for others to read."""

    path: str
    head: Head
    world: World
    archive: Archive

    def part(self, name: str, kind: type[_T]) -> _T | None:
        """A part as a value of `kind`; None where the snapshot does not have it."""
        return _part(self.archive, self.path, name, kind) if self.archive.has(f"{name}.json") else None

    def raw(self, name: str) -> object:
        """A part as plain values. Raises UsageError where the snapshot does not have it."""
        return self.archive.json(f"{name}.json")


def open_snapshot(path: str) -> Snapshot:
    """The snapshot in a file. Raises UsageError where it cannot be read, is of another format, or makes no sense."""
    archive = Archive(path)
    head = _part(archive, path, "snapshot", Head)
    if head.schema != SCHEMA:
        raise UsageError(
            Message(
                en=f"{path}: a snapshot of the format {head.schema[:60]!r}; this version reads {SCHEMA}",
                zh=f"{path}：快照的格式是 {head.schema[:60]!r}；当前版本只能读取 {SCHEMA}",
            )
        )
    values = _world_values(archive, path)
    world = World(
        kind=WorldKind.SNAPSHOT,
        files=SnapshotFiles(_part(archive, path, "files", RecordedFiles), dict(_contents(archive, path))),
        registry=SnapshotRegistry(_table(archive, path, "registry", RecordedKey)),
        environment=Environment(_table(archive, path, "environment", str)),
        **values,
    )
    return Snapshot(path=path, head=head, world=world, archive=archive)


def _part(archive: Archive, path: str, name: str, kind: type[_T]) -> _T:
    return _read(path, name, lambda: typed(kind, archive.json(f"{name}.json"), name, exact=True))


def _table(archive: Archive, path: str, name: str, kind: type[_T]) -> dict[str, _T]:
    part = archive.json(f"{name}.json")
    if not isinstance(part, dict):
        raise unusable(path, Message(en=f"{name}: must be an object", zh=f"{name}：应为对象"))
    return _read(
        path, name, lambda: {key: typed(kind, item, f"{name}.{key}", exact=True) for key, item in part.items()}
    )


def _world_values(archive: Archive, path: str) -> dict[str, Any]:
    part = archive.json("world.json")
    hints: Mapping[str, Any] = {name: hint for name, hint in hints_of(World).items() if name not in BUILT}
    if not isinstance(part, dict) or not {"system", "python", "process"} <= part.keys():
        raise unusable(
            path,
            Message(
                en="world: it lacks the system, the interpreter or the process",
                zh="world：缺少系统、解释器或进程的信息",
            ),
        )
    present = {name: hint for name, hint in hints.items() if name in part}
    return _read(
        path, "world", lambda: {n: typed(hint, part[n], f"world.{n}", exact=True) for n, hint in present.items()}
    )


def _read(path: str, name: str, read: Callable[[], _T]) -> _T:
    try:
        return read()
    except (ValueShapeError, RecursionError, OverflowError) as error:
        why = shape_error(error)
        raise unusable(path, why if isinstance(error, ValueShapeError) else _in_part(name, why)) from None


def _in_part(name: str, why: Message) -> Message:
    return Message(en=f"{name}: {why.en}", zh=f"{name}：{why.zh}")


def _contents(archive: Archive, path: str) -> Iterator[tuple[str, Callable[[], ByteSource]]]:
    for number, image in enumerate(_part(archive, path, "images", RecordedImages).items):
        if image.unreadable:
            yield image.path.key, functools.partial(UnreadableSource, b"")
            continue
        _check_pieces(path, image)
        yield image.path.key, functools.partial(_image, archive, f"images/{number}", image)
    for number, text in enumerate(_part(archive, path, "texts", RecordedTexts).items):
        yield text.key, functools.partial(_text, archive, f"texts/{number}")


def _check_pieces(path: str, image: RecordedImage) -> None:
    end = 0
    for offset, length in image.pieces:
        if offset < end or length <= 0:
            raise unusable(
                path,
                Message(
                    en=f"images: pieces of {image.path} are out of order", zh=f"images：{image.path} 的各段顺序不对"
                ),
            )
        end = offset + length
    if end > image.size:
        raise unusable(
            path,
            Message(
                en=f"images: pieces of {image.path} lie beyond its end", zh=f"images：{image.path} 的某一段超出文件末尾"
            ),
        )


def _image(archive: Archive, member: str, image: RecordedImage) -> ByteSource:
    return SparseSource(archive.data(member) if image.pieces else b"", image.pieces, image.size)


def _text(archive: Archive, member: str) -> ByteSource:
    return BytesSource(archive.data(member))


class SnapshotRegistry:
    """The recorded keys; every other one is unknown."""

    def __init__(self, keys: Mapping[str, RecordedKey]) -> None:
        self._keys = {key.lower(): recorded for key, recorded in keys.items()}

    def values(self, key: str) -> Mapping[str, object] | None:
        """Values of `key`; None where they were not recorded."""
        known = self._keys.get(key.lower())
        return known.values if known is not None else None

    def subkeys(self, key: str) -> tuple[str, ...] | None:
        """Names of the keys below `key`; None where they were not recorded."""
        known = self._keys.get(key.lower())
        return known.subkeys if known is not None else None
