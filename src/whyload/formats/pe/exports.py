"""The export table, looked up as the loader does it (loader.md R1.20-R1.22).

Source: Microsoft, "PE Format" (The .edata Section); loader.md section 1.5. The whole directory is read at once when
it is asked for; names are compared and decoded one by one.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Iterator

from whyload.base.dataclass import dataclass
from whyload.base.errors import FormatError
from whyload.base.typing import TYPE_CHECKING, NamedTuple
from whyload.formats.pe import limits
from whyload.formats.pe.headers import Directory
from whyload.formats.pe.incomplete import Cause, Table

if TYPE_CHECKING:
    from whyload.formats.pe.context import Context

_DIRECTORY = struct.Struct("<12xIIIIIII")
_READ_AT_ONCE = 16 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Forwarder:
    """An export that stands in another library. `name` and `ordinal` are both None where the text names no function."""

    text: str
    module: str
    """With `.dll` where the text has no dot in it (R1.20); empty where the text names no module."""
    name: str | None
    ordinal: int | None


class Export(NamedTuple):
    """One exported function or variable. A tuple rather than a dataclass: a file may have sixty thousand of them."""

    name: str | None
    ordinal: int
    rva: int
    forwarder: Forwarder | None


_new = tuple.__new__
"""Quicker than to call the class; for what is made by the ten thousand."""


class ExportTable:
    """Exports of one file. Where `is_complete` is False, an export that is not found may be there all the same."""

    __slots__ = (
        "_context", "_first", "_functions", "_last", "_names", "_ordinals", "_searched", "_span",
        "function_count", "is_complete", "name", "name_count", "ordinal_base",
    )  # fmt: skip

    name: str
    """The name that the file was linked under."""
    ordinal_base: int
    function_count: int
    """As the file states it; slots without a function included."""
    name_count: int
    is_complete: bool

    def __init__(self, context: Context, rva: int, size: int) -> None:
        memory = context.memory
        memory.prefetch([(rva, min(max(size, _DIRECTORY.size), _READ_AT_ONCE))])
        head = memory.read(rva, _DIRECTORY.size)
        self._context = context
        self._searched: dict[tuple[str, int], Export | None] = {}
        self.is_complete = True
        if len(head) < _DIRECTORY.size:
            self._note("the directory")
            head = head.ljust(_DIRECTORY.size, b"\0")
        name, base, functions, names, function_table, name_table, ordinal_table = _DIRECTORY.unpack(head)
        self._first, self._last = rva, rva + size
        self.ordinal_base, self.function_count, self.name_count = base, functions, names
        self._functions = self._table("I", function_table, functions)
        self._names = self._table("I", name_table, names)
        self._ordinals = self._table("H", ordinal_table, len(self._names))
        if len(self._ordinals) < len(self._names):
            self._names = self._names[: len(self._ordinals)]
        self._span = memory.span(self._names[0] if self._names else rva)
        self.name = ((memory.string(name) if name else None) or b"").decode("latin-1")

    def __repr__(self) -> str:
        return f"<ExportTable {self.name!r}, {self.function_count} functions>"

    def find(self, name: str, hint: int | None = None) -> Export | None:
        """The export that the loader would find: the hint first, then binary search from there (R1.21)."""
        try:
            target = name.encode("latin-1")
        except UnicodeEncodeError:
            return None
        names = self._names
        low, high = 0, len(names) - 1
        middle = high >> 1
        if hint is not None and 0 <= hint <= high:
            start, data = self._span
            at = names[hint] - start
            end = at + len(target)
            if at >= 0 and end < len(data) and not data[end] and data.startswith(target, at) and 0 not in target:
                return self._export(self._ordinals[hint], name)
            middle = hint
        key = (name, middle)  # many importers have the same wrong hint: that of the library they were linked with
        if key not in self._searched:
            self._searched[key] = self._search(name, target, low, middle, high)
        return self._searched[key]

    def _search(self, name: str, target: bytes, low: int, middle: int, high: int) -> Export | None:
        names = self._names
        while low <= high:
            here = self._text(names[middle])
            if here is None:
                self._note("a name")
                return None
            if here == target:
                return self._export(self._ordinals[middle], name)
            if here < target:
                low = middle + 1
            else:
                high = middle - 1
            middle = (low + high) >> 1
        return None

    def beside_hints(self, values: array[int], data: bytes, base: int) -> tuple[array[int], int]:
        """Of the places where imports stand, those whose hint does not lead to a plain function of the same name.

        `data` are bytes of the importer; `base` is subtracted from a place to find it there: hint, name, a zero byte.
        Also the bytes of the names that were right. Nothing is decoded: this is done by the ten thousand.
        """
        names, ordinals, functions, (start, own) = self._names, self._ordinals, self._functions, self._span
        first, last, slots, named = self._first, self._last, len(functions), len(names)
        find, most, stop = data.find, limits.NAME_BYTES + 3, len(data) - 2
        rest, work = array(values.typecode), 0
        for value in values:
            at = value - base
            if 0 <= at < stop:
                hint = data[at] | data[at + 1] << 8
                end = find(0, at + 2, at + most) + 1
                if end and hint < named and (place := names[hint] - start) >= 0:
                    index = ordinals[hint]
                    if own[place : place + end - at - 2] == data[at + 2 : end] and index < slots:
                        target = functions[index]
                        if target and not first <= target < last:
                            work += end - at
                            continue
            rest.append(value)
        return rest, work

    def find_ordinal(self, ordinal: int) -> Export | None:
        """The export in the slot of an ordinal; None outside the table and for an empty slot (R1.22)."""
        return self._export(ordinal - self.ordinal_base, None)

    def names(self) -> Iterator[str]:
        """All names in the order of the table."""
        for rva in self._names:
            text = self._text(rva)
            if text is None:
                self._note("a name")
            else:
                yield text.decode("latin-1")

    def __iter__(self) -> Iterator[Export]:
        """Every export: the named ones in the order of the name table, then those without a name by ordinal."""
        named = bytearray(len(self._functions))
        base, first, last, functions = self.ordinal_base, self._first, self._last, self._functions
        for rva, index in zip(self._names, self._ordinals, strict=True):
            text = self._text(rva)
            if index >= len(named):
                continue
            named[index] = 1
            if text is None:
                self._note("a name")
                continue
            target = functions[index]
            if target:
                forwarder = self._forwarder(target) if first <= target < last else None
                yield _new(Export, (text.decode("latin-1"), base + index, target, forwarder))
        at = named.find(0)
        while at >= 0:
            export = self._export(at, None)
            if export is not None:
                yield export
            at = named.find(0, at + 1)

    def _text(self, rva: int) -> bytes | None:
        start, data = self._span
        at = rva - start
        if 0 <= at < len(data):
            end = data.find(0, at, at + limits.NAME_BYTES + 1)
            if end >= 0:
                return data[at:end]
        text = self._context.memory.string(rva)
        self._span = self._context.memory.span(rva)
        return text

    def _export(self, index: int, name: str | None) -> Export | None:
        rva = self._functions[index] if 0 <= index < len(self._functions) else 0
        if not rva:
            return None
        forwarder = self._forwarder(rva) if self._first <= rva < self._last else None
        return _new(Export, (name, self.ordinal_base + index, rva, forwarder))

    def _forwarder(self, rva: int) -> Forwarder:
        text = self._text(rva)
        if text is None:
            self._note("a forwarder")
            return parse_forwarder("")
        return parse_forwarder(text.decode("latin-1"))

    def _table(self, code: str, rva: int, count: int) -> array[int]:
        values = array("I" if code == "I" else "H")
        wanted = min(count, limits.EXPORTS) * values.itemsize
        if not wanted:
            return values
        data = self._context.memory.read(rva, wanted)
        values.frombytes(data[: len(data) // values.itemsize * values.itemsize])
        if sys.byteorder == "big":
            values.byteswap()
        if len(data) < wanted:
            self._note("a list of the directory")
        elif count > limits.EXPORTS:
            self.is_complete = False
            self._context.ledger.note(Table.EXPORTS, Cause.LIMIT, f"more than {limits.EXPORTS} exports")
        return values

    def _note(self, what: str) -> None:
        self.is_complete = False
        cause, why = self._context.memory.trouble
        self._context.ledger.note(Table.EXPORTS, cause, f"{what}: {why}")


def read_exports(context: Context) -> ExportTable | None:
    """Directory 0; None where there is none (R1.23). Raises `FormatError` where it lies outside the image."""
    place = context.headers.directory(Directory.EXPORT)
    if place is None:
        return None
    if context.memory.region(place[0]) is None:
        raise FormatError("the export table lies outside the image", place="export table")
    return ExportTable(context, *place)


def parse_forwarder(text: str) -> Forwarder:
    """`MODULE.function` or `MODULE.#ordinal`, split at the last dot (R1.20)."""
    module, dot, function = text.rpartition(".")
    if not dot or not module or not function:
        return Forwarder(text=text, module="", name=None, ordinal=None)
    if "." not in module:
        module += ".dll"
    if not function.startswith("#"):
        return Forwarder(text=text, module=module, name=function, ordinal=None)
    digits = function[1:]
    known = digits.isascii() and digits.isdecimal() and len(digits) <= 5
    return Forwarder(text=text, module=module, name=None, ordinal=int(digits) if known else None)
