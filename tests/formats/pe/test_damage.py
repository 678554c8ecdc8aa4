"""Row 30, R1.28, R1.30: whatever the bytes are, only `FormatError` comes out, and the work stays within bounds."""

from __future__ import annotations

import random
import struct
import tracemalloc
from collections.abc import Callable
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.pe.craft import Piece, Row, Shape, everything, imports, thunks
from tests.formats.pe.sources import CountingSource
from whyload.base.bytesource import BytesSource
from whyload.base.errors import FormatError
from whyload.base.machine import Machine
from whyload.formats.pe import Cause, Image, ImportedLibrary, limits, sniff

PADDING = 0x2000
GOOD = {plus: everything(plus, PADDING) for plus in (True, False)}
TABLES = 0x400 + PADDING
MIB = 1 << 20


def ask_libraries(libraries: tuple[ImportedLibrary, ...]) -> None:
    for library in libraries:
        assert library.symbols_known is False or len(library.symbols()) == library.symbol_count
        assert library.file_name
        assert library.is_unused in (True, False)


def ask_exports(image: Image) -> None:
    table = image.exports()
    if table is None:
        return
    for export in islice(table, 2000):
        assert export.rva
    for name in islice(table.names(), 50):
        table.find(name)
        table.find(name, 3)
    table.find_ordinal(table.ordinal_base)


QUESTIONS: tuple[Callable[[Image], object], ...] = (
    lambda image: image.effective_machine,
    lambda image: ask_libraries(image.imports()),
    lambda image: ask_libraries(image.delay_imports()),
    ask_exports,
    lambda image: image.load_config(),
    lambda image: image.clr(),
    lambda image: [image.manifest(number) for number in (None, 1, 2)],
    lambda image: image.file_version(),
    lambda image: (image.sections, image.is_dll, image.incomplete),
)


def ask_everything(data: bytes) -> CountingSource:
    """Ask all questions; a `FormatError` is an answer, anything else is not."""
    source = CountingSource(BytesSource(data))
    sniff(source)
    try:
        image = Image(source)
    except FormatError:
        return source
    for question in QUESTIONS:
        try:
            question(image)
        except FormatError as error:
            assert error.place in ("import table", "export table")
    return source


@settings(max_examples=400, deadline=None)
@given(
    plus=st.booleans(),
    changes=st.lists(
        st.tuples(
            st.integers(0, len(GOOD[True]) - PADDING - 1).map(lambda at: at if at < 0x400 else at + PADDING),
            st.sampled_from([b"\0", b"\1", b"\x7f", b"\xff", b"\0" * 4, b"\xff" * 4]),
        ),
        min_size=1,
        max_size=12,
    ),
    cut=st.none() | st.integers(0, len(GOOD[True])),
)
def test_row_30_mutations(plus: bool, changes: list[tuple[int, bytes]], cut: int | None) -> None:
    data = bytearray(GOOD[plus])
    for at, new in changes:
        data[at : at + len(new)] = new
    source = ask_everything(bytes(data[:cut]))
    assert len(source.calls) <= 200
    assert source.bytes_read <= 4 * MIB


def test_row_30_ten_thousand_mutations() -> None:
    """As row 30 asks: 10,000 of them, words of the tables and headers replaced; most must get past the headers."""
    dice = random.Random(30)
    words = (0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x1000, 0x2FFC, 0x3000, 0xFFF)
    opened = 0
    for _ in range(10_000):
        data = bytearray(GOOD[dice.random() < 0.5])
        for _ in range(dice.randint(1, 6)):
            at = dice.choice((dice.randrange(0x80, 0x400), dice.randrange(TABLES, len(data)))) & ~3
            struct.pack_into(
                "<I", data, at, dice.choice((dice.choice(words), dice.getrandbits(14), dice.getrandbits(32)))
            )
        source = ask_everything(bytes(data))
        opened += len(source.calls) > 2
        assert len(source.calls) <= 200
        assert source.bytes_read <= 4 * MIB
    assert opened > 3000


@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=4096), size=st.integers(0, MIB), seed=st.integers(0, 1 << 30))
def test_random_bytes_up_to_a_mebibyte(data: bytes, size: int, seed: int) -> None:
    """Pure noise, and noise behind healthy headers."""
    noise = random.Random(seed).randbytes(size)
    ask_everything(data + noise)
    source = ask_everything(GOOD[True][:0x400] + noise)
    assert len(source.calls) <= limits.READS + 4
    assert source.bytes_read <= 64 * MIB


def with_rows(piece: Piece, table: tuple[int, int], index: int = 1, size: int | None = None) -> bytes:
    row = Row(start=0x1000, data=bytes(piece.data), size=size)
    return Shape(rows=[row], directories={index: table}).build()


def endless_libraries() -> bytes:
    """4,096 descriptors that share one list of 262,144 functions: a thousand million functions."""
    piece = Piece(0x1000)
    name = piece.put(b"\0\0ab\0", 2)
    entries = piece.put(struct.pack("<Q", name) * 262_144 + bytes(8), 8)
    row = struct.pack("<IIIII", entries, 0, 0, piece.text("a.dll"), entries)
    return with_rows(piece, (piece.put(row * 4096 + bytes(20)), 0))


def endless_names() -> bytes:
    """200,000 functions that share one name of 60,000 bytes: 12 GB of names."""
    piece = Piece(0x1000)
    name = piece.put(b"\0\0" + b"n" * 60_000 + b"\0", 2)
    entries = piece.put(struct.pack("<Q", name) * 200_000 + bytes(8), 8)
    row = struct.pack("<IIIII", entries, 0, 0, piece.text("a.dll"), entries)
    return with_rows(piece, (piece.put(row + bytes(20)), 0))


def endless_zeros() -> bytes:
    """A section of 2 GB that the file stores nothing of, and an export directory that claims all of it."""
    piece = Piece(0x1000)
    counts = struct.pack("<12xIIIIIII", 0x2000, 1, 0x4_0000, 0x1_0000, 0x10_0000, 0x2000, 0x80_0000)
    return with_rows(piece, (piece.put(counts), 0x7000_0000), index=0, size=0x7000_0000)


def endless_exports() -> bytes:
    """A million exports with one and the same name."""
    piece = Piece(0x1000)
    name = piece.text("same")
    start = piece.put(bytes(40))
    functions = piece.put(struct.pack("<I", 0x1000) * MIB)
    names = piece.put(struct.pack("<I", name) * MIB)
    ordinals = piece.put(struct.pack("<H", 7) * MIB)
    piece.patch(start, struct.pack("<12xIIIIIII", name, 1, MIB, MIB, functions, names, ordinals))
    return with_rows(piece, (start, piece.here - start), index=0)


def scattered_names() -> bytes:
    """10,000 functions whose names lie 4 KiB apart, in no order: each could cost a read of its own."""
    piece = Piece(0x1000)
    places = [0x10_0000 + index * 0x1000 for index in range(10_000)]
    random.Random(1).shuffle(places)
    entries = piece.put(struct.pack("<10000Q", *places) + bytes(8), 8)
    row = struct.pack("<IIIII", entries, 0, 0, piece.text("a.dll"), entries)
    table = piece.put(row + bytes(20))
    piece.put(bytes(0x10_0000 - len(piece.data) + 10_000 * 0x1000))
    for place in places:
        piece.patch(place, b"\0\0f\0")
    return with_rows(piece, (table, 40))


HOSTILE = (endless_libraries, endless_names, endless_zeros, endless_exports, scattered_names)


@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
def test_r1_30_hostile_images(make: Callable[[], bytes]) -> None:
    """R1.30: 64 MiB of memory, and a bounded number of bounded reads."""
    data = make()
    tracemalloc.start()
    try:
        source = ask_everything(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= 64 * MIB
    assert len(source.calls) <= limits.READS + 4
    assert source.bytes_read <= limits.BYTES_READ


@pytest.mark.parametrize("make", [endless_libraries, endless_names])
def test_r1_28_what_was_given_up_is_said(make: Callable[[], bytes]) -> None:
    image = Image(BytesSource(make()))
    for library in image.imports():
        library.symbols()
    assert {gap.cause for gap in image.incomplete} == {Cause.LIMIT}


def test_a_second_question_gets_the_same_answer() -> None:
    """Limits are charged once: asking again does not use them up."""
    piece = Piece(0x1000)
    table = imports(piece, [("a.dll", ["n" * 60_000] * 40)])
    image = Image(BytesSource(with_rows(piece, table)))
    (library,) = image.imports()
    first = library.symbols()
    for _ in range(40):
        assert library.symbols() == first
    assert image.incomplete == ()


@pytest.mark.parametrize(("gap", "reads"), [(0x2000, 2), (0x8000, 3)])
def test_r1_30_headers_first_and_ascending(gap: int, reads: int) -> None:
    """R1.30: a member of a zip is read forwards. What a load asks: the machine first, hybrids included."""
    source = CountingSource(BytesSource(address_table_first(gap)))
    image = Image(source)
    assert source.calls == [(0, 4096)]
    assert image.effective_machine is Machine.AMD64
    (library,) = image.imports()
    assert not library.is_unused
    assert [symbol.name for symbol in library.symbols()] == ["f", "g"]
    assert len(source.calls) == reads
    assert source.calls == sorted(source.calls)


def test_r1_30_names_alone_cost_no_read_of_the_address_table() -> None:
    source = CountingSource(BytesSource(address_table_first(0x8000)))
    image = Image(source)
    (library,) = image.imports()
    assert library.name == "a.dll"
    assert len(source.calls) == 2
    assert not library.is_unused
    assert len(source.calls) == 3


def address_table_first(gap: int) -> bytes:
    """Laid out as Microsoft's linker does it; `gap` bytes lie before the import table."""
    piece = Piece(0x1000)
    piece.put(bytes(0x4000))
    address_table = piece.put(bytes(24), 8)
    piece.put(bytes(gap))
    rows, lookup = piece.put(bytes(40)), piece.put(bytes(24), 8)
    entries = thunks(piece, True, ["f", "g"])
    piece.patch(rows, struct.pack("<IIIII", lookup, 0, 0, piece.text("a.dll"), address_table))
    piece.patch(lookup, entries)
    piece.patch(address_table, entries)
    piece.put(bytes(0x8000))
    shape = Shape(rows=[Row(start=0x1000, data=bytes(piece.data))])
    shape.directories = {1: (rows, 40), 12: (address_table, 24)}
    return shape.build()
