"""R1.27: managed images (row 28 of loader.md section 8)."""

from __future__ import annotations

import struct

import pytest

from tests.formats.pe.craft import Piece, Row, Shape
from whyload.base.bytesource import BytesSource
from whyload.formats.pe import Image, Table


def image_with(flags: int, plus: bool = False) -> Image:
    piece = Piece(0x1000)
    rva = piece.put(struct.pack("<IHHIII", 72, 2, 5, 0, 0, flags).ljust(72, b"\0"))
    shape = Shape(plus=plus, rows=[Row(start=0x1000, data=bytes(piece.data))], directories={14: (rva, 72)})
    return Image(BytesSource(shape.build()))


@pytest.mark.parametrize(
    ("flags", "il_only", "required"),
    [(1, True, False), (3, True, True), (0x2_0003, True, True), (0, False, False)],
)
def test_r1_27_row_28_flags(flags: int, il_only: bool, required: bool) -> None:
    clr = image_with(flags).clr()
    assert clr is not None
    assert clr.runtime == (2, 5)
    assert (clr.is_il_only, clr.requires_32bit) == (il_only, required)


def test_native_image_has_none() -> None:
    assert Image(BytesSource(Shape(rows=[Row(start=0x1000, data=b"x")]).build())).clr() is None


def test_header_outside_the_image_is_a_gap() -> None:
    image = Image(BytesSource(Shape(rows=[Row(start=0x1000, data=b"x")], directories={14: (0x9_0000, 72)}).build()))
    assert image.clr() is None
    assert [gap.table for gap in image.incomplete] == [Table.CLR]
