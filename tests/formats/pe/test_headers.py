"""R1.1-R1.5: the headers, and the checks of the memory manager (rows 1-10 of loader.md section 8)."""

from __future__ import annotations

import struct

import pytest

from tests.formats.pe.craft import ARM64, I386, WRITABLE, Piece, Row, Shape, everything, imports
from whyload.base.bytesource import BytesSource
from whyload.base.errors import FormatError
from whyload.base.machine import Machine
from whyload.formats.pe import BadImageError, Defect, Image


def opened(data: bytes) -> Image:
    return Image(BytesSource(data))


def refused(data: bytes) -> BadImageError:
    with pytest.raises(BadImageError) as caught:
        opened(data)
    return caught.value


def plain(**fields: object) -> Shape:
    shape = Shape(rows=[Row(start=0x1000, data=b"x" * 0x300, name=b".text")])
    for name, value in fields.items():
        assert hasattr(shape, name)
        setattr(shape, name, value)
    return shape


def test_header_fields() -> None:
    image = opened(plain(stamp=0x1234, subsystem=3, dll_characteristics=0x4160, linker=(14, 40)).build())
    assert image.machine is Machine.AMD64
    assert image.machine_value == 0x8664
    assert image.is_pe32_plus
    assert image.is_dll
    assert image.characteristics == 0x2022
    assert image.image_base == 0x1_8000_0000
    assert image.linker_version == (14, 40)
    assert (image.subsystem, image.dll_characteristics, image.time_date_stamp) == (3, 0x4160, 0x1234)


def test_header_fields_of_pe32() -> None:
    image = opened(plain(plus=False, image_base=0x1000_0000, subsystem=2, linker=(9, 0)).build())
    assert image.machine is Machine.I386
    assert not image.is_pe32_plus
    assert image.image_base == 0x1000_0000
    assert (image.linker_version, image.subsystem, image.dll_characteristics) == ((9, 0), 2, 0x160)


def test_unknown_machine_keeps_its_value() -> None:
    image = opened(plain(machine=0x200).build())
    assert image.machine is Machine.UNKNOWN
    assert image.machine_value == 0x200
    assert image.effective_machine is Machine.UNKNOWN


def test_sections() -> None:
    rows = [
        Row(start=0x1000, data=b"x", name=b".text"),
        Row(start=0x2000, data=b"y" * 16, size=0x5000, name=b".data", flags=WRITABLE),
        Row(start=0x7000, size=0x40, name=b"12345678", flags=WRITABLE),
    ]
    image = opened(Shape(rows=rows).build())
    assert [section.name for section in image.sections] == [".text", ".data", "12345678"]
    assert [section.virtual_address for section in image.sections] == [0x1000, 0x2000, 0x7000]
    assert [section.virtual_size for section in image.sections] == [1, 0x5000, 0x40]
    assert [bool(section.characteristics & 0x8000_0000) for section in image.sections] == [False, True, True]
    assert [section.raw_size for section in image.sections] == [0x200, 0x200, 0]


def test_r1_1_section_table_stands_after_the_stated_size() -> None:
    """R1.1: SizeOfOptionalHeader leads to the section table, not the size that Magic implies."""
    piece = Piece(0x1000)
    table = imports(piece, [("dep.dll", ["f"])])
    rows = [Row(start=0x1000, data=bytes(piece.data))]
    longer = Shape(rows=rows, directories={1: table}, optional_size=0x130, headers_size=0x400)
    assert [library.name for library in opened(longer.build()).imports()] == ["dep.dll"]


def test_r1_1_row_10_directory_beyond_the_stated_count_is_absent() -> None:
    """R1.1: bytes for an import directory are there, NumberOfRvaAndSizes is 1."""
    piece = Piece(0x1000)
    shape = Shape(directories={1: imports(piece, [("dep.dll", ["f"])])}, slots=1)
    shape.rows = [Row(start=0x1000, data=bytes(piece.data))]
    assert opened(shape.build()).imports() == ()
    shape.slots = 2
    assert len(opened(shape.build()).imports()) == 1


def test_r1_1_directory_beyond_the_optional_header_is_absent() -> None:
    piece = Piece(0x1000)
    shape = Shape(directories={1: imports(piece, [("dep.dll", ["f"])])}, optional_size=112 + 8)
    shape.rows = [Row(start=0x1000, data=bytes(piece.data))]
    assert opened(shape.build()).imports() == ()


def test_r1_1_count_beyond_sixteen_is_no_fault() -> None:
    piece = Piece(0x1000)
    shape = Shape(directories={1: imports(piece, [("dep.dll", ["f"])])}, slots=0xFFFF_FFFF)
    shape.rows = [Row(start=0x1000, data=bytes(piece.data))]
    assert len(opened(shape.build()).imports()) == 1


def test_r1_2_section_names_decide_nothing() -> None:
    piece = Piece(0x1000)
    table = imports(piece, [("dep.dll", ["f"])])
    rows = [Row(start=0x1000, data=bytes(piece.data), name=b".reloc")]
    assert len(opened(Shape(rows=rows, directories={1: table}).build()).imports()) == 1


def test_r1_3_row_1_empty_file() -> None:
    assert refused(b"").defect is Defect.EMPTY


@pytest.mark.parametrize("data", [b"#!/bin/sh\n", b"<html>" + b"x" * 9000, b"\0" * 4096])
def test_r1_3_row_2_no_dos_header(data: bytes) -> None:
    assert refused(data).defect is Defect.NO_DOS_HEADER


@pytest.mark.parametrize("length", [2, 63, 0x80 + 3, 0x80 + 30, 0x80 + 24 + 200, 0x80 + 24 + 240 + 39])
def test_r1_3_file_ends_inside_the_headers(length: int) -> None:
    assert refused(plain().build()[:length]).defect is Defect.TRUNCATED


@pytest.mark.parametrize("missing", [1, 0x200, 0x3FF])
def test_r1_3_row_3_file_ends_inside_a_section(missing: int) -> None:
    """R1.3: the raw range of a section ends beyond the end of the file, as after a broken download."""
    error = refused(plain().build()[:-missing])
    assert error.defect is Defect.TRUNCATED
    assert f"{missing} bytes" in error.reason
    assert ".text" in error.reason


@pytest.mark.parametrize("offset", [0x1_0000, 0xFFFF_FFFC])
def test_r1_3_row_4_header_pointer_beyond_the_file(offset: int) -> None:
    data = bytearray(plain().build())
    struct.pack_into("<I", data, 0x3C, offset)
    error = refused(bytes(data))
    assert error.defect is Defect.NO_PE_HEADER
    assert error.offset == 60


def test_r1_3_header_pointer_not_aligned() -> None:
    assert refused(plain(e_lfanew=0x82).build()).defect is Defect.NO_PE_HEADER


@pytest.mark.parametrize("mark", [b"NE\0\0", b"LE\0\0", b"PE\1\0"])
def test_r1_3_other_signature(mark: bytes) -> None:
    assert refused(plain(signature=mark).build()).defect is Defect.NO_PE_HEADER


def test_r1_3_row_5_no_optional_header() -> None:
    assert refused(plain(optional_size=0).build()).defect is Defect.BAD_OPTIONAL_HEADER


@pytest.mark.parametrize("magic", [0x107, 0, 0x30B])
def test_r1_3_magic(magic: int) -> None:
    assert refused(plain(magic=magic).build()).defect is Defect.BAD_OPTIONAL_HEADER


@pytest.mark.parametrize(("plus", "machine"), [(True, I386), (True, 0x1C4), (False, 0x8664), (False, ARM64)])
def test_r1_3_magic_against_machine(plus: bool, machine: int) -> None:
    assert refused(plain(plus=plus, machine=machine).build()).defect is Defect.BAD_OPTIONAL_HEADER


@pytest.mark.parametrize(
    ("section", "file"),
    [
        (0x200, 0x1000),  # row 6
        (0x1000, 0),
        (0x1000, 0x300),
        (0x1000, 0x100),
        (0x1000, 0x20),
    ],
)
def test_r1_3_row_6_alignment_refused(section: int, file: int) -> None:
    error = refused(plain(section_alignment=section, file_alignment=file).build())
    assert error.defect is Defect.BAD_ALIGNMENT


@pytest.mark.parametrize(("section", "file"), [(0x1000, 0x200), (0x1000, 0x1000), (0x200, 0x200), (0x20, 0x20)])
def test_r1_3_row_7_alignment_accepted(section: int, file: int) -> None:
    assert opened(plain(section_alignment=section, file_alignment=file).build()).is_dll


@pytest.mark.parametrize("size", [0, 0x1000, 0x12FF - 0x300])
def test_r1_3_row_8_image_size(size: int) -> None:
    assert refused(plain(image_size=size).build()).defect is Defect.BAD_IMAGE_SIZE


def test_r1_3_image_size_counts_in_pages() -> None:
    assert opened(plain(image_size=0x1001).build()).is_dll


def test_r1_3_row_9_sections() -> None:
    rows = [Row(start=0x1000 * (index + 1), size=1) for index in range(97)]
    assert len(opened(Shape(rows=rows[:96], headers_size=0x1000).build()).sections) == 96
    assert refused(Shape(rows=rows, headers_size=0x1000).build()).defect is Defect.BAD_SECTIONS


@pytest.mark.parametrize("starts", [(0x1000, 0x3000), (0x2000, 0x1000), (0x1000, 0x1000), (0x1000, 0x1800)])
def test_r1_3_sections_must_follow_each_other(starts: tuple[int, int]) -> None:
    rows = [Row(start=start, data=b"x" * 0x200) for start in starts]
    assert refused(Shape(rows=rows, image_size=0x5000).build()).defect is Defect.BAD_SECTIONS


def test_r1_3_headers_far_from_the_start() -> None:
    shape = plain(e_lfanew=0x2F00, headers_size=0x3200)
    shape.rows = [Row(start=0x4000, data=b"x" * 16, raw=0x3400, raw_size=0x200)]
    data = shape.build().ljust(0x3600, b"\0")
    assert opened(data).sections[0].virtual_address == 0x4000


def test_r1_4_a_program_opens_like_a_library() -> None:
    """R1.4: IMAGE_FILE_DLL is not needed to load; the caller has to know that imports are not processed then."""
    assert not opened(plain(characteristics=0x22).build()).is_dll


def test_r1_5_checksum_is_irrelevant() -> None:
    assert opened(plain(checksum=0xDEAD_BEEF).build()).is_dll


def test_error_is_the_one_format_error() -> None:
    error = refused(b"text")
    assert isinstance(error, FormatError)
    assert error.place == "DOS header"


def test_wine_stand_in() -> None:
    data = bytearray(everything())
    assert not opened(bytes(data)).is_wine_builtin
    data[64 : 64 + 17] = b"Wine builtin DLL\0"
    assert opened(bytes(data)).is_wine_builtin
