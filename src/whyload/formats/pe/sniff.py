"""What a file really is, told from its first bytes: used to explain a library that is none.

Source: the magic numbers of each format's own specification (Microsoft "PE Format"; gABI; Apple <mach-o/loader.h>;
PKWARE APPNOTE; Git LFS specification, "pointer file").
"""

from __future__ import annotations

from whyload.base.enumeration import Enum
from whyload.base.typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whyload.base.bytesource import ByteSource

_WINDOW = 4096


class Kind(Enum):
    """Kinds of files that turn up under the name of a library."""

    PE = "Windows image"
    EMPTY = "empty file"
    ZEROS = "file of zero bytes"
    DOS = "DOS program"
    NE = "16-bit Windows image"
    LE = "virtual device driver"
    LX = "OS/2 image"
    ELF = "Linux library"
    MACH_O = "macOS library"
    ARCHIVE = "static or import library"
    ZIP = "zip archive"
    GZIP = "gzip archive"
    LFS_POINTER = "Git LFS pointer"
    TEXT_HTML = "web page"
    TEXT = "text file"
    UNKNOWN = "unknown"


_MAGICS = (
    (b"\x7fELF", Kind.ELF),
    (b"\xfe\xed\xfa\xce", Kind.MACH_O),
    (b"\xfe\xed\xfa\xcf", Kind.MACH_O),
    (b"\xce\xfa\xed\xfe", Kind.MACH_O),
    (b"\xcf\xfa\xed\xfe", Kind.MACH_O),
    (b"\xca\xfe\xba\xbe", Kind.MACH_O),
    (b"!<arch>\n", Kind.ARCHIVE),
    (b"PK\x03\x04", Kind.ZIP),
    (b"PK\x05\x06", Kind.ZIP),
    (b"\x1f\x8b", Kind.GZIP),
    (b"version https://git-lfs", Kind.LFS_POINTER),
)
_NEW_HEADERS = ((b"PE\0\0", Kind.PE), (b"NE", Kind.NE), (b"LE", Kind.LE), (b"LX", Kind.LX))
_HTML = (b"<!doctype html", b"<html", b"<head", b"<body")


def sniff(source: ByteSource) -> Kind:
    """The kind of a file; at most two reads. `PE` promises the signature only, not that Windows accepts the file."""
    head = source.read(0, _WINDOW)
    if not head:
        return Kind.EMPTY
    if head[:2] == b"MZ":
        return _after_dos_header(source, head)
    for magic, kind in _MAGICS:
        if head.startswith(magic):
            return kind
    if not any(head):
        return Kind.ZEROS
    return _text(head)


def _after_dos_header(source: ByteSource, head: bytes) -> Kind:
    if len(head) < 64:
        return Kind.DOS
    start = int.from_bytes(head[60:64], "little")
    mark = head[start : start + 4] if start + 4 <= len(head) else source.read(start, 4)
    for magic, kind in _NEW_HEADERS:
        if mark.startswith(magic):
            return kind
    return Kind.DOS


def _text(head: bytes) -> Kind:
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = head.decode("utf-16", "replace")
    elif b"\0" in head:
        return Kind.UNKNOWN
    else:
        try:
            text = head.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            if error.start < len(head) - 4:  # a character cut at the end of the window is no fault
                return Kind.UNKNOWN
            text = head[: error.start].decode("utf-8-sig")
    if not text or any(ord(letter) < 32 and letter not in "\t\n\r\f\x1b" for letter in text):
        return Kind.UNKNOWN
    start = text.lstrip().lower().encode("utf-8", "replace")
    return Kind.TEXT_HTML if start.startswith(_HTML) else Kind.TEXT
