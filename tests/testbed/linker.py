"""Sections, labels and headers of a small PE image: the half of the PE writer that knows no imports or exports.

Source of truth: Microsoft, "PE Format" (headers, section table, base relocations).
"""

from __future__ import annotations

import enum
import struct
from dataclasses import dataclass, field

from whyload.base.machine import Machine

PAGE = 0x1000
SECTOR = 0x200
HEADERS = 0x400
DIRECTORIES = 16


class Section(enum.Enum):
    """The sections in file order; the value is name and characteristics."""

    TEXT = (b".text", 0x60000020)
    RDATA = (b".rdata", 0x40000040)
    DATA = (b".data", 0xC0000040)
    PDATA = (b".pdata", 0x40000040)
    RSRC = (b".rsrc", 0x40000040)
    RELOC = (b".reloc", 0x42000040)


class Directory(enum.IntEnum):
    """Index of a data directory."""

    EXPORT = 0
    IMPORT = 1
    RESOURCE = 2
    EXCEPTION = 3
    RELOCATION = 5
    LOAD_CONFIG = 10
    IAT = 12
    DELAY_IMPORT = 13


class Fix(enum.Enum):
    """How the address of a label is written into a field."""

    RELATIVE = 4
    """Signed distance from the end of the 4-byte field, as x64 code has it."""
    RVA = 5
    """4 bytes, distance from the image base."""
    THUNK = 6
    """As RVA, as wide as a pointer."""
    ADDRESS = 7
    """Absolute address, as wide as a pointer; gets a base relocation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What the headers say beside what follows from the sections."""

    machine: Machine = Machine.AMD64
    linker: tuple[int, int] = (14, 38)
    timestamp: int = 0x60000000
    image_base: int = 0x180000000
    is_dll: bool = True
    entry: str | None = None
    """Label of the entry point."""


@dataclass(slots=True)
class Linker:
    """Collects bytes under labels; `image` gives them addresses."""

    wide: bool
    _bytes: dict[Section, bytearray] = field(default_factory=lambda: {section: bytearray() for section in Section})
    _labels: dict[str, tuple[Section, int]] = field(default_factory=dict)
    _fixes: list[tuple[Section, int, Fix, str]] = field(default_factory=list)
    _directories: dict[Directory, tuple[str, str]] = field(default_factory=dict)

    @property
    def pointer(self) -> int:
        """Bytes in a pointer."""
        return 8 if self.wide else 4

    def label(self, section: Section, name: str) -> None:
        """`name` is the place where the next byte of `section` comes."""
        if name in self._labels:
            raise ValueError(f"label {name} is given twice")
        self._labels[name] = (section, len(self._bytes[section]))

    def has(self, name: str) -> bool:
        """True where the label exists."""
        return name in self._labels

    def put(self, section: Section, data: bytes) -> None:
        """Append bytes."""
        self._bytes[section] += data

    def align(self, section: Section, unit: int, filler: bytes = b"\0") -> None:
        """Append `filler` up to the next multiple of `unit`."""
        self._bytes[section] += filler * (-len(self._bytes[section]) % unit)

    def refer(self, section: Section, fix: Fix, label: str) -> None:
        """Append a field that will hold the address of `label`."""
        self._fixes.append((section, len(self._bytes[section]), fix, label))
        self.put(section, bytes(self.pointer if fix in (Fix.THUNK, Fix.ADDRESS) else 4))

    def text(self, section: Section, label: str, value: str) -> None:
        """Append a NUL-terminated ASCII string under `label`."""
        self.label(section, label)
        self.put(section, value.encode("latin-1") + b"\0")

    def directory(self, which: Directory, first: str, last: str) -> None:
        """The data directory spans from one label to the other."""
        self._directories[which] = (first, last)

    def image(self, header: Header) -> bytes:
        """The finished file."""
        self._relocations()
        places, size_of_image = self._places()

        def rva(label: str) -> int:
            if label == "image base":
                return 0
            section, offset = self._labels[label]
            return places[section][0] + offset

        for section, offset, fix, label in self._fixes:
            value = rva(label)
            if fix is Fix.RELATIVE:
                value = (value - places[section][0] - offset - 4) & 0xFFFFFFFF
            elif fix is Fix.ADDRESS:
                value += header.image_base
            width = self.pointer if fix in (Fix.THUNK, Fix.ADDRESS) else 4
            self._bytes[section][offset : offset + width] = value.to_bytes(width, "little")

        out = bytearray(self._headers(header, places, size_of_image, rva(header.entry) if header.entry else 0))
        table = len(out) - DIRECTORIES * 8 - 40 * len(places)
        for which, (first, last) in self._directories.items():
            struct.pack_into("<II", out, table + which * 8, rva(first), rva(last) - rva(first))
        out += bytes(HEADERS - len(out))
        for section in places:
            data = self._bytes[section]
            out += data + bytes(-len(data) % SECTOR)
        return bytes(out)

    def _relocations(self) -> None:
        """Base relocations for absolute addresses; an image without any gets an empty block, so that it can move."""
        places, _ = self._places()
        fields = sorted(places[section][0] + offset for section, offset, fix, _ in self._fixes if fix is Fix.ADDRESS)
        kind = 10 if self.wide else 3
        self.label(Section.RELOC, "relocations")
        for page in sorted({where & ~(PAGE - 1) for where in fields}) or [PAGE]:
            entries = [kind << 12 | where % PAGE for where in fields if where & ~(PAGE - 1) == page]
            entries += [0] * (len(entries) % 2 or 2 * (not entries))
            self.put(Section.RELOC, struct.pack(f"<II{len(entries)}H", page, 8 + 2 * len(entries), *entries))
        self.label(Section.RELOC, "relocations end")
        self.directory(Directory.RELOCATION, "relocations", "relocations end")

    def _places(self) -> tuple[dict[Section, tuple[int, int]], int]:
        """RVA and file offset of every section that is not empty, and the size of the image."""
        rva, raw, places = PAGE, HEADERS, {}
        for section, data in self._bytes.items():
            if data:
                places[section] = (rva, raw)
                rva += -(-len(data) // PAGE) * PAGE
                raw += -(-len(data) // SECTOR) * SECTOR
        return places, rva

    def _headers(self, header: Header, places: dict[Section, tuple[int, int]], size_of_image: int, entry: int) -> bytes:
        raw_sizes = {section: -(-len(self._bytes[section]) // SECTOR) * SECTOR for section in places}
        code = raw_sizes.get(Section.TEXT, 0)
        characteristics = 0x0002 | (0x2000 if header.is_dll else 0) | (0x0020 if self.wide else 0x0100)
        optional = struct.pack(
            "<HBBIIIII",
            0x20B if self.wide else 0x10B,
            *header.linker,
            code,
            sum(raw_sizes.values()) - code,
            0,
            entry,
            PAGE,
        )
        optional += struct.pack("<Q", header.image_base) if self.wide else struct.pack("<II", PAGE, header.image_base)
        versions = (6, 0, 0, 0, 6, 0)
        optional += struct.pack("<II6HIIIIHH", PAGE, SECTOR, *versions, 0, size_of_image, HEADERS, 0, 2, 0x0160)
        optional += struct.pack("<4Q" if self.wide else "<4I", 0x100000, 0x1000, 0x100000, 0x1000)
        optional += struct.pack("<II", 0, DIRECTORIES) + bytes(DIRECTORIES * 8)
        out = b"MZ" + bytes(58) + struct.pack("<I", 0x80) + bytes(64) + b"PE\0\0"
        out += struct.pack(
            "<HHIIIHH", header.machine, len(places), header.timestamp, 0, 0, len(optional), characteristics
        )
        out += optional
        for section, (rva, raw) in places.items():
            name, flags = section.value
            size = len(self._bytes[section])
            out += name.ljust(8, b"\0") + struct.pack("<IIII", size, rva, raw_sizes[section], raw)
            out += struct.pack("<IIHHI", 0, 0, 0, 0, flags)
        return out
