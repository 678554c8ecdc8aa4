"""R1.26: manifests and the version (row 29 of loader.md section 8)."""

from __future__ import annotations

import struct

from tests.formats.pe.craft import Piece, Row, Shape, resources, version_info
from whyload.base.bytesource import BytesSource
from whyload.base.versions import FileVersion
from whyload.formats.pe import Cause, Image, Table


def image_with(piece: Piece, table: tuple[int, int]) -> Image:
    shape = Shape(rows=[Row(start=piece.start, data=bytes(piece.data))], directories={2: table})
    return Image(BytesSource(shape.build()))


def test_r1_26_manifest_by_number() -> None:
    piece = Piece(0x1000)
    image = image_with(piece, resources(piece, [(24, 1, b"<program/>"), (24, 2, b"<library/>"), (3, 1, b"icon")]))
    assert image.manifest(1) == b"<program/>"
    assert image.manifest(2) == b"<library/>"
    assert image.manifest(3) is None
    assert image.manifest() == b"<program/>"
    assert image.file_version() is None
    assert image.incomplete == ()


def test_r1_26_row_29_version() -> None:
    piece = Piece(0x1000)
    image = image_with(piece, resources(piece, [(16, 1, version_info((14, 38, 33130, 0)))]))
    assert image.file_version() == FileVersion(14, 38, 33130, 0)
    assert image.manifest() is None


def test_r1_26_version_number_one_is_preferred() -> None:
    piece = Piece(0x1000)
    items = [(16, 0, version_info((1, 0, 0, 0))), (16, 1, version_info((2, 0, 0, 0)))]
    assert image_with(piece, resources(piece, items)).file_version() == FileVersion(2, 0, 0, 0)


def test_version_without_its_signature() -> None:
    piece = Piece(0x1000)
    assert image_with(piece, resources(piece, [(16, 1, b"nothing of the kind")])).file_version() is None


def test_resource_section_may_lie_anywhere() -> None:
    """Offsets are relative to the directory, leaf addresses are RVAs."""
    piece = Piece(0x1000)
    piece.put(bytes(0x7654))
    table = resources(piece, [(24, 2, b"<far/>")])
    assert image_with(piece, table).manifest() == b"<far/>"


def test_r1_28_tree_that_bites_its_tail_ends() -> None:
    piece = Piece(0x1000)
    start = piece.put(struct.pack("<12xHHII", 0, 1, 24, 0x8000_0000))
    image = image_with(piece, (start, 24))
    assert image.manifest() is None
    (gap,) = image.incomplete
    assert (gap.table, gap.cause) == (Table.RESOURCES, Cause.LIMIT)


def test_r1_28_tree_that_fans_out_ends() -> None:
    piece = Piece(0x1000)
    start = piece.put(struct.pack("<12xHH", 0, 60_000))
    piece.put(struct.pack("<II", 24, 0x8000_0000) * 60_000)
    image = image_with(piece, (start, 24))
    assert image.manifest() is None
    assert Cause.LIMIT in {gap.cause for gap in image.incomplete}


def test_leaf_outside_the_image_is_a_gap() -> None:
    piece = Piece(0x1000)
    table = resources(piece, [(24, 2, b"<x/>")])
    at = bytes(piece.data).index(struct.pack("<I", 4) + bytes(8)) - 4
    piece.patch(0x1000 + at, struct.pack("<I", 0x7_0000))
    image = image_with(piece, table)
    assert image.manifest() is None
    (gap,) = image.incomplete
    assert (gap.table, gap.cause) == (Table.RESOURCES, Cause.OUTSIDE_IMAGE)


def test_r1_28_huge_leaf_is_said() -> None:
    piece = Piece(0x1000)
    table = resources(piece, [(24, 2, b"x" * ((4 << 20) + 1))])
    image = image_with(piece, table)
    assert image.manifest() is None
    assert [gap.cause for gap in image.incomplete] == [Cause.LIMIT]


def test_directory_outside_the_image_is_a_gap() -> None:
    image = Image(BytesSource(Shape(rows=[Row(start=0x1000, data=b"x")], directories={2: (0x9_0000, 16)}).build()))
    assert image.manifest() is None
    assert [gap.table for gap in image.incomplete] == [Table.RESOURCES]
