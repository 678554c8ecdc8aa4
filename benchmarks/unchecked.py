"""The least that a reader in Python can do: names and symbols of files that are as they should be, nothing checked.

Source of truth: docs/performance.md, "What hardening costs"; built as the prototype was that the targets were set with:
4 KiB, then windows of the file as they are needed. On a damaged file it fails in any way.
"""

from __future__ import annotations

import os
import struct
from array import array

from benchmarks.source import READ_ONLY, read_at

_COFF = struct.Struct("<4sHHIIIHH")
_SECTION = struct.Struct("<8sIIII16x")
_IMPORT, _DELAY = struct.Struct("<5I"), struct.Struct("<8I")
_EXPORT = struct.Struct("<20xIIIII")
_WINDOW = 16 << 10
_NAMES = 1 << 20
_LONG = 64 << 10
Symbol = tuple["bytes | None", "int | None", int]
"""Name, ordinal, hint."""


class Windows:
    """The file by address, in the pieces that were read so far."""

    __slots__ = ("handle", "read", "sections")

    def __init__(self, handle: int, sections: list[tuple[int, int, int, int]]) -> None:
        self.handle = handle
        self.sections = sections
        self.read: list[tuple[int, int, bytes]] = []

    def at(self, rva: int, length: int) -> tuple[bytes, int]:
        """A piece, and where in it `length` bytes from `rva` stand."""
        for first, last, data in self.read:
            if first <= rva and rva + length <= last:
                return data, rva - first
        for start, virtual_size, raw, raw_size in self.sections:
            if start <= rva < start + max(virtual_size, raw_size):
                wanted = min(max(length, _WINDOW * (1 + len(self.read))), start + raw_size - rva)
                data = read_at(self.handle, wanted, raw + rva - start)
                self.read.insert(0, (rva, rva + len(data), data))
                return data, 0
        raise ValueError(rva)

    def text(self, rva: int) -> str:
        data, at = self.at(rva, 1)
        end = data.find(b"\0", at)
        if end < 0:
            data, at = self.at(rva, _LONG)
            end = data.find(b"\0", at)
        return data[at:end].decode("latin-1")


def names(path: str) -> int:
    """Libraries that the file imports, at once and delayed."""
    handle = os.open(path, READ_ONLY)
    try:
        machine, _, directories, windows = _headers(handle)
        imported = _libraries(windows, directories[2], _IMPORT, 3)
        delayed = _libraries(windows, directories[26], _DELAY, 1) if len(directories) > 26 else []
        assert machine
        return len(imported) + len(delayed)
    finally:
        os.close(handle)


def symbols(path: str) -> int:
    """Functions that the file imports, names that it exports; the former decoded, of the latter the tables read."""
    handle = os.open(path, READ_ONLY)
    try:
        _, is_wide, directories, windows = _headers(handle)
        imported = _libraries(windows, directories[2], _IMPORT, 3)
        delayed = _libraries(windows, directories[26], _DELAY, 1) if len(directories) > 26 else []
        kept = [_functions(windows, row[0] or row[4], is_wide) for row, _ in imported]
        kept += [_functions(windows, row[4], is_wide) for row, _ in delayed]
        return sum(map(len, kept)) + len(_exported(windows, directories[0], directories[1]))
    finally:
        os.close(handle)


def _headers(handle: int) -> tuple[int, bool, tuple[int, ...], Windows]:
    head = read_at(handle, 4096, 0)
    start = int.from_bytes(head[60:64], "little")
    _, machine, count, _, _, _, size, _ = _COFF.unpack_from(head, start)
    is_wide = head[start + 24 : start + 26] == b"\x0b\x02"
    at = start + 24 + (112 if is_wide else 96)
    directories = struct.unpack_from(f"<{2 * int.from_bytes(head[at - 4 : at], 'little')}I", head, at)
    table = start + 24 + size
    rows = _SECTION.iter_unpack(head[table : table + count * _SECTION.size])
    sections = [(first, virtual_size, raw, raw_size) for _, virtual_size, first, raw_size, raw in rows]
    return machine, is_wide, directories, Windows(handle, sections)


def _libraries(windows: Windows, rva: int, layout: struct.Struct, field: int) -> list[tuple[tuple[int, ...], str]]:
    rows = []
    while rva:
        row = layout.unpack_from(*windows.at(rva, layout.size))
        if not row[field]:
            break
        rows.append(row)
        rva += layout.size
    return [(row, windows.text(row[field])) for row in rows]


def _functions(windows: Windows, rva: int, is_wide: bool) -> list[Symbol]:
    values = _thunks(windows, rva, is_wide)
    flag = 1 << (63 if is_wide else 31)
    found: list[Symbol] = []
    data, base, last = b"", 0, 0
    named = [value for value in values if not value & flag]
    if named:
        low, high = min(named), max(named)
        if high - low < _NAMES:
            data, at = windows.at(low, high - low + 2)
            base, last = low - at, low - at + len(data)
    for value in values:
        if value & flag:
            found.append((None, value & 0xFFFF, 0))
            continue
        if not base <= value < last - 2:
            data, at = windows.at(value, 2)
            base, last = value - at, value - at + len(data)
        at = value - base
        end = data.find(0, at + 2)
        if end < 0:
            data, at = windows.at(value, _LONG)
            base, last = value - at, value - at + len(data)
            end = data.find(0, at + 2)
        found.append((data[at + 2 : end], None, data[at] | data[at + 1] << 8))
    return found


def _thunks(windows: Windows, rva: int, is_wide: bool) -> array[int]:
    length = 1024
    while True:
        data, at = windows.at(rva, 8)
        whole = (len(data) - at) // 8 * 8
        values = array("Q" if is_wide else "I", data[at : at + min(whole, length)])
        try:
            return values[: values.index(0)]
        except ValueError:
            if whole < length:
                windows.at(rva, length)
            length *= 4


def _exported(windows: Windows, rva: int, size: int) -> array[int]:
    if not rva:
        return array("I")
    functions, count, function_table, name_table, ordinal_table = _EXPORT.unpack_from(*windows.at(rva, size))
    _table(windows, "I", function_table, 4 * functions)
    _table(windows, "H", ordinal_table, 2 * count)
    return _table(windows, "I", name_table, 4 * count)


def _table(windows: Windows, code: str, rva: int, length: int) -> array[int]:
    data, at = windows.at(rva, length)
    return array("I" if code == "I" else "H", data[at : at + length])
