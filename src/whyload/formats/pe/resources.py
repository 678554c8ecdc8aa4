"""Two kinds of resources: manifests and the version (loader.md R1.26).

Source: Microsoft, "PE Format" (The .rsrc Section), "VS_FIXEDFILEINFO structure", "Using Side-by-side Assemblies as a
Resource". Resources have no part in mapping a file, so damage here is noted and never refuses one.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from whyload.base.typing import TYPE_CHECKING, NamedTuple
from whyload.base.versions import FileVersion
from whyload.formats.pe import limits
from whyload.formats.pe.headers import Directory
from whyload.formats.pe.incomplete import Cause, Table

if TYPE_CHECKING:
    from whyload.formats.pe.context import Context

RT_VERSION = 16
RT_MANIFEST = 24
_HIGH = 0x8000_0000
_FIXED_INFO = struct.pack("<I", 0xFEEF04BD)


class _Leaf(NamedTuple):
    resource_id: int | None
    """None for a resource with a name in place of a number."""
    rva: int
    size: int


class _Tree:
    """A walk over one type of resources; entries are counted so that a tree with loops ends."""

    def __init__(self, context: Context, base: int) -> None:
        self._context = context
        self._base = base
        self._entries_left = limits.RESOURCE_ENTRIES

    def leaves(self, type_id: int) -> Iterator[_Leaf]:
        """All resources of a type, in the order of the tree: by number, then by language."""
        for key, target in self._entries(0):
            if key == type_id and target & _HIGH:
                yield from self._below(target & ~_HIGH, None, 1)

    def _below(self, offset: int, resource_id: int | None, depth: int) -> Iterator[_Leaf]:
        if depth > limits.RESOURCE_DEPTH:
            self._context.ledger.note(Table.RESOURCES, Cause.LIMIT, f"more than {limits.RESOURCE_DEPTH} levels")
            return
        for key, target in self._entries(offset):
            here = resource_id if depth > 1 else (None if key & _HIGH else key)
            if target & _HIGH:
                yield from self._below(target & ~_HIGH, here, depth + 1)
                continue
            data = self._read(target, 8)
            if len(data) == 8:
                yield _Leaf(here, *struct.unpack("<II", data))

    def _entries(self, offset: int) -> list[tuple[int, int]]:
        head = self._read(offset, 16)
        if len(head) < 16:
            return []
        named, numbered = struct.unpack_from("<HH", head, 12)
        count = min(named + numbered, self._entries_left)
        if count < named + numbered:
            reason = f"more than {limits.RESOURCE_ENTRIES} entries"
            self._context.ledger.note(Table.RESOURCES, Cause.LIMIT, reason)
        self._entries_left -= count
        data = self._read(offset + 16, 8 * count)
        return list(struct.iter_unpack("<II", data[: len(data) // 8 * 8]))

    def _read(self, offset: int, length: int) -> bytes:
        data = self._context.memory.read(self._base + offset, length)
        if len(data) < length:
            _note(self._context)
        return data


def read_manifest(context: Context, resource_id: int | None) -> bytes | None:
    """The manifest with this number, or the first one; None where there is none."""
    for leaf in _leaves(context, RT_MANIFEST):
        if resource_id is None or leaf.resource_id == resource_id:
            return _content(context, leaf)
    return None


def read_file_version(context: Context) -> FileVersion | None:
    """FileVersion of the fixed part of the version resource (number 1, or else the first)."""
    found = sorted(_leaves(context, RT_VERSION), key=lambda leaf: leaf.resource_id != 1)
    data = _content(context, found[0]) if found else None
    at = data.find(_FIXED_INFO) if data else -1
    if data is None or at < 0 or at + 16 > len(data):
        return None
    high, low = struct.unpack_from("<II", data, at + 8)
    return FileVersion(high >> 16, high & 0xFFFF, low >> 16, low & 0xFFFF)


def _leaves(context: Context, type_id: int) -> Iterator[_Leaf]:
    place = context.headers.directory(Directory.RESOURCE)
    return iter(()) if place is None else _Tree(context, place[0]).leaves(type_id)


def _content(context: Context, leaf: _Leaf) -> bytes | None:
    if leaf.size > limits.RESOURCE_BYTES:
        reason = f"a resource of more than {limits.RESOURCE_BYTES} bytes"
        context.ledger.note(Table.RESOURCES, Cause.LIMIT, reason)
        return None
    data = context.memory.read(leaf.rva, leaf.size)
    if len(data) < leaf.size:
        _note(context)
        return None
    return data


def _note(context: Context) -> None:
    cause, why = context.memory.trouble
    context.ledger.note(Table.RESOURCES, cause, why)
