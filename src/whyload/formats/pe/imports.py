"""The import table: which libraries a file needs, and which of their functions (loader.md R1.14-R1.18).

Source: Microsoft, "PE Format" (The .idata Section); loader.md section 1.4. Only names of libraries are read at once;
the functions of one are decoded when they are asked for, which most questions never do.
"""

from __future__ import annotations

import struct
import sys
from array import array
from itertools import takewhile
from operator import itemgetter

from whyload.base.errors import FormatError
from whyload.base.typing import TYPE_CHECKING, NamedTuple
from whyload.formats.pe import limits
from whyload.formats.pe.headers import Directory
from whyload.formats.pe.incomplete import Cause, Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from whyload.formats.pe.address import Memory, Span
    from whyload.formats.pe.context import Context
    from whyload.formats.pe.exports import ExportTable

_DESCRIPTOR = struct.Struct("<II4xII")
_REQUIRED = itemgetter(2), itemgetter(3)
"""Fields of a descriptor that are zero behind the last one only: its name and its address table (R1.14)."""
_DESCRIPTORS_AT_ONCE = 64
_NAMES_AT_ONCE = 1 << 20
_NAMES_NEAR = 64 << 10
_NAME = 64
"""Bytes that a name is expected to have at most, as far as reading ahead goes."""
_MOST = limits.NAME_BYTES + 3
_UNLIMITED = 1 << 62
_ZERO = {4: bytes(4), 8: bytes(8)}
_NOT_HERE = b"", b"", b""


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

    __slots__ = ("_charged", "_context", "_row", "_thunks", "name")

    name: str
    """As the file spells it (latin-1), without trailing spaces."""

    def __init__(self, context: Context, name: str, row: tuple[int, ...]) -> None:
        """`row`: lookup table, time stamp, name, address table."""
        self.name = name
        self._context = context
        self._row = row
        self._thunks: bytes | None = None
        self._charged = False

    def __repr__(self) -> str:
        return f"<ImportedLibrary {self.name!r}>"

    @property
    def file_name(self) -> str:
        """The name that the loader looks for: `.dll` is appended where there is no dot (R1.18)."""
        return self.name if "." in self.name else f"{self.name}.dll"

    @property
    def is_bound(self) -> bool:
        """The file carries addresses found when it was linked; Windows 10 ignores them (R1.17)."""
        return self._row[1] != 0

    @property
    def symbols_known(self) -> bool:
        """False where the names are gone (bound without a lookup table, R1.17): `symbols()` is empty then."""
        lookup, stamp, _, addresses = self._row
        return not stamp or self._functions == lookup or _are_names(self._context, addresses)

    @property
    def _functions(self) -> int:
        """Where the functions are listed: without a lookup table in the address table (R1.15); 0 is nowhere."""
        lookup = self._row[0]
        return lookup if lookup and self._context.memory.region(lookup) is not None else self._row[3]

    @property
    def is_unused(self) -> bool:
        """True where the first slot of the address table is zero: the loader skips the library (R1.16)."""
        table = at = self._row[3]
        start, data = self._context.memory.span(at)
        at -= start
        width = self._context.width
        slot = data[at : at + width]
        if len(slot) < width:
            slot = self._context.memory.read(table, width)
            if len(slot) < width:
                self._note("its address table")
                return False
        return slot == _ZERO[width]

    @property
    def is_delayed(self) -> bool:
        """True for a library of the delay import table."""
        return False

    @property
    def is_valid(self) -> bool:
        """False for a delay descriptor with attributes that the helper refuses (R1.19)."""
        return True

    @property
    def _shift(self) -> int:
        """What has to be taken off a value of the table to make an RVA of it."""
        return 0

    @property
    def symbol_count(self) -> int:
        """Number of functions asked for."""
        return len(self._raw()) // self._context.width

    def symbols(self) -> tuple[ImportedSymbol, ...]:
        """The functions asked for, in the order of the table; decoded anew at each call."""
        values = self._values()
        return tuple(self._decode(values)) if values else ()

    def symbols_beside(self, table: ExportTable) -> tuple[ImportedSymbol, ...]:
        """Those functions asked for that `table` does not have, as plain ones, just where their hint says (R1.21).

        Hints are right nearly always, so that nearly nothing is decoded and looked up one by one.
        """
        values = self._values()
        flag = 1 << (8 * self._context.width - 1)
        first = next((value for value in values if not value & flag), None)
        if first is None:
            return self.symbols()
        base, data = self._context.memory.span(first - self._shift)
        if not data:
            self._fetch_names([value for value in values if not value & flag])
            base, data = self._context.memory.span(first - self._shift)
        rest, work = table.beside_hints(values, data, base + self._shift)
        if not self._charged:
            if work > self._context.name_bytes_left:
                return self.symbols()
            self._context.name_bytes_left -= work
        return tuple(self._decode(rest)) if rest else ()

    def _values(self) -> array[int]:
        """The entries of the lookup table; none where what they say is gone."""
        values = array("Q" if self._context.width == 8 else "I")
        if self.symbols_known:
            values.frombytes(self._raw())
        if sys.byteorder == "big":
            values.byteswap()
        return values

    def _decode(self, values: array[int]) -> list[ImportedSymbol]:
        context, shift = self._context, self._shift
        flag = 1 << (8 * context.width - 1)
        new, kind = tuple.__new__, ImportedSymbol
        symbols: list[ImportedSymbol] = []
        append = symbols.append
        base, data, text = context.memory.text(values[0] - shift)
        base += shift
        find, most, reach = text.find, _MOST, len(data)
        missed, room = False, _UNLIMITED if self._charged else context.name_bytes_left
        for value in values:
            at = value - base
            if 0 <= at < reach:
                end = find("\0", at + 2, at + most)
                if end >= 0:
                    append(new(kind, (text[at + 2 : end], None, data[at] | data[at + 1] << 8)))
                    room -= end - at
                    if room < 0:
                        break
                    continue
            if value & flag:
                append(new(kind, (None, value & 0xFFFF, 0)))
                continue
            if not missed:
                self._fetch_names([other for other in values if not other & flag])
                missed = True
            symbol, work = self._symbol_at(value - shift)
            append(symbol)
            room -= work
            if room < 0:
                break
            base, data, text = context.memory.text(value - shift)
            base += shift
            find, reach = text.find, len(data)
        if not self._charged:
            self._charge(room)
        symbols.extend([_UNREADABLE] * (len(values) - len(symbols)))
        return symbols

    def _charge(self, room: int) -> None:
        self._charged = room >= 0
        if room < 0:
            self._context.ledger.note(self._table, Cause.LIMIT, "too many bytes of names", self.name)
        self._context.name_bytes_left = max(room, 0)

    def _fetch_names(self, values: list[int]) -> None:
        """Names of functions lie together as a rule, in any order: read them in one go."""
        first, length = min(values) - self._shift, max(values) - min(values) + _NAME
        if length <= _NAMES_AT_ONCE:
            self._context.memory.prefetch([(first, length)])

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
            functions = self._functions
            self._thunks = self._read_thunks(functions) if functions else b""
            self._context.functions_left -= len(self._thunks) // self._context.width
        return self._thunks

    def _read_thunks(self, rva: int) -> bytes:
        """A list of functions up to its zero entry."""
        memory, width = self._context.memory, self._context.width
        most = min(limits.FUNCTIONS_PER_DESCRIPTOR, self._context.functions_left) * width
        start, data = memory.span(rva)
        at = rva - start
        stop = _terminator(data, at, at + most, width)
        if stop >= 0:
            return data[at:stop]
        length = 1024
        while True:
            data = memory.read(rva, length)
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
    start, data = memory.span(place[0])  # the names lie behind the table as a rule
    if not data and memory.region(place[0]) is None:
        raise FormatError("the import table lies outside the image", place="import table")
    rows = descriptors(context, Table.IMPORTS, place[0], _DESCRIPTOR, _REQUIRED)
    libraries: list[ImportedLibrary] = []
    fetched = False
    for row in rows:
        at = row[2] - start
        name, end, _ = data[at : at + _NAME].partition(b"\0") if at >= 0 else _NOT_HERE
        if end:
            text = name.decode("latin-1").rstrip(" ")
        else:
            if not fetched:
                fetched = True
                start, data = fetch_names(memory, [other[2] for other in rows[len(libraries) :]])
            text = library_name(context, Table.IMPORTS, row[2])
        libraries.append(ImportedLibrary(context, text, row))
    return tuple(libraries)


def _are_names(context: Context, table: int) -> bool:
    """Does the address table still hold names or ordinals, as it does where nothing was bound but the stamp?"""
    first = int.from_bytes(context.memory.read(table, context.width), "little")
    return bool(first >> (8 * context.width - 1)) or context.memory.region(first) is not None


def descriptors(
    context: Context, table: Table, rva: int, layout: struct.Struct, required: tuple[itemgetter[int], ...]
) -> list[tuple[int, ...]]:
    """The rows of a table of descriptors up to the first in which a `required` field is zero; its absence is noted."""
    width = layout.size
    length = _DESCRIPTORS_AT_ONCE * width
    rows: list[tuple[int, ...]] = []
    for index in range(0, limits.DESCRIPTORS, _DESCRIPTORS_AT_ONCE):
        data = context.memory.read(rva + index * width, length)
        found: Iterable[tuple[int, ...]] = layout.iter_unpack(data[: len(data) // width * width])
        for field in required:
            found = takewhile(field, found)
        rows += found
        if len(rows) < index + len(data) // width:
            return rows
        if len(data) < length:
            cause, why = context.memory.trouble
            context.ledger.note(table, cause, f"its end: {why}")
            return rows
    if any(context.memory.read(rva + limits.DESCRIPTORS * width, width)):
        context.ledger.note(table, Cause.LIMIT, f"more than {limits.DESCRIPTORS} descriptors")
    return rows


def fetch_names(memory: Memory, places: list[int]) -> Span:
    """Read names of libraries, in one go where they lie near each other; the span that holds the first of them."""
    if not places:
        return 0, b""
    first, stop = min(places), max(places) + _NAME
    span = memory.span(first)
    if stop <= span[0] + len(span[1]):
        return span
    # Functions' names lie between those of libraries; with very many of them only what is asked for is read.
    memory.prefetch([(first, stop - first)] if stop - first <= _NAMES_NEAR else [(place, _NAME) for place in places])
    return memory.span(first)


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
