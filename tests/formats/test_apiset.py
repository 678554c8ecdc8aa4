"""The API set schema (loader.md 2.3; R2.12 to R2.16): sections made by hand, and the one that Wine has."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

import pytest

from tests.formats.pe.craft import Row, Shape
from tests.testbed.wine import WineMachine
from whyload.base.bytesource import BytesSource
from whyload.base.errors import FormatError
from whyload.formats.apiset import ApiSetSchema
from whyload.formats.pe import Image

Hosts = Sequence[tuple[str, str]]
"""(importer or "", host): the first is the default."""


def section(entries: Mapping[str, Hosts], version: int = 6) -> bytes:
    """A schema; of version 6: header of seven numbers, entries, values, strings; the hash table is not read."""
    if version < 6:
        return _old_section(entries, version)
    at = 28 + 24 * len(entries)
    rows, rest = b"", b""
    for name, hosts in entries.items():
        text = name.encode("utf-16-le")
        hashed = name.rpartition("-")[0].encode("utf-16-le")
        name_at = at + len(rest)
        rest += text
        values_at = at + len(rest)
        strings, values = b"", b""
        for importer, host in hosts:
            alias, value = importer.encode("utf-16-le"), host.encode("utf-16-le")
            first = values_at + 20 * len(hosts) + len(strings)
            strings += alias + value
            values += struct.pack("<5I", 0, first, len(alias), first + len(alias), len(value))
        rest += values + strings
        rows += struct.pack("<6I", 1, name_at, len(text), len(hashed), values_at, len(hosts))
    return struct.pack("<7I", version, at + len(rest), 1, len(entries), 28, 0, 31) + rows + rest


def _old_section(entries: Mapping[str, Hosts], version: int) -> bytes:
    """Versions 2 and 4: names without their prefix, the count of values in front of them."""
    wide = version == 4
    at = (16 if wide else 8) + (24 if wide else 12) * len(entries)
    rows, rest = b"", b""
    for name, hosts in entries.items():
        text = name.partition("-")[2].encode("utf-16-le")
        name_at = at + len(rest)
        rest += text
        values_at = at + len(rest)
        first = values_at + (8 if wide else 4) + (20 if wide else 16) * len(hosts)
        strings, values = b"", struct.pack("<2I", 0, len(hosts)) if wide else struct.pack("<I", len(hosts))
        for importer, host in hosts:
            alias, value = importer.encode("utf-16-le"), host.encode("utf-16-le")
            here = first + len(strings)
            strings += alias + value
            values += struct.pack("<I", 0) if wide else b""
            values += struct.pack("<4I", here, len(alias), here + len(alias), len(value))
        rest += values + strings
        numbers = (0, name_at, len(text), name_at, len(text), values_at) if wide else (name_at, len(text), values_at)
        rows += struct.pack(f"<{len(numbers)}I", *numbers)
    header = (4, at + len(rest), 1, len(entries)) if wide else (2, len(entries))
    return struct.pack(f"<{len(header)}I", *header) + rows + rest


ENTRIES: Mapping[str, Hosts] = {
    "api-ms-win-core-io-l1-1-0": [("", "kernel32.dll"), ("kernel32.dll", "kernelbase.dll")],
    "ext-ms-win-gone-l1-1-0": [("", "")],
    "ext-ms-win-none-l1-1-0": [],
}
SCHEMA = section(ENTRIES)


def test_the_last_number_of_a_contract_does_not_count_r2_16() -> None:
    schema = ApiSetSchema(SCHEMA)
    assert schema.host("API-MS-Win-Core-IO-l1-1-99.dll") == "kernel32.dll"
    assert schema.host("api-ms-win-core-io-l1-1-0") == "kernel32.dll"
    assert schema.host("api-ms-win-core-io-l1-2-0.dll") is None


def test_some_importers_have_a_host_of_their_own() -> None:
    assert ApiSetSchema(SCHEMA).host("api-ms-win-core-io-l1-1-0.dll", "KERNEL32.DLL") == "kernelbase.dll"
    assert ApiSetSchema(SCHEMA).host("api-ms-win-core-io-l1-1-0.dll", "user32.dll") == "kernel32.dll"


def test_no_host_is_not_the_same_as_no_contract_r2_14_r2_15() -> None:
    schema = ApiSetSchema(SCHEMA)
    assert schema.host("ext-ms-win-gone-l1-1-0.dll") == schema.host("ext-ms-win-none-l1-1-0.dll") == ""
    assert schema.host("ext-ms-win-unheard-of-l1-1-0.dll") is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        SCHEMA[:20],
        b"\5" + SCHEMA[1:],
        SCHEMA[:40],
        section(ENTRIES, 4)[:40],
        section(ENTRIES, 2)[:20],
        b"\xff" * 64,
    ],
    ids=range(7),
)
def test_damaged_schemas(data: bytes) -> None:
    with pytest.raises(FormatError):
        ApiSetSchema(data)


def test_a_cut_value_table_is_an_unknown_contract() -> None:
    start = struct.unpack_from("<6I", SCHEMA, 28)[4]
    assert ApiSetSchema(SCHEMA[: start + 10]).host("api-ms-win-core-io-l1-1-0.dll") is None


def test_the_section_of_an_image() -> None:
    image = Image(BytesSource(Shape(rows=[Row(start=0x1000, name=b".apiset", data=SCHEMA)]).build()))
    schema = ApiSetSchema.from_image(image)
    assert schema is not None
    assert len(schema) == 3
    other = Image(BytesSource(Shape(rows=[Row(start=0x1000, data=SCHEMA)]).build()))
    assert ApiSetSchema.from_image(other) is None


@pytest.mark.parametrize("version", [2, 4, 6])
def test_row_64_every_version(version: int) -> None:
    """2.3; the real files of Windows 7, 8.1 and 10 gave 356, 502 and 782 contracts with this reader."""
    schema = ApiSetSchema(section(ENTRIES, version))
    assert (schema.version, len(schema)) == (version, 3)
    assert schema.host("API-ms-win-core-io-l1-1-0.dll") == "kernel32.dll"
    assert schema.host("api-ms-win-core-io-l1-1-0.dll", "Kernel32.dll") == "kernelbase.dll"
    assert schema.host("ext-ms-win-gone-l1-1-0.dll") == schema.host("ext-ms-win-none-l1-1-0.dll") == ""
    assert (schema.host("api-ms-win-core-io-l1-1-99.dll") is None) is (version < 6)


@pytest.mark.wine
def test_row_64_hashes_of_wines_own_schema(machine: WineMachine) -> None:
    """2.3: the hash of a name, without its last number, leads to its entry; what we look up is the same name."""
    image = Image(BytesSource(machine.host("C:/Windows/System32/apisetschema.dll").read_bytes()))
    data = image.section_data(".apiset", 4 << 20)
    assert data is not None
    schema = ApiSetSchema(data)
    _, _, _, count, entries, hashes, factor = struct.unpack_from("<7I", data)
    for at in range(count):
        value, index = struct.unpack_from("<2I", data, hashes + 8 * at)
        _, name, _, hashed, _, _ = struct.unpack_from("<6I", data, entries + 24 * index)
        text = data[name : name + hashed].decode("utf-16-le").lower()
        computed = 0
        for unit in text:
            computed = (computed * factor + ord(unit)) & 0xFFFF_FFFF
        assert computed == value
        assert schema.host(f"{text}-7.dll") is not None


@pytest.mark.wine
def test_wines_own_schema(machine: WineMachine) -> None:
    data = machine.host("C:/Windows/System32/apisetschema.dll").read_bytes()
    schema = ApiSetSchema.from_image(Image(BytesSource(data)))
    assert schema is not None
    assert len(schema) > 300
    for family in ("heap", "runtime", "stdio", "math"):
        assert schema.host(f"api-ms-win-crt-{family}-l1-1-0.dll") == "ucrtbase.dll"
