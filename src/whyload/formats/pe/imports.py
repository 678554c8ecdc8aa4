"""The import table: which libraries a file needs, and which of their functions (loader.md R1.14-R1.18).

Source: Microsoft, "PE Format" (The .idata Section); loader.md section 1.4. Only names of libraries are read at once;
the functions of one are decoded when they are asked for, which most questions never do.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from whyload.base.errors import FormatError
from whyload.formats.pe import limits
from whyload.formats.pe.address import Span
from whyload.formats.pe.context import Context
from whyload.formats.pe.headers import Directory
from whyload.formats.pe.incomplete import Cause, Table

_DESCRIPTOR = struct.Struct("<IIIII")
_DESCRIPTORS_AT_ONCE = 64
_NAMES_AT_ONCE = 1 << 20
_MOST = limits.NAME_BYTES + 3


class ImportedSymbol(NamedTuple):
    """A function that is asked for by name or by ordinal; both are None where the file's entry cannot be read.

    A tuple rather than a dataclass: a file may have ten thousand of them.
    """

    name: str | None
    ordinal: int | None
    hint: int


_UNREADABLE = ImportedSymbol(None, None, 0)


class ImportedLibrary:
    """A library that a file imports from, at load time or (delayed) at the first call."""

    __slots__ = (
        "_address_table", "_charged", "_context", "_lookup", "_shift", "_thunks", "is_bound", "is_valid", "name",
        "symbols_known",
    )  # fmt: skip

    name: str
    """As the file spells it (latin-1), without trailing spaces."""
    is_bound: bool
    """The file carries addresses found when it was linked; Windows 10 ignores them (R1.17)."""
    is_valid: bool
    """False for a delay descriptor with attributes that the helper refuses (R1.19)."""
    symbols_known: bool
    """False where the names are gone (bound without a lookup table, R1.17): `symbols()` is empty then."""

    def __init__(
        self,
        context: Context,
        name: str,
        lookup: int,
        address_table: int,
        traits: tuple[bool, bool, bool],
        shift: int = 0,
    ) -> None:
        self.name = name
        self.is_bound, self.is_valid, self.symbols_known = traits
        self._context = context
        self._lookup = lookup
        self._address_table = address_table
        self._shift = shift
        self._thunks: bytes | None = None
        self._charged = False

    def __repr__(self) -> str:
        return f"<ImportedLibrary {self.name!r}>"

    @property
    def file_name(self) -> str:
        """The name that the loader looks for: `.dll` is appended where there is no dot (R1.18)."""
        return self.name if "." in self.name else f"{self.name}.dll"

    @property
    def is_unused(self) -> bool:
        """True where the first slot of the address table is zero: the loader skips the library (R1.16)."""
        width = self._width
        slot = self._context.memory.read(self._address_table, width)
        if len(slot) < width:
            self._note("its address table")
        return len(slot) == width and not any(slot)

    @property
    def is_delayed(self) -> bool:
        """True for a library of the delay import table."""
        return False

    @property
    def symbol_count(self) -> int:
        """Number of functions asked for."""
        return len(self._raw()) // self._width

    def symbols(self) -> tuple[ImportedSymbol, ...]:
        """The functions asked for, in the order of the table; decoded anew at each call."""
        if not self.symbols_known:
            return ()
        raw = self._raw()
        width = self._width
        return tuple(self._decode(struct.unpack(f"<{len(raw) // width}{'Q' if width == 8 else 'I'}", raw)))

    @property
    def _width(self) -> int:
        return 8 if self._context.headers.is_pe32_plus else 4

    def _decode(self, values: tuple[int, ...]) -> list[ImportedSymbol]:
        flag = 1 << (8 * self._width - 1)
        new, kind = tuple.__new__, ImportedSymbol
        symbols: list[ImportedSymbol] = []
        append = symbols.append
        base, data, text = self._window(values[0] - self._shift if values else 0)
        find, most = text.find, _MOST
        reach, missed, room = len(data), False, self._context.name_bytes_left
        for value in values:
            at = value - base
            if 0 <= at < reach:
                end = find("\0", at + 2, at + most)
                if end >= 0:
                    append(new(kind, (text[at + 2 : end], None, data[at] | data[at + 1] << 8)))
                    room -= end - at
                    if room < 0 and not self._charged:
                        break
                    continue
            if value & flag:
                append(new(kind, (None, value & 0xFFFF, 0)))
                continue
            if not missed:
                self._fetch_names([other for other in values if not other & flag])
                missed = True
            symbol, work = self._symbol_at(value - self._shift)
            append(symbol)
            room -= work
            if room < 0 and not self._charged:
                break
            base, data, text = self._window(value - self._shift)
            reach, find = len(data), text.find
        if not self._charged:
            self._charge(room)
        symbols.extend([_UNREADABLE] * (len(values) - len(symbols)))
        return symbols

    def _charge(self, room: int) -> None:
        self._charged = room >= 0
        self._context.name_bytes_left = max(room, 0)
        if room < 0:
            self._context.ledger.note(self._table, Cause.LIMIT, "too many bytes of names", self.name)

    def _fetch_names(self, values: list[int]) -> None:
        """Names lie together as a rule, in any order: read them in one go."""
        fetch_names(self._context, [min(values) - self._shift, max(values) - self._shift])

    def _window(self, rva: int) -> tuple[int, bytes, str]:
        """What has been read around `rva`: the table's value for its first byte, and the bytes also as text."""
        start, data = self._context.memory.span(rva)
        return start + self._shift, data, data.decode("latin-1")

    def _symbol_at(self, rva: int) -> tuple[ImportedSymbol, int]:
        """The function whose hint stands at `rva`, and the bytes that it took to find out."""
        memory = self._context.memory
        hint = memory.read(rva, 2)
        name = memory.string(rva + 2) if len(hint) == 2 else None
        if name is None:
            self._note("the name of a function")
            return _UNREADABLE, _MOST if memory.trouble[0] is Cause.LIMIT else 0
        return ImportedSymbol(name.decode("latin-1"), None, hint[0] | hint[1] << 8), len(name)

    def _raw(self) -> bytes:
        if self._thunks is None:
            self._thunks = self._read_thunks() if self._lookup else b""
            self._context.functions_left -= len(self._thunks) // self._width
        return self._thunks

    def _read_thunks(self) -> bytes:
        """The lookup table up to its zero entry."""
        memory, width = self._context.memory, self._width
        most = min(limits.FUNCTIONS_PER_DESCRIPTOR, self._context.functions_left) * width
        start, data = memory.span(self._lookup)
        at = self._lookup - start
        stop = _terminator(data, at, at + most, width)
        if stop >= 0:
            return data[at:stop]
        length = 1024
        while True:
            data = memory.read(self._lookup, length)
            stop = _terminator(data, 0, most, width)
            if stop >= 0:
                return data[:stop]
            if length > most:
                self._context.ledger.note(self._table, Cause.LIMIT, "too many imported functions", self.name)
                return data[:most]
            if len(data) < length:
                self._note("its list of functions")
                return data[: len(data) // width * width]
            length *= 4

    @property
    def _table(self) -> Table:
        return Table.DELAY_IMPORTS if self.is_delayed else Table.IMPORTS

    def _note(self, what: str) -> None:
        cause, why = self._context.memory.trouble
        self._context.ledger.note(self._table, cause, f"{what}: {why}", self.name)


def read_imports(context: Context) -> tuple[ImportedLibrary, ...]:
    """Directory 1. Raises `FormatError` where it lies outside the image: the loader cannot go on from there either."""
    place = context.headers.directory(Directory.IMPORT)
    if place is None:
        return ()
    memory = context.memory
    if memory.region(place[0]) is None:
        raise FormatError("the import table lies outside the image", place="import table")
    rows = []
    for row in descriptors(context, Table.IMPORTS, place[0], _DESCRIPTOR):
        if not row[3] or not row[4]:  # R1.14
            break
        rows.append(row)
    start, data = fetch_names(context, [row[3] for row in rows])
    libraries = []
    for lookup, stamp, _, name, address_table in rows:
        has_lookup = lookup != 0 and memory.region(lookup) is not None  # R1.15
        known = has_lookup or not stamp  # R1.17
        at = name - start
        end = data.find(0, at, at + limits.NAME_BYTES + 1) if 0 <= at < len(data) else -1
        # Most names lie in the bytes just read; `library_name` does the same for the others.
        text = data[at:end].decode("latin-1").rstrip(" ") if end >= 0 else library_name(context, Table.IMPORTS, name)
        table = lookup if has_lookup else address_table
        libraries.append(ImportedLibrary(context, text, table, address_table, (stamp != 0, True, known)))
    return tuple(libraries)


def descriptors(context: Context, table: Table, rva: int, layout: struct.Struct) -> Iterator[tuple[int, ...]]:
    """The rows of a table of descriptors; the caller stops at the terminator, whose absence is noted at the end."""
    width = layout.size
    length = _DESCRIPTORS_AT_ONCE * width
    for index in range(0, limits.DESCRIPTORS, _DESCRIPTORS_AT_ONCE):
        data = context.memory.read(rva + index * width, length)
        yield from layout.iter_unpack(data[: len(data) // width * width] if len(data) < length else data)
        if len(data) < length:
            cause, why = context.memory.trouble
            context.ledger.note(table, cause, f"its end: {why}")
            return
    if any(context.memory.read(rva + limits.DESCRIPTORS * width, width)):
        context.ledger.note(table, Cause.LIMIT, f"more than {limits.DESCRIPTORS} descriptors")


def fetch_names(context: Context, names: list[int]) -> Span:
    """Read names in one go where they lie near each other; the span that holds the first of them."""
    if not names:
        return 0, b""
    memory = context.memory
    first, length = min(names), max(names) - min(names) + 64
    start, data = memory.span(first)
    if first + length > start + len(data) and length <= _NAMES_AT_ONCE:
        memory.prefetch([(first, length)])
        return memory.span(first)
    return start, data


def library_name(context: Context, table: Table, rva: int) -> str:
    """The name of a library without trailing spaces (R1.18); empty, and noted, where it cannot be read."""
    name = context.memory.string(rva)
    if name is None:
        cause, why = context.memory.trouble
        context.ledger.note(table, cause, f"the name of a library: {why}")
        return ""
    return name.decode("latin-1").rstrip(" ")


def _terminator(data: bytes, start: int, last: int, width: int) -> int:
    """Position of the first all-zero entry of the table at `start`, at most `last`; -1 where there is none."""
    zero = bytes(width)
    at = data.find(zero, start, last + width)
    while at >= 0:
        at += (start - at) % width
        if data[at : at + width] == zero:
            return at
        at = data.find(zero, at, last + width)
    return -1
