"""R1.6-R1.8, R1.25: load configuration and hybrid images (rows 25-27 of loader.md section 8)."""

from __future__ import annotations

import pytest

from tests.formats.pe.craft import AMD64, ARM64, I386, Piece, Row, Shape, imports, load_config
from whyload.base.bytesource import BytesSource
from whyload.base.machine import Machine
from whyload.formats.pe import Cause, Image, Table


def image_with(machine: int, size: int = 320, flags: int = 0, chpe: int = 0, slack: int = 0) -> Image:
    plus = machine != I386
    piece = Piece(0x1000)
    piece.put(bytes(slack))
    table = load_config(piece, plus, size, flags, chpe)
    library = imports(piece, [("native.dll", ["f"])], plus)
    shape = Shape(plus=plus, machine=machine, directories={10: table, 1: library})
    shape.rows = [Row(start=0x1000, data=bytes(piece.data))]
    return Image(BytesSource(shape.build()))


@pytest.mark.parametrize(
    ("machine", "chpe", "size", "effective"),
    [
        (AMD64, 0x1_8000_2000, 320, Machine.ARM64EC),  # row 26
        (ARM64, 0x1_8000_2000, 320, Machine.ARM64X),  # row 27
        (AMD64, 0x1_8000_2000, 208, Machine.ARM64EC),
        (AMD64, 0x1_8000_2000, 207, Machine.AMD64),
        (AMD64, 0, 320, Machine.AMD64),
        (ARM64, 0, 320, Machine.ARM64),
        (I386, 0x1000_2000, 320, Machine.I386),
    ],
)
def test_r1_6_rows_26_27_hybrids(machine: int, chpe: int, size: int, effective: Machine) -> None:
    """R1.6: the pointer counts where the structure is long enough to have it; on x86 it changes nothing."""
    image = image_with(machine, size=size, chpe=chpe)
    assert image.effective_machine is effective
    assert image.machine_value == machine


def test_r1_7_what_compatibility_is_decided_from() -> None:
    """R1.7: the same header value stands for two kinds of process; the loader asks for the effective machine."""
    hybrid = image_with(ARM64, chpe=0x1_8000_2000)
    assert (hybrid.machine, hybrid.effective_machine) == (Machine.ARM64, Machine.ARM64X)
    plain = Image(BytesSource(Shape(rows=[Row(start=0x1000, data=b"x")]).build()))
    assert plain.effective_machine is Machine.AMD64
    assert plain.load_config() is None


def test_r1_8_other_view_of_a_hybrid_is_not_made_up() -> None:
    """R1.8: the tables are those of the native view; that the file is ARM64X tells the loader that x64 sees others."""
    image = image_with(ARM64, chpe=0x1_8000_2000)
    assert image.effective_machine is Machine.ARM64X
    assert [library.name for library in image.imports()] == ["native.dll"]


@pytest.mark.parametrize("machine", [AMD64, I386])
def test_r1_25_row_25_dependent_load_flags(machine: int) -> None:
    config = image_with(machine, flags=0x800).load_config()
    assert config is not None
    assert config.dependent_load_flags == 0x800
    assert config.size == 320


@pytest.mark.parametrize(("machine", "end"), [(AMD64, 80), (I386, 56)])
def test_r1_25_flags_need_a_long_enough_structure(machine: int, end: int) -> None:
    enough, short = image_with(machine, end, 0x2000).load_config(), image_with(machine, end - 1, 0x2000).load_config()
    assert enough is not None
    assert enough.dependent_load_flags == 0x2000
    assert short is not None
    assert short.dependent_load_flags == 0


def test_outside_the_image_is_a_gap() -> None:
    shape = Shape(rows=[Row(start=0x1000, data=b"x")], directories={10: (0x9_0000, 320)})
    image = Image(BytesSource(shape.build()))
    assert image.effective_machine is Machine.AMD64
    (gap,) = image.incomplete
    assert (gap.table, gap.cause) == (Table.LOAD_CONFIG, Cause.OUTSIDE_IMAGE)
