"""R1.14-R1.18: the import table (rows 14-17 of loader.md section 8)."""

from __future__ import annotations

import struct

import pytest

from tests.formats.pe.craft import EVERYTHING_IMPORTS, Piece, Row, Shape, everything, imports, thunks
from tests.formats.pe.sources import CountingSource, HoleySource
from whyload.base.bytesource import BytesSource
from whyload.base.errors import FormatError
from whyload.formats.pe import Cause, Image, ImportedSymbol, Table


def image_with(piece: Piece, table: tuple[int, int], plus: bool = True, **more: int) -> Image:
    shape = Shape(plus=plus, rows=[Row(start=piece.start, data=bytes(piece.data))], directories={1: table})
    shape.image_base = more.get("image_base", shape.image_base)
    return Image(BytesSource(shape.build()))


def descriptor(lookup: int, name: int, address: int, stamp: int = 0) -> bytes:
    return struct.pack("<IIIII", lookup, stamp, 0, name, address)


@pytest.mark.parametrize("plus", [True, False])
def test_row_17_names_ordinals_and_hints(plus: bool) -> None:
    """Row 17: the ordinal is in the low 16 bits, in both formats."""
    image = Image(BytesSource(everything(plus)))
    assert [library.name for library in image.imports()] == ["KERNEL32.dll", "WS2_32.dll", "dep.dll"]
    for library, (_, symbols) in zip(image.imports(), EVERYTHING_IMPORTS, strict=True):
        assert library.symbol_count == len(symbols)
        expected: list[tuple[str | None, int | None, int]] = []
        for symbol in symbols:
            if isinstance(symbol, int):
                expected.append((None, symbol, 0))
            else:
                name, hint = symbol if isinstance(symbol, tuple) else (symbol, 0)
                expected.append((name, None, hint))
        assert list(library.symbols()) == expected
        assert not library.is_unused
        assert not library.is_delayed
        assert not library.is_bound
    assert image.incomplete == ()


def test_ordinal_ignores_the_bits_above_sixteen() -> None:
    piece = Piece(0x1000)
    entries = struct.pack("<QQ", 1 << 63 | 0xABCD_0000 | 12, 0)
    table = piece.put(entries, 8)
    rows = descriptor(table, piece.text("a.dll"), table) + bytes(20)
    (library,) = image_with(piece, (piece.put(rows), len(rows))).imports()
    assert library.symbols() == (ImportedSymbol(None, 12, 0),)


@pytest.mark.parametrize("field", ["name", "address"])
def test_r1_14_row_15_first_row_without_name_or_address_table_ends_it(field: str) -> None:
    piece = Piece(0x1000)
    entries = piece.put(thunks(piece, True, ["f"]), 8)
    good = descriptor(entries, piece.text("a.dll"), entries)
    last = descriptor(entries, 0 if field == "name" else piece.text("b.dll"), 0 if field == "address" else entries)
    table = piece.put(good + last + good + bytes(20))
    assert [library.name for library in image_with(piece, (table, 80)).imports()] == ["a.dll"]


def test_r1_14_a_row_without_lookup_table_does_not_end_it() -> None:
    """R1.15: the names are then read from the address table."""
    piece = Piece(0x1000)
    entries = piece.put(thunks(piece, True, ["f", 9]), 8)
    rows = descriptor(0, piece.text("old.dll"), entries) + descriptor(entries, piece.text("b.dll"), entries)
    first, second = image_with(piece, (piece.put(rows + bytes(20)), 60)).imports()
    assert first.symbols() == (ImportedSymbol("f", None, 0), ImportedSymbol(None, 9, 0))
    assert second.name == "b.dll"


def test_r1_15_lookup_table_outside_the_image_is_passed_over() -> None:
    piece = Piece(0x1000)
    entries = piece.put(thunks(piece, True, ["f"]), 8)
    rows = descriptor(0x7000_0000, piece.text("a.dll"), entries) + bytes(20)
    (library,) = image_with(piece, (piece.put(rows), 40)).imports()
    assert [symbol.name for symbol in library.symbols()] == ["f"]


def test_r1_15_size_of_the_directory_is_not_trusted() -> None:
    piece = Piece(0x1000)
    rva, _ = imports(piece, [("a.dll", ["f"]), ("b.dll", ["g"])])
    for size in (0, 20, 0xFFFF_FFFF):
        assert len(image_with(piece, (rva, size)).imports()) == 2


def test_r1_16_row_16_unused_library() -> None:
    """R1.16: the first slot of the address table is zero; what the lookup table says does not matter."""
    piece = Piece(0x1000)
    lookup = piece.put(thunks(piece, True, ["f"]), 8)
    empty, used = piece.put(bytes(16), 8), piece.put(thunks(piece, True, ["g"]), 8)
    rows = descriptor(lookup, piece.text("absent.dll"), empty) + descriptor(used, piece.text("b.dll"), used)
    first, second = image_with(piece, (piece.put(rows + bytes(20)), 60)).imports()
    assert first.is_unused
    assert [symbol.name for symbol in first.symbols()] == ["f"]
    assert not second.is_unused


def test_r1_17_bound_with_lookup_table() -> None:
    piece = Piece(0x1000)
    lookup = piece.put(thunks(piece, True, ["f"]), 8)
    addresses = piece.put(struct.pack("<QQ", 0x7FFE_0001_2340, 0), 8)
    rows = descriptor(lookup, piece.text("kernel32.dll"), addresses, stamp=0x5000_0000) + bytes(20)
    (library,) = image_with(piece, (piece.put(rows), 40)).imports()
    assert library.is_bound
    assert library.symbols_known
    assert [symbol.name for symbol in library.symbols()] == ["f"]


@pytest.mark.parametrize("plus", [True, False])
def test_r1_17_a_stamp_alone_is_not_bound(plus: bool) -> None:
    """Without a lookup table, the address table that still holds names or ordinals is read."""
    piece = Piece(0x1000)
    entries = piece.put(thunks(piece, plus, ["f", 9]), 8)
    rows = descriptor(0, piece.text("old.dll"), entries, stamp=0x5000_0000) + bytes(20)
    (library,) = image_with(piece, (piece.put(rows), 40), plus).imports()
    assert library.symbols() == (ImportedSymbol("f", None, 0), ImportedSymbol(None, 9, 0))


def test_r1_17_bound_without_lookup_table_keeps_the_library() -> None:
    piece = Piece(0x1000)
    addresses = piece.put(struct.pack("<QQQ", 0x7FFE_0001_2340, 0x7FFE_0001_2350, 0), 8)
    rows = descriptor(0, piece.text("kernel32.dll"), addresses, stamp=0x5000_0000) + bytes(20)
    (library,) = image_with(piece, (piece.put(rows), 40)).imports()
    assert library.name == "kernel32.dll"
    assert not library.symbols_known
    assert library.symbols() == ()
    assert library.symbol_count == 2


@pytest.mark.parametrize(
    ("text", "name", "file_name"),
    [
        ("KERNEL32.dll  ", "KERNEL32.dll", "KERNEL32.dll"),
        ("kernel32", "kernel32", "kernel32.dll"),
        ("odd.name", "odd.name", "odd.name"),
        ("sub\\x.dll", "sub\\x.dll", "sub\\x.dll"),
        ("na\u00efve.dll", "na\u00efve.dll", "na\u00efve.dll"),
    ],
)
def test_r1_18_name(text: str, name: str, file_name: str) -> None:
    piece = Piece(0x1000)
    table = imports(piece, [(text, ["f"])])
    (library,) = image_with(piece, table).imports()
    assert (library.name, library.file_name) == (name, file_name)


def test_row_14_name_in_the_zero_filled_tail() -> None:
    piece = Piece(0x1000)
    entries = piece.put(thunks(piece, True, ["f"]), 8)
    table = piece.put(descriptor(entries, 0x1F00, entries) + bytes(20))
    shape = Shape(rows=[Row(start=0x1000, data=bytes(piece.data), size=0x1000)], directories={1: (table, 40)})
    (library,) = Image(BytesSource(shape.build())).imports()
    assert library.name == ""
    assert len(library.symbols()) == 1


def test_no_import_directory() -> None:
    image = Image(BytesSource(Shape(rows=[Row(start=0x1000, data=b"x")]).build()))
    assert image.imports() == ()
    assert image.delay_imports() == ()
    assert image.incomplete == ()


def test_directory_outside_the_image() -> None:
    image = Image(BytesSource(Shape(rows=[Row(start=0x1000, data=b"x")], directories={1: (0x9_0000, 40)}).build()))
    with pytest.raises(FormatError, match="outside the image"):
        image.imports()


def test_r1_28_table_without_end_keeps_what_it_has() -> None:
    piece = Piece(0x1000)
    entries = piece.put(thunks(piece, True, ["f"]), 8)
    row = descriptor(entries, piece.text("a.dll"), entries)
    piece.put(b"", 0x1000)
    table = piece.here - 40
    piece.patch(table, row + row)
    image = image_with(piece, (table, 40))
    assert [library.name for library in image.imports()] == ["a.dll", "a.dll"]
    (gap,) = image.incomplete
    assert (gap.table, gap.cause) == (Table.IMPORTS, Cause.OUTSIDE_IMAGE)


def test_r1_28_descriptor_limit_is_said() -> None:
    piece = Piece(0x1000)
    entries = piece.put(thunks(piece, True, ["f"]), 8)
    row = descriptor(entries, piece.text("a.dll"), entries)
    image = image_with(piece, (piece.put(row * 5000 + bytes(20)), 0))
    assert len(image.imports()) == 4096
    (gap,) = image.incomplete
    assert (gap.table, gap.cause) == (Table.IMPORTS, Cause.LIMIT)


def test_r1_28_function_limit_is_said() -> None:
    piece = Piece(0x1000)
    name = piece.put(b"\0\0ab\0", 2)
    entries = piece.put(struct.pack("<Q", name) * 262_145 + bytes(8), 8)
    table = piece.put(descriptor(entries, piece.text("a.dll"), entries) + bytes(20))
    image = image_with(piece, (table, 40))
    (library,) = image.imports()
    assert library.symbol_count == 262_144
    (gap,) = image.incomplete
    assert (gap.cause, gap.library) == (Cause.LIMIT, "a.dll")


def test_r1_28_as_many_functions_as_allowed_are_no_gap() -> None:
    piece = Piece(0x1000)
    name = piece.put(b"\0\0ab\0", 2)
    entries = piece.put(struct.pack("<Q", name) * 262_144 + bytes(8), 8)
    table = piece.put(descriptor(entries, piece.text("a.dll"), entries) + bytes(20))
    image = image_with(piece, (table, 40))
    assert len(image.imports()[0].symbols()) == 262_144
    assert image.incomplete == ()


@pytest.mark.parametrize(("length", "whole"), [(3199, True), (65_534, True), (65_535, False)])
def test_r1_28_length_of_a_name(length: int, whole: bool) -> None:
    piece = Piece(0x1000)
    table = imports(piece, [("a.dll", ["x" * length, "after"])])
    image = image_with(piece, table)
    first, second = image.imports()[0].symbols()
    assert first.name == ("x" * length if whole else None)
    assert second.name == "after"
    assert [gap.cause for gap in image.incomplete] == ([] if whole else [Cause.LIMIT])


def test_unreadable_function_keeps_its_place() -> None:
    piece = Piece(0x1000)
    good = piece.put(b"\0\0good\0", 2)
    entries = piece.put(struct.pack("<QQQQ", good, 0x7000_0000, good, 0), 8)
    table = piece.put(descriptor(entries, piece.text("a.dll"), entries) + bytes(20))
    image = image_with(piece, (table, 40))
    (library,) = image.imports()
    assert [symbol.name for symbol in library.symbols()] == ["good", None, "good"]
    (gap,) = image.incomplete
    assert (gap.cause, gap.library) == (Cause.OUTSIDE_IMAGE, "a.dll")


def test_bytes_that_the_source_lacks_are_a_gap_not_a_fault() -> None:
    """A recorded fragment: the table is known, the names of functions are not."""
    piece = Piece(0x1000)
    names = [f"function_{index}" for index in range(3)]
    entries = piece.put(thunks(piece, True, names), 8)
    table = piece.put(descriptor(entries, piece.text("a.dll"), entries) + bytes(20))
    filler = Piece(0x1000)
    filler.put(bytes(0x6000))
    far = filler.put(b"\0\0far\0", 2)
    filler.patch(0x1000, bytes(piece.data))
    filler.patch(entries, struct.pack("<Q", far))
    shape = Shape(rows=[Row(start=0x1000, data=bytes(filler.data))], directories={1: (table, 40)})
    data = shape.build()
    image = Image(HoleySource(data, range(0x6000, len(data))))
    (library,) = image.imports()
    assert library.name == "a.dll"
    assert [symbol.name for symbol in library.symbols()] == [None, "function_1", "function_2"]
    assert [gap.cause for gap in image.incomplete] == [Cause.UNAVAILABLE]


def test_names_in_falling_order_need_few_reads() -> None:
    piece = Piece(0x1000)
    names = [f"function_number_{index:05}" for index in range(20_000)]
    entries = thunks(piece, True, names)
    falling = struct.pack("<20000Q", *reversed(struct.unpack("<20000Q", entries[:-8]))) + bytes(8)
    place = piece.put(falling, 8)
    table = piece.put(descriptor(place, piece.text("a.dll"), place) + bytes(20))
    source = CountingSource(
        BytesSource(Shape(rows=[Row(start=0x1000, data=bytes(piece.data))], directories={1: (table, 40)}).build())
    )
    (library,) = Image(source).imports()
    assert [symbol.name for symbol in library.symbols()] == names[::-1]
    assert len(source.calls) <= 10
