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
    """A schema of version 6: header of seven numbers, entries, values, strings; the hash table is not read."""
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


SCHEMA = section(
    {
        "api-ms-win-core-io-l1-1-0": [("", "kernel32.dll"), ("kernel32.dll", "kernelbase.dll")],
        "ext-ms-win-gone-l1-1-0": [("", "")],
        "ext-ms-win-none-l1-1-0": [],
    }
)


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


@pytest.mark.parametrize("data", [b"", SCHEMA[:20], section({}, version=4), SCHEMA[:40], b"\xff" * 64])
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


@pytest.mark.wine
def test_wines_own_schema(machine: WineMachine) -> None:
    data = machine.host("C:/Windows/System32/apisetschema.dll").read_bytes()
    schema = ApiSetSchema.from_image(Image(BytesSource(data)))
    assert schema is not None
    assert len(schema) > 300
    for family in ("heap", "runtime", "stdio", "math"):
        assert schema.host(f"api-ms-win-crt-{family}-l1-1-0.dll") == "ucrtbase.dll"
