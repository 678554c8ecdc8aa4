"""Versions, machines, sources of bytes."""

from __future__ import annotations

import pytest

from whyload.base.bytesource import BytesSource
from whyload.base.errors import FormatError, WhyloadError
from whyload.base.machine import Machine, machine_of
from whyload.base.message import Message
from whyload.base.versions import FileVersion, PythonVersion, parse_file_version, parse_python_version


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("14.38.33130.0", FileVersion(14, 38, 33130, 0)),
        ("v14.38.33130.00", FileVersion(14, 38, 33130, 0)),
        ("14.40", FileVersion(14, 40, 0, 0)),
        ("none", None),
    ],
)
def test_file_versions(text: str, expected: FileVersion | None) -> None:
    assert parse_file_version(text) == expected


@pytest.mark.parametrize(
    ("text", "digits"), [("3.11", "311"), ("3.11.4", "311"), ("3.13t", "313t"), ("3.9", "39"), ("three", None)]
)
def test_python_versions(text: str, digits: str | None) -> None:
    version = parse_python_version(text)
    assert (version.digits if version else None) == digits


def test_python_versions_are_ordered_by_number() -> None:
    assert PythonVersion(3, 9) < PythonVersion(3, 10) < PythonVersion(3, 11)


def test_machines() -> None:
    assert machine_of(0x8664) is Machine.AMD64
    assert machine_of(0x1234) is Machine.UNKNOWN
    assert (Machine.AMD64.bits, Machine.I386.bits, Machine.UNKNOWN.bits) == (64, 32, 0)
    assert all(machine.label for machine in Machine)


def test_bytes_in_memory_end_where_they_end() -> None:
    source = BytesSource(b"abcdef")
    assert source.size == 6
    assert source.read(4, 10) == b"ef"
    assert source.read(6, 1) == source.read(-1, 3) == source.read(0, -1) == b""


def test_a_format_error_names_the_place() -> None:
    error = FormatError("no signature", place="DOS header", offset=60)
    assert isinstance(error, WhyloadError)
    assert "DOS header" in str(error)
    assert "0x3C" in str(error)
    assert "offset" not in str(FormatError("x", place="y"))


def test_a_message_speaks_two_languages() -> None:
    message = Message(en="absent", zh="没有")
    assert (message.text("en"), message.text("zh"), message.text("fr")) == ("absent", "没有", "absent")
