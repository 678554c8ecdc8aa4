"""PE files put together byte by byte, so that each header field and table can be wrong on purpose.

Source: Microsoft, "PE Format". Nothing here runs; `tests/testbed/pewriter.py` writes the files that really load.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

AMD64, I386, ARM64 = 0x8664, 0x14C, 0xAA64
WRITABLE, READABLE = 0xC000_0040, 0x4000_0040


class Piece:
    """The contents of a section that begins at an RVA; everything put into it gets an address."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.data = bytearray()

    @property
    def here(self) -> int:
        return self.start + len(self.data)

    def put(self, data: bytes, align: int = 4) -> int:
        self.data += bytes(-len(self.data) % align)
        rva = self.here
        self.data += data
        return rva

    def text(self, text: str | bytes) -> int:
        return self.put((text.encode("latin-1") if isinstance(text, str) else text) + b"\0", align=1)

    def patch(self, rva: int, data: bytes) -> None:
        at = rva - self.start
        self.data[at : at + len(data)] = data


@dataclass(kw_only=True)
class Row:
    """A row of the section table; `data` follows the headers unless `raw` says where it stands."""

    start: int
    data: bytes = b""
    name: bytes = b".rdata"
    size: int | None = None
    raw: int | None = None
    raw_size: int | None = None
    flags: int = READABLE


@dataclass(kw_only=True)
class Shape:
    """A file: what is None takes the value that fits the rest."""

    plus: bool = True
    machine: int | None = None
    rows: Sequence[Row] = ()
    directories: dict[int, tuple[int, int]] = field(default_factory=dict)
    characteristics: int = 0x2022
    dll_characteristics: int = 0x160
    linker: tuple[int, int] = (14, 38)
    stamp: int = 0x6600_0000
    image_base: int = 0x1_8000_0000
    section_alignment: int = 0x1000
    file_alignment: int = 0x200
    image_size: int | None = None
    headers_size: int = 0x400
    e_lfanew: int = 0x80
    signature: bytes = b"PE\0\0"
    magic: int | None = None
    optional_size: int | None = None
    slots: int = 16
    section_count: int | None = None
    checksum: int = 0
    subsystem: int = 2
    in_headers: dict[int, bytes] = field(default_factory=dict)
    """Bytes to place at an offset of the header region."""

    def build(self) -> bytes:
        base = self.image_base if self.plus else self.image_base & 0xFFFF_FFFF
        machine = self.machine if self.machine is not None else (AMD64 if self.plus else I386)
        optional = self._optional(base)
        size = len(optional) if self.optional_size is None else self.optional_size
        count = len(self.rows) if self.section_count is None else self.section_count
        coff = struct.pack("<HHIIIHH", machine, count, self.stamp, 0, 0, size, self.characteristics)
        table, bodies = self._sections()
        head = bytearray(b"MZ".ljust(60, b"\0") + struct.pack("<I", self.e_lfanew))
        head += bytes(max(self.e_lfanew - len(head), 0))
        head += self.signature + coff + optional[:size].ljust(size, b"\0") + table
        head += bytes(max(0x400 - len(head), 0))
        for offset, data in self.in_headers.items():
            head[offset : offset + len(data)] = data
        out = bytearray(head)
        for offset, data in bodies:
            out += bytes(max(offset + len(data) - len(out), 0))
            out[offset : offset + len(data)] = data
        return bytes(out)

    def _end(self) -> int:
        return max((row.start + (row.size or len(row.data)) for row in self.rows), default=0x1000)

    def _optional(self, base: int) -> bytes:
        image_size = -(-self._end() // 0x1000) * 0x1000 if self.image_size is None else self.image_size
        magic = (0x20B if self.plus else 0x10B) if self.magic is None else self.magic
        out = struct.pack("<HBB20x", magic, *self.linker)
        out += struct.pack("<Q", base) if self.plus else struct.pack("<II", 0, base)
        out += struct.pack("<IIHHHHHHI", self.section_alignment, self.file_alignment, 6, 0, 0, 0, 6, 0, 0)
        out += struct.pack(
            "<IIIHH", image_size, self.headers_size, self.checksum, self.subsystem, self.dll_characteristics
        )
        out += bytes(32 if self.plus else 16) + struct.pack("<II", 0, self.slots)
        for index in range(16):
            out += struct.pack("<II", *self.directories.get(index, (0, 0)))
        return out

    def _sections(self) -> tuple[bytes, list[tuple[int, bytes]]]:
        table, bodies, offset = b"", [], 0x400
        for row in self.rows:
            raw = offset if row.raw is None else row.raw
            data = row.data.ljust(-(-len(row.data) // 0x200) * 0x200, b"\0")
            raw_size = len(data) if row.raw_size is None else row.raw_size
            size = len(row.data) if row.size is None else row.size
            table += struct.pack("<8sIIII12xI", row.name, size, row.start, raw_size, raw, row.flags)
            if row.raw is None:
                bodies.append((offset, data))
                offset += len(data)
            elif row.data:
                bodies.append((raw, row.data))
        return table, bodies


Symbol = str | int | tuple[str, int]
"""A name, an ordinal, or a name with its hint."""


def thunks(piece: Piece, plus: bool, symbols: Sequence[Symbol], shift: int = 0) -> bytes:
    """The entries for some functions, terminator included; their names are put into the piece."""
    out = b""
    for symbol in symbols:
        if isinstance(symbol, int):
            value = symbol | 1 << (63 if plus else 31)
        else:
            name, hint = symbol if isinstance(symbol, tuple) else (symbol, 0)
            value = piece.put(struct.pack("<H", hint) + name.encode("latin-1") + b"\0", align=2) + shift
        out += value.to_bytes(8 if plus else 4, "little")
    return out + bytes(8 if plus else 4)


def imports(
    piece: Piece, libraries: Sequence[tuple[str, Sequence[Symbol]]], plus: bool = True, stamp: int = 0
) -> tuple[int, int]:
    """An import table as a linker writes it: lookup and address table are equal."""
    rows = b""
    for name, symbols in libraries:
        entries = thunks(piece, plus, symbols)
        lookup, address = piece.put(entries, 8), piece.put(entries, 8)
        rows += struct.pack("<IIIII", lookup, stamp, 0, piece.text(name), address)
    return piece.put(rows + bytes(20)), len(rows) + 20


def delay_imports(
    piece: Piece,
    libraries: Sequence[tuple[str, Sequence[Symbol]]],
    plus: bool = True,
    base: int = 0,
    attributes: int = 1,
) -> tuple[int, int]:
    """A delay import table; `base` is added to every address (version 1 descriptors have attributes 0)."""
    rows = b""
    for name, symbols in libraries:
        entries = thunks(piece, plus, symbols, base)
        names, address = piece.put(entries, 8), piece.put(bytes(len(entries)), 8)
        row = (piece.text(name) + base, 0, address + base, names + base, 0, 0, 0)
        rows += struct.pack("<8I", attributes, *row)
    return piece.put(rows + bytes(32)), len(rows) + 32


def exports(
    piece: Piece,
    slots: Sequence[int | str],
    names: Sequence[tuple[str, int]],
    base: int = 1,
    library: str = "self.dll",
    sort: bool = True,
) -> tuple[int, int]:
    """An export table: each slot an RVA or the text of a forwarder; names with the index of their slot."""
    start = piece.put(bytes(40))
    functions = [slot if isinstance(slot, int) else piece.text(slot) for slot in slots]
    ordered = sorted(names, key=lambda pair: pair[0].encode("latin-1")) if sort else list(names)
    pointers = [piece.text(name) for name, _ in ordered]
    function_table = piece.put(struct.pack(f"<{len(functions)}I", *functions))
    name_table = piece.put(struct.pack(f"<{len(pointers)}I", *pointers))
    ordinals = piece.put(struct.pack(f"<{len(ordered)}H", *(index for _, index in ordered)))
    counts = (base, len(functions), len(pointers), function_table, name_table, ordinals)
    piece.patch(start, struct.pack("<12xIIIIIII", piece.text(library), *counts))
    return start, piece.here - start


def load_config(piece: Piece, plus: bool = True, size: int = 320, flags: int = 0, chpe: int = 0) -> tuple[int, int]:
    """A load configuration with the two fields that matter."""
    data = bytearray(max(size, 320))
    struct.pack_into("<I", data, 0, size)
    struct.pack_into("<H", data, 78 if plus else 54, flags)
    struct.pack_into("<Q" if plus else "<I", data, 200 if plus else 124, chpe)
    rva = piece.put(bytes(data), 8)
    return rva, size


def resources(piece: Piece, items: Sequence[tuple[int, int, bytes]]) -> tuple[int, int]:
    """A resource tree of (type, number, content), one language each; types in ascending order."""
    types = sorted({kind for kind, _, _ in items})
    start = piece.put(b"", 4)
    tree = bytearray(16 + 8 * len(types))
    struct.pack_into("<HH", tree, 12, 0, len(types))
    leaves = []
    for slot, kind in enumerate(types):
        of_type = sorted((number, content) for other, number, content in items if other == kind)
        struct.pack_into("<II", tree, 16 + 8 * slot, kind, len(tree) | 0x8000_0000)
        at = len(tree)
        tree += struct.pack("<12xHH", 0, len(of_type)) + bytes(8 * len(of_type))
        for index, (number, content) in enumerate(of_type):
            struct.pack_into("<II", tree, at + 16 + 8 * index, number, len(tree) | 0x8000_0000)
            leaf = len(tree) + 24
            tree += struct.pack("<12xHHII", 0, 1, 1033, leaf) + bytes(16)
            leaves.append((leaf, content))
    piece.put(bytes(tree), 1)
    for leaf, content in leaves:
        piece.patch(start + leaf, struct.pack("<IIII", piece.put(content), len(content), 0, 0))
    return start, piece.here - start


def version_info(version: tuple[int, int, int, int]) -> bytes:
    """A version resource with its fixed part."""
    major, minor, build, revision = version
    words = (major << 16 | minor, build << 16 | revision)
    fixed = struct.pack("<13I", 0xFEEF04BD, 0x10000, *words, *words, 0x3F, 0, 0x40004, 2, 0, 0, 0)
    return (
        struct.pack("<HHH", 40 + len(fixed), len(fixed), 0) + "VS_VERSION_INFO\0".encode("utf-16-le") + b"\0\0" + fixed
    )


EVERYTHING_IMPORTS: tuple[tuple[str, tuple[Symbol, ...]], ...] = (
    ("KERNEL32.dll", (("GetProcAddress", 700), ("LoadLibraryA", 1004), "Sleep")),
    ("WS2_32.dll", (115, 116, ("WSAIoctl", 3))),
    ("dep.dll", ("?f@@YAXXZ",)),
)


def everything(plus: bool = True, padding: int = 0) -> bytes:
    """A healthy DLL that has every structure the reader knows; `padding` bytes stand before all its tables."""
    piece = Piece(0x1000)
    piece.put(bytes(padding))
    directories = {
        1: imports(piece, EVERYTHING_IMPORTS, plus),
        13: delay_imports(piece, [("late.dll", ("one", 7))], plus),
        0: exports(piece, [0x1000, "other.target", 0, 0x1010], [("alpha", 0), ("beta", 1)], base=5),
        10: load_config(piece, plus, flags=0x800),
        14: (piece.put(struct.pack("<IHHIII", 72, 2, 5, 0, 0, 1).ljust(72, b"\0")), 72),
    }
    end = -(-piece.here // 0x1000) * 0x1000
    tree = Piece(end + 0x1000)
    version = version_info((14, 38, 33130, 0))
    directories[2] = resources(tree, [(24, 2, b"<assembly/>"), (16, 1, version)])
    rows = [
        Row(start=0x1000, data=bytes(piece.data)),
        Row(start=end, data=b"\1" * 64, size=0x800, name=b".data", flags=WRITABLE),
        Row(start=tree.start, data=bytes(tree.data), name=b".rsrc"),
    ]
    return Shape(plus=plus, rows=rows, directories=directories).build()
