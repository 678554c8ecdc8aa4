"""R1.9-R1.13: from address to file offset (rows 11-14 of loader.md section 8)."""

from __future__ import annotations

import pytest

from tests.formats.pe.craft import Row, Shape
from whyload.base.bytesource import BytesSource
from whyload.formats.pe.address import Memory
from whyload.formats.pe.headers import read_headers
from whyload.formats.pe.incomplete import Cause


def memory_of(data: bytes) -> Memory:
    source = BytesSource(data)
    return Memory(source, read_headers(source))


def two_sections() -> Memory:
    rows = [
        Row(start=0x1000, data=b"A" * 0x300, size=0x1800),
        Row(start=0x3000, data=b"B" * 0x200, size=0x100),
    ]
    return memory_of(Shape(rows=rows).build())


def test_r1_9_headers_are_mapped_at_their_offset() -> None:
    memory = two_sections()
    assert memory.read(0, 2) == b"MZ"
    assert memory.read(0x80, 4) == b"PE\0\0"


def test_r1_9_row_11_names_in_the_header_region() -> None:
    data = Shape(rows=[Row(start=0x1000, data=b"x")], in_headers={0x380: b"kernel32.dll\0"}).build()
    assert memory_of(data).string(0x380) == b"kernel32.dll"


def test_r1_9_the_last_page_of_the_headers_is_filled_with_zeros() -> None:
    """A structure may begin there and go on in the first section."""
    memory = memory_of(Shape(rows=[Row(start=0x1000, data=b"next")], in_headers={0x3FC: b"last"}).build())
    assert memory.read(0x3FC, 8) == b"last" + bytes(4)
    assert memory.read(0xFFC, 8) == bytes(4) + b"next"


def test_r1_11_raw_data_is_read_to_the_end_of_its_sector() -> None:
    """SizeOfRawData 4 and a pointer inside a sector: both ends go to sectors."""
    row = Row(start=0x1000, size=0x1000, raw=0x401, raw_size=4)
    data = bytearray(Shape(rows=[row]).build().ljust(0x800, b"\0"))
    data[0x400:0x404], data[0x5FF:0x601] = b"here", b"ab"
    memory = memory_of(bytes(data))
    assert memory.read(0x1000, 4) == b"here"
    assert memory.read(0x11FF, 2) == b"a\0"


def test_r1_10_extent_is_rounded_to_the_section_alignment() -> None:
    memory = two_sections()
    assert memory.read(0x2FFF, 1) == b"\0"
    assert memory.region(0x3FFF) is not None
    assert memory.region(0x4000) is None


def test_r1_10_without_virtual_size_the_raw_size_counts() -> None:
    memory = memory_of(Shape(rows=[Row(start=0x1000, data=b"Q" * 0x600, size=0)], image_size=0x2000).build())
    assert memory.read(0x15FF, 1) == b"Q"
    assert memory.region(0x1FFF) is not None


def test_r1_11_row_12_raw_pointer_is_rounded_down() -> None:
    row = Row(start=0x1000, data=b"Z" * 0x200, raw=0x3F0, raw_size=0x200)
    data = bytearray(Shape(rows=[row]).build().ljust(0x800, b"\0"))
    data[0x200:0x204] = b"here"
    assert memory_of(bytes(data)).read(0x1000, 4) == b"here"


def test_r1_11_tail_is_zero() -> None:
    assert two_sections().read(0x1000 + 0x3FE, 4) == bytes(4)


def test_r1_11_raw_bytes_behind_virtual_size_are_mapped_to_the_end_of_the_page() -> None:
    assert two_sections().read(0x3100, 4) == b"BBBB"


def test_r1_11_raw_bytes_behind_the_last_page_are_not_mapped() -> None:
    rows = [Row(start=0x1000, data=b"A" * 0x1400, size=0x10), Row(start=0x2000, data=b"B")]
    memory = memory_of(Shape(rows=rows).build())
    assert memory.read(0x1FFF, 2) == b"AB"


def test_r1_11_raw_pointer_zero_stores_nothing() -> None:
    memory = memory_of(Shape(rows=[Row(start=0x1000, size=0x10, raw=0, raw_size=0x200)]).build())
    assert memory.read(0x1000, 4) == bytes(4)


def test_r1_12_row_13_flat_image() -> None:
    """R1.12: RVA is file offset, raw pointers are ignored."""
    row = Row(start=0x400, data=b"flat".ljust(0x200, b"."), raw=0x400, raw_size=0x200)
    shape = Shape(rows=[row], section_alignment=0x200, file_alignment=0x200, image_size=0x1000)
    memory = memory_of(shape.build())
    assert memory.read(0x400, 4) == b"flat"
    shape.rows = [Row(start=0x200, data=b"flat".ljust(0x200, b"."), raw=0x400, raw_size=0x200)]
    assert memory_of(shape.build()).read(0x400, 4) == b"flat"
    assert memory.read(0xFFE, 4) == bytes(2)


def test_r1_13_sections_may_share_their_bytes() -> None:
    rows = [Row(start=0x1000, data=b"same"), Row(start=0x2000, raw=0x400, raw_size=0x200, size=4)]
    memory = memory_of(Shape(rows=rows).build())
    assert memory.read(0x1000, 4) == memory.read(0x2000, 4) == b"same"


def test_r1_13_string_ends_in_the_zero_filled_tail() -> None:
    rows = [Row(start=0x1000, data=b"x" * 0x1FC + b"tail", size=0x800)]
    memory = memory_of(Shape(rows=rows).build())
    assert memory.string(0x11FC) == b"tail"
    assert memory.string(0x1300) == b""


def test_r1_13_nothing_crosses_into_a_gap() -> None:
    memory = memory_of(Shape(rows=[Row(start=0x1000, data=b"y" * 0x1000)], image_size=0x3000).build())
    assert memory.read(0x1FFE, 4) == b"yy"
    assert memory.string(0x1FF0) is None
    assert memory.trouble[0] is Cause.OUTSIDE_IMAGE
    far = memory_of(Shape(rows=[Row(start=0x3000, data=b"y")]).build())
    assert far.read(0xFFE, 4) == bytes(2)  # from the last page of the headers into the gap before the first section


@pytest.mark.parametrize("rva", [0x5000, 0xFFFF_FFFF, 1 << 62, -5])
def test_addresses_outside_the_image(rva: int) -> None:
    memory = two_sections()
    assert memory.region(rva) is None
    assert memory.read(rva, 4) == b""
    assert memory.string(rva) is None


def test_string_over_many_reads() -> None:
    text = bytes(range(1, 256)) * 200
    rows = [Row(start=0x1000, data=b"\0" * 0x5000 + text + b"\0")]
    memory = memory_of(Shape(rows=rows).build())
    assert memory.string(0x6000) == text


def test_reads_agree_with_a_plain_mapping() -> None:
    """Whatever order pieces are asked for in, the answers are the bytes of the section."""
    content = bytes((index * 7 + index // 256) & 0xFF for index in range(0x3_0000))
    memory = memory_of(Shape(rows=[Row(start=0x1000, data=content)]).build())
    for at in (0x2_F000, 0x10, 0x8000, 0x7FF0, 0x2_0000, 0x1_FFF0, 0x4000, 0, 0x2_8000):
        for length in (1, 16, 0x1800, 0x5000):
            assert memory.read(0x1000 + at, length) == content[at : at + length].ljust(
                min(length, 0x3_0000 - at), b"\0"
            )
