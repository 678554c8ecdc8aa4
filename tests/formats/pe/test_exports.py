"""R1.20-R1.24: the export table (rows 19-24 of loader.md section 8)."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import pytest

from tests.formats.pe.craft import Piece, Row, Shape, exports
from whyload.base.bytesource import BytesSource
from whyload.base.errors import FormatError
from whyload.formats.pe import Cause, ExportTable, Forwarder, Image, parse_forwarder


def image_with(piece: Piece, table: tuple[int, int]) -> Image:
    shape = Shape(rows=[Row(start=piece.start, data=bytes(piece.data))], directories={0: table})
    return Image(BytesSource(shape.build()))


def table_of(
    slots: Sequence[int | str], names: Sequence[tuple[str, int]], base: int = 1, sort: bool = True
) -> ExportTable:
    piece = Piece(0x1000)
    piece.put(bytes(64))
    table = image_with(piece, exports(piece, slots, names, base=base, sort=sort)).exports()
    assert table is not None
    return table


def test_counts_and_name() -> None:
    table = table_of([0x1000, 0, 0x1008], [("f", 0), ("g", 2)], base=10)
    assert (table.name, table.ordinal_base, table.function_count, table.name_count) == ("self.dll", 10, 3, 2)
    assert list(table.names()) == ["f", "g"]
    assert table.is_complete


@pytest.mark.parametrize(
    ("text", "module", "name", "ordinal"),
    [
        ("NTDLL.RtlAllocateHeap", "NTDLL.dll", "RtlAllocateHeap", None),
        ("a.b.Func", "a.b", "Func", None),  # row 22
        ("x.#12", "x.dll", None, 12),  # row 23
        ("api-ms-win-core-io-l1-1-0.Cancel", "api-ms-win-core-io-l1-1-0.dll", "Cancel", None),
        ("nodot", "", None, None),
        (".f", "", None, None),
        ("x.", "", None, None),
        ("", "", None, None),
        ("x.#", "x.dll", None, None),
        ("x.#twelve", "x.dll", None, None),
        ("x.#\u00b2", "x.dll", None, None),
    ],
)
def test_r1_20_row_22_text_of_a_forwarder(text: str, module: str, name: str | None, ordinal: int | None) -> None:
    """R1.20: split at the last dot, `.dll` appended where the left part has none."""
    assert parse_forwarder(text) == Forwarder(text=text, module=module, name=name, ordinal=ordinal)


def test_r1_20_forwarder_is_told_by_its_address() -> None:
    table = table_of([0x1000, "x.#12"], [("real", 0), ("away", 1)])
    real, away = table.find("real"), table.find("away")
    assert real is not None
    assert real.forwarder is None
    assert away is not None
    assert away.forwarder == Forwarder(text="x.#12", module="x.dll", name=None, ordinal=12)


def test_r1_20_size_of_the_directory_bounds_forwarders() -> None:
    piece = Piece(0x1000)
    rva, _ = exports(piece, ["x.f"], [("away", 0)])
    table = image_with(piece, (rva, 40)).exports()
    assert table is not None
    export = table.find("away")
    assert export is not None
    assert export.forwarder is None


@pytest.mark.parametrize("hint", [None, 0, 1, 2, 3, 99, -1])
def test_r1_21_any_hint_finds_the_name(hint: int | None) -> None:
    table = table_of([0x1000, 0x1001, 0x1002], [("b", 1), ("a", 2), ("c", 0)])
    found = table.find("a", hint)
    assert found is not None
    assert (found.name, found.ordinal, found.rva) == ("a", 3, 0x1002)
    assert table.find("A", hint) is None
    assert table.find("aa", hint) is None
    assert table.find("\u0416", hint) is None


def test_r1_21_order_is_by_unsigned_bytes() -> None:
    names = ["Zulu", "alpha", "\u00e9t\u00e9", "_x", "?f@@YAXXZ"]
    table = table_of([0x1000] * 5, [(name, index) for index, name in enumerate(names)])
    assert all(table.find(name) is not None for name in names)


def test_r1_21_row_20_unsorted_table() -> None:
    """R1.21: binary search from the middle misses `a`; the hint, or a search that starts at it, may find it."""
    table = table_of([0x1000 + index for index in range(5)], [(n, i) for i, n in enumerate("mbzad")], sort=False)
    assert "a" in table.names()
    # middle: z (2) > a, then m (0) > a: not found
    assert table.find("a") is None
    assert table.find("a", 3) is not None
    # hint 1: b > a, then m > a: not found; hint 4: d > a, then b (1) > a, then m > a: not found
    assert table.find("a", 1) is None
    assert table.find("a", 4) is None
    # z itself is the middle; m is below it
    assert table.find("z") is not None
    assert table.find("m") is not None


def test_r1_21_name_that_leads_nowhere() -> None:
    """The index of a name lies beyond the functions."""
    table = table_of([0x1000], [("good", 0), ("lost", 7)])
    assert table.find("lost") is None
    assert [export.name for export in table] == ["good"]
    assert list(table.names()) == ["good", "lost"]


def test_r1_22_row_21_lookup_by_ordinal() -> None:
    """R1.22: outside the table, and in an empty slot, there is nothing; functions without names are there."""
    table = table_of([0x1000, 0, 0x1004], [("named", 0)], base=10)
    assert table.find_ordinal(9) is None
    assert table.find_ordinal(11) is None
    assert table.find_ordinal(13) is None
    found = table.find_ordinal(12)
    assert found is not None
    assert (found.name, found.ordinal, found.rva) == (None, 12, 0x1004)


def test_row_23_ordinal_forwarder_meets_its_base() -> None:
    forward = parse_forwarder("x.#12")
    table = table_of([0x1000, 0x1001, 0x1002], [], base=10)
    assert forward.ordinal is not None
    found = table.find_ordinal(forward.ordinal)
    assert found is not None
    assert found.rva == 0x1002


def test_iteration_gives_every_name_and_every_unnamed_slot() -> None:
    table = table_of([0x1000, 0x1004, 0, 0x1008], [("x", 1), ("y", 1)], base=3)
    assert [(export.name, export.ordinal) for export in table] == [("x", 4), ("y", 4), (None, 3), (None, 6)]


def test_r1_23_no_export_directory_is_none() -> None:
    """R1.23: the importer fails with 193 then; an empty table is something else."""
    assert Image(BytesSource(Shape(rows=[Row(start=0x1000, data=b"x")]).build())).exports() is None
    empty = table_of([], [])
    assert list(empty) == []
    assert empty.find("f") is None
    assert empty.find_ordinal(1) is None


def test_r1_24_row_24_a_loop_is_not_followed_here() -> None:
    """R1.24: hops are the loader's business; the reader names the next one and stops."""
    table = table_of(["self.f"], [("f", 0)])
    export = table.find("f")
    assert export is not None
    assert export.forwarder is not None
    assert (export.forwarder.module, export.forwarder.name) == ("self.dll", "f")


def test_row_19_sixty_thousand_names() -> None:
    """Row 19: no limit is hit, and the long name is whole."""
    long = "n" * 3305
    names = [(f"function_{index:05}", index) for index in range(59_999)] + [(long, 59_999)]
    piece = Piece(0x1000)
    image = image_with(piece, exports(piece, [0x1000 + index for index in range(60_000)], names))
    table = image.exports()
    assert table is not None
    assert sum(1 for _ in table.names()) == 60_000
    found = table.find(long)
    assert found is not None
    assert found.ordinal == 60_000
    assert image.incomplete == ()


def test_r1_28_more_exports_than_the_limit_is_said() -> None:
    piece = Piece(0x1000)
    rva, size = exports(piece, [0x1000] * 4, [("f", 0)])
    function_table = struct.unpack_from("<I", piece.data, rva - 0x1000 + 28)[0]
    piece.patch(rva + 20, struct.pack("<I", 2_000_000))
    piece.put(bytes(0x80_0000))
    assert function_table
    image = image_with(piece, (rva, size))
    table = image.exports()
    assert table is not None
    assert table.function_count == 2_000_000
    assert not table.is_complete
    assert [gap.cause for gap in image.incomplete] == [Cause.LIMIT]
    assert table.find("f") is not None


def test_r1_28_tables_that_run_out_of_the_image_are_not_silently_short() -> None:
    piece = Piece(0x1000)
    rva, size = exports(piece, [0x1000] * 4, [("f", 0), ("g", 1)])
    piece.patch(rva + 20, struct.pack("<I", 0x10_0000))
    image = image_with(piece, (rva, size))
    table = image.exports()
    assert table is not None
    assert not table.is_complete
    assert [gap.cause for gap in image.incomplete] == [Cause.OUTSIDE_IMAGE]
    assert table.find("g") is not None


def test_unreadable_name_is_a_gap() -> None:
    piece = Piece(0x1000)
    rva, size = exports(piece, [0x1000, 0x1001], [("f", 0), ("g", 1)])
    name_table = struct.unpack_from("<I", piece.data, rva - 0x1000 + 32)[0]
    piece.patch(name_table, struct.pack("<I", 0x7000_0000))
    image = image_with(piece, (rva, size))
    table = image.exports()
    assert table is not None
    assert table.find("a") is None
    assert not table.is_complete
    assert list(table.names()) == ["g"]
    assert [gap.cause for gap in image.incomplete] == [Cause.OUTSIDE_IMAGE]


def test_directory_outside_the_image() -> None:
    image = Image(BytesSource(Shape(rows=[Row(start=0x1000, data=b"x")], directories={0: (0x9_0000, 40)}).build()))
    with pytest.raises(FormatError, match="outside the image"):
        image.exports()
