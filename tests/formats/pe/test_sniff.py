"""What a file is that carries the name of a library."""

from __future__ import annotations

import struct

import pytest

from tests.formats.pe.craft import Shape, everything
from tests.formats.pe.sources import CountingSource
from whyload.base.bytesource import BytesSource
from whyload.formats.pe import Kind, sniff


def dos(mark: bytes, at: int = 0x80) -> bytes:
    return b"MZ".ljust(60, b"\0") + struct.pack("<I", at) + bytes(at - 64) + mark


LFS = b"version https://git-lfs" + b".example/spec/v1\noid sha256:00\nsize 12345\n"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (everything(), Kind.PE),
        (Shape(e_lfanew=0x2000).build(), Kind.PE),
        (b"", Kind.EMPTY),
        (bytes(5000), Kind.ZEROS),
        (b"MZ", Kind.DOS),
        (dos(b"nothing"), Kind.DOS),
        (dos(b"NE\5\3"), Kind.NE),
        (dos(b"LE\0\0"), Kind.LE),
        (dos(b"LX\0\0"), Kind.LX),
        (b"\x7fELF\2\1\1" + bytes(60), Kind.ELF),
        (b"\xcf\xfa\xed\xfe" + bytes(60), Kind.MACH_O),
        (b"\xca\xfe\xba\xbe\0\0\0\2" + bytes(60), Kind.MACH_O),
        (b"!<arch>\n/               ", Kind.ARCHIVE),
        (b"PK\x03\x04" + bytes(60), Kind.ZIP),
        (b"\x1f\x8b\x08" + bytes(60), Kind.GZIP),
        (LFS, Kind.LFS_POINTER),
        (b"<!DOCTYPE html>\n<html lang=en>", Kind.TEXT_HTML),
        (b"\xef\xbb\xbf\r\n  <HTML><head>", Kind.TEXT_HTML),
        ("<html>".encode("utf-16"), Kind.TEXT_HTML),
        (b"this is not a library\n", Kind.TEXT),
        ("\u8fd9\u4e0d\u662f\u5e93".encode() * 1000, Kind.TEXT),
        (b"\x93\x01\x02 binary \xff\xff", Kind.UNKNOWN),
        (b"text\0with zero", Kind.UNKNOWN),
        (b"\x01\x02\x03", Kind.UNKNOWN),
    ],
)
def test_kind(data: bytes, kind: Kind) -> None:
    source = CountingSource(BytesSource(data))
    assert sniff(source) is kind
    assert len(source.calls) <= 2
    assert source.bytes_read <= 4100
