"""R1.21: imports whose hint is right are passed by in one go; the judge is to look up each of them by itself."""

from __future__ import annotations

import random

import pytest

from tests.formats.pe.craft import Piece, Row, Shape, Symbol, exports, imports
from whyload.base.bytesource import BytesSource
from whyload.formats.pe import ExportTable, Image, ImportedLibrary, ImportedSymbol

NAMES = [f"f{n:02}" for n in range(40)] + ["", "f0", "f000", "long" * 300, "\u00e9t\u00e9"]


def exporter(chance: random.Random, empty: bool) -> ExportTable:
    """A table with functions, empty slots, forwarders and slots that are not there."""
    kinds: list[int | str] = [0x1000, 0x1004, 0, "other.f"]
    slots = [chance.choice(kinds) for _ in NAMES]
    names = [(name, chance.randrange(len(slots) + 2)) for name in ([] if empty else NAMES) if chance.random() < 0.9]
    piece = Piece(0x1000)
    piece.put(bytes(64))
    place = exports(piece, slots, names, base=1, sort=chance.random() < 0.9)
    shape = Shape(rows=[Row(start=piece.start, data=bytes(piece.data))], directories={0: place})
    table = Image(BytesSource(shape.build())).exports()
    assert table is not None
    return table


def importer(chance: random.Random, table: ExportTable) -> ImportedLibrary:
    """Imports by ordinal, by name with the right hint and with wrong ones; some names are not exported."""
    listed = list(table.names())
    wanted: list[Symbol] = []
    for name in chance.choices(NAMES, k=60):
        right = listed.index(name) if name in listed else 0
        choices: list[Symbol] = [chance.randrange(1, 9), (name, right), (name, right), (name, 7), (name, 60_000)]
        wanted.append(chance.choice(choices))
    piece = Piece(0x1000)
    place = imports(piece, [("a.dll", wanted)])
    shape = Shape(rows=[Row(start=piece.start, data=bytes(piece.data))], directories={1: place})
    return Image(BytesSource(shape.build())).imports()[0]


def is_passed(table: ExportTable, symbol: ImportedSymbol) -> bool:
    """The name stands where the hint says, and the function behind it is one."""
    if symbol.name is None or symbol.hint >= table.name_count or list(table.names())[symbol.hint] != symbol.name:
        return False
    export = table.find(symbol.name, symbol.hint)
    return export is not None and export.forwarder is None


@pytest.mark.parametrize("seed", range(60))
def test_what_is_left_is_what_the_hint_does_not_settle(seed: int) -> None:
    chance = random.Random(seed)
    table = exporter(chance, empty=seed % 20 == 0)
    library = importer(chance, table)
    expected = [symbol for symbol in library.symbols() if not is_passed(table, symbol)]
    assert list(library.symbols_beside(table)) == expected
    assert len(expected) > 0 and (seed % 20 == 0) == (len(expected) == len(library.symbols()))
