"""R1.19: delay imports (row 18 of loader.md section 8)."""

from __future__ import annotations

import pytest

from tests.formats.pe.craft import Piece, Row, Shape, Symbol, delay_imports
from whyload.base.bytesource import BytesSource
from whyload.formats.pe import Cause, Image, ImportedSymbol, Table


def image_with(plus: bool, base: int, attributes: int, place: int | None = None) -> Image:
    piece = Piece(0x1000)
    libraries: list[tuple[str, list[Symbol]]] = [("first.dll", ["one", ("two", 5)]), ("second.dll", [77])]
    table = delay_imports(piece, libraries, plus, base, attributes)
    shape = Shape(plus=plus, rows=[Row(start=0x1000, data=bytes(piece.data))], image_base=0x1000_0000)
    shape.directories = {13: table if place is None else (place, 64)}
    return Image(BytesSource(shape.build()))


@pytest.mark.parametrize("plus", [True, False])
@pytest.mark.parametrize(("base", "attributes"), [(0, 1), (0x1000_0000, 0)])
def test_r1_19_row_18_addresses_relative_and_absolute(plus: bool, base: int, attributes: int) -> None:
    """R1.19: version 2 holds RVAs, version 1 addresses, also inside the name table."""
    image = image_with(plus, base, attributes)
    first, second = image.delay_imports()
    assert (first.name, second.name) == ("first.dll", "second.dll")
    assert first.symbols() == (ImportedSymbol("one", None, 0), ImportedSymbol("two", None, 5))
    assert second.symbols() == (ImportedSymbol(None, 77, 0),)
    assert first.is_delayed
    assert first.is_valid
    assert not first.is_unused
    assert image.imports() == ()
    assert image.incomplete == ()


def test_r1_19_other_attributes_are_invalid() -> None:
    first, _ = image_with(True, 0, 0x11).delay_imports()
    assert not first.is_valid
    assert first.name == "first.dll"


def test_damage_here_refuses_nothing() -> None:
    """The loader does not look at the table; it is a gap in what we know."""
    image = image_with(True, 0, 1, place=0x7_0000)
    assert image.delay_imports() == ()
    (gap,) = image.incomplete
    assert (gap.table, gap.cause) == (Table.DELAY_IMPORTS, Cause.OUTSIDE_IMAGE)


def test_version_1_address_below_the_base() -> None:
    image = image_with(True, 0, 0)
    assert [library.name for library in image.delay_imports()] == ["", ""]
    assert {gap.cause for gap in image.incomplete} == {Cause.OUTSIDE_IMAGE}
