"""The front door: one image, its answers kept, and the small questions beside the tables."""

from __future__ import annotations

import struct

from tests.formats.pe.craft import Piece, Row, Shape, everything
from tests.formats.pe.sources import CountingSource
from whyload.base.bytesource import BytesSource
from whyload.base.versions import FileVersion
from whyload.formats.pe import Image


def test_everything_at_once() -> None:
    for plus in (True, False):
        image = Image(BytesSource(everything(plus, padding=0x5000)))
        table = image.exports()
        assert table is not None
        assert [(export.name, export.ordinal) for export in table] == [("alpha", 5), ("beta", 6), (None, 8)]
        assert [library.name for library in image.delay_imports()] == ["late.dll"]
        config = image.load_config()
        assert config is not None
        assert config.dependent_load_flags == 0x800
        assert image.manifest() == b"<assembly/>"
        assert image.file_version() == FileVersion(14, 38, 33130, 0)
        assert image.is_il_only
        assert image.incomplete == ()


def test_answers_are_kept() -> None:
    source = CountingSource(BytesSource(everything(padding=0x5000)))
    image = Image(source)
    first = image.imports(), image.delay_imports(), image.exports(), image.load_config()
    calls = len(source.calls)
    again = image.imports(), image.delay_imports(), image.exports(), image.load_config()
    assert all(a is b for a, b in zip(first, again, strict=True))
    assert len(source.calls) == calls


def test_native_image_is_not_il_only() -> None:
    assert not Image(BytesSource(Shape(rows=[Row(start=0x1000, data=b"x")]).build())).is_il_only


def test_entry_code() -> None:
    data = bytearray(Shape(rows=[Row(start=0x1000, data=b"....\xb8\1\0\0\0\xc3")]).build())
    assert Image(BytesSource(bytes(data))).entry_code(6) == b""
    struct.pack_into("<I", data, 0x80 + 24 + 16, 0x1004)
    assert Image(BytesSource(bytes(data))).entry_code(6) == b"\xb8\1\0\0\0\xc3"


def test_section_data() -> None:
    piece = Piece(0x1000)
    piece.put(b"contents")
    image = Image(BytesSource(Shape(rows=[Row(start=0x1000, data=bytes(piece.data), name=b"pydata")]).build()))
    assert image.section_data("pydata", 100) == b"contents"
    assert image.section_data("pydata", 3) == b"con"
    assert image.section_data(".rsrc", 100) is None
