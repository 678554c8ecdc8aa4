"""The headers of a PE file, and the checks of the memory manager.

Source: Microsoft, "PE Format"; loader.md R1.1-R1.5. What the memory manager would refuse (Win32 error 193) raises
`BadImageError`.
"""

from __future__ import annotations

import struct

from whyload.base.dataclass import dataclass
from whyload.base.enumeration import Enum, IntEnum
from whyload.base.errors import FormatError
from whyload.base.machine import Machine
from whyload.base.typing import TYPE_CHECKING, NamedTuple, NoReturn
from whyload.formats.pe import limits

if TYPE_CHECKING:
    from whyload.base.bytesource import ByteSource

FIRST_READ = 4096
PAGE = 4096
_SECTOR = 512
_COFF = struct.Struct("<4sHHIIIHH")
_OPTIONAL = struct.Struct("<HBB24xIII16xIIIHH20xI")
_OPTIONAL_PLUS = struct.Struct("<HBB20xQII16xIIIHH36xI")
_SECTION = struct.Struct("<8xIIII16x")
_LABELS = struct.Struct("<8s28xI")
_PE32, _PE32_PLUS = b"\x0b\x01", b"\x0b\x02"
_DIRECTORIES = 16
_ALL_DIRECTORIES = struct.Struct(f"<{2 * _DIRECTORIES}I")
_IS_PLUS = {machine.value: machine.bits == 64 for machine in Machine if machine.bits}


class Directory(IntEnum):
    """Data directories that whyload reads, by index (Microsoft, "PE Format": Optional Header Data Directories)."""

    EXPORT = 0
    IMPORT = 1
    RESOURCE = 2
    LOAD_CONFIG = 10
    IAT = 12
    DELAY_IMPORT = 13
    CLR = 14


class Defect(Enum):
    """Why the memory manager refuses a file (R1.3)."""

    EMPTY = "empty"
    NO_DOS_HEADER = "no_dos_header"
    NO_PE_HEADER = "no_pe_header"
    TRUNCATED = "truncated"
    BAD_OPTIONAL_HEADER = "bad_optional_header"
    BAD_ALIGNMENT = "bad_alignment"
    BAD_SECTIONS = "bad_sections"
    BAD_IMAGE_SIZE = "bad_image_size"


class BadImageError(FormatError):
    """A file that Windows does not map at all; `defect` is the kind, `reason` the words for it."""

    def __init__(self, defect: Defect, reason: str, *, place: str, offset: int | None = None, missing: int = 0) -> None:
        super().__init__(reason, place=place, offset=offset)
        self.defect = defect
        self.missing = missing
        """Bytes of a section that the file lacks at its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One row of the section table. The name is for display only (R1.2)."""

    name: str
    virtual_address: int
    virtual_size: int
    raw_offset: int
    raw_size: int
    characteristics: int


RawSection = tuple[int, int, int, int]
"""Where a section lies, as the file says it: VirtualSize, VirtualAddress, SizeOfRawData, PointerToRawData."""


class Headers(NamedTuple):
    """What the headers say; `head` are the first bytes of the file, already read."""

    head: bytes
    file_size: int
    machine_value: int
    time_date_stamp: int
    characteristics: int
    is_pe32_plus: bool
    linker_version: tuple[int, int]
    image_base: int
    section_alignment: int
    is_flat: bool
    """True where RVA equals file offset everywhere (R1.12)."""
    image_size: int
    headers_size: int
    subsystem: int
    dll_characteristics: int
    directories: tuple[int, ...]
    """RVA and size of each of the sixteen; zeros for those that R1.1 calls absent."""
    sections: tuple[RawSection, ...]
    section_table: bytes
    """The same rows with names and flags."""

    def directory(self, index: Directory) -> tuple[int, int] | None:
        """(RVA, size) of a directory; None where R1.1 calls it absent."""
        rva = self.directories[2 * index]
        return (rva, self.directories[2 * index + 1]) if rva else None


def read_headers(source: ByteSource) -> Headers:
    """Read and check the headers; raises `BadImageError` where Windows would answer with error 193."""
    file_size = source.size
    head = source.read(0, FIRST_READ)
    start = _find_signature(head, file_size)
    block, at = (head, start) if start + 24 <= len(head) else (source.read(start, FIRST_READ), 0)
    if len(block) < at + 24:
        _refuse(Defect.TRUNCATED, "the file ends inside the COFF header", "COFF header", start)
    signature, machine, count, stamp, _, _, optional_size, characteristics = _COFF.unpack_from(block, at)
    if signature != b"PE\0\0":
        _refuse(Defect.NO_PE_HEADER, "no PE signature where the DOS header points to", "PE signature", start)
    if optional_size == 0:
        _refuse(Defect.BAD_OPTIONAL_HEADER, "SizeOfOptionalHeader is 0", "COFF header", start + 20)
    if count > limits.SECTIONS:
        _refuse(
            Defect.BAD_SECTIONS, f"{count} sections, at most {limits.SECTIONS} are allowed", "COFF header", start + 6
        )
    needed = 24 + max(optional_size, _OPTIONAL_PLUS.size) + count * _SECTION.size
    if len(block) < at + needed and start + needed > len(head):
        block, at = source.read(start, needed), 0
    return _parse(block, at, start, head, file_size, (machine, count, stamp, optional_size, characteristics))


def _find_signature(head: bytes, file_size: int) -> int:
    if not file_size:
        _refuse(Defect.EMPTY, "the file is empty", "DOS header", 0)
    if head[:2] != b"MZ":
        _refuse(Defect.NO_DOS_HEADER, "the file does not begin with MZ", "DOS header", 0)
    if len(head) < 64:
        _refuse(Defect.TRUNCATED, "the file ends inside the DOS header", "DOS header", len(head))
    start: int = int.from_bytes(head[60:64], "little")
    if start & 3:
        _refuse(Defect.NO_PE_HEADER, f"e_lfanew is 0x{start:X}, which is no multiple of 4", "DOS header", 60)
    if start >= file_size:
        _refuse(Defect.NO_PE_HEADER, f"e_lfanew is 0x{start:X}, beyond the end of the file", "DOS header", 60)
    return start


def _parse(
    block: bytes, at: int, start: int, head: bytes, file_size: int, coff: tuple[int, int, int, int, int]
) -> Headers:
    machine, count, stamp, optional_size, characteristics = coff
    mark = block[at + 24 : at + 26]
    plus = mark == _PE32_PLUS
    if not plus and mark != _PE32:
        reason = f"optional header magic is 0x{int.from_bytes(mark, 'little'):X}"
        _refuse(Defect.BAD_OPTIONAL_HEADER, reason, "optional header", start + 24)
    if _IS_PLUS.get(machine, plus) is not plus:
        kind = "PE32+" if plus else "PE32"
        reason = f"{kind} optional header in a file for {Machine(machine).label}"
        _refuse(Defect.BAD_OPTIONAL_HEADER, reason, "optional header", start + 24)
    fixed = _OPTIONAL_PLUS if plus else _OPTIONAL
    table = at + 24 + optional_size
    table_end = table + count * _SECTION.size
    if len(block) < table_end or len(block) < at + 24 + fixed.size:
        _refuse(Defect.TRUNCATED, "the file ends inside its headers", "section table", file_size)
    fields = fixed.unpack_from(block, at + 24)
    _, major, minor, base, section_alignment, file_alignment, image_size, headers_size, _, subsystem, flags, slots = (
        fields
    )
    directories = at + 24 + fixed.size
    if slots >= _DIRECTORIES and table - directories >= _ALL_DIRECTORIES.size:
        values = _ALL_DIRECTORIES.unpack_from(block, directories)
    else:  # R1.1: below NumberOfRvaAndSizes, and inside SizeOfOptionalHeader
        slots = max(0, min(slots, _DIRECTORIES, (table - directories) // 8))
        values = struct.unpack_from(f"<{2 * slots}I", block, directories) + (0,) * 2 * (_DIRECTORIES - slots)
    section_table = block[table:table_end]
    sections = tuple(_SECTION.iter_unpack(section_table))
    headers = Headers(
        head, file_size, machine, stamp, characteristics, plus, (major, minor), base,
        section_alignment, section_alignment < PAGE, image_size, headers_size, subsystem, flags,
        values, sections, section_table,
    )  # fmt: skip
    if file_alignment != _SECTOR or section_alignment != PAGE:
        _check_alignment(section_alignment, file_alignment, start)
    if section_alignment != PAGE or not _are_plain(sections, file_size, image_size):
        _check_sections(headers, start + 24 + optional_size)
    return headers


def _check_alignment(section_alignment: int, file_alignment: int, start: int) -> None:
    place, offset = "optional header", start + 24 + 32
    if file_alignment == 0 or file_alignment & (file_alignment - 1):
        reason = f"FileAlignment is 0x{file_alignment:X}, which is no power of two"
        _refuse(Defect.BAD_ALIGNMENT, reason, place, offset + 4)
    if file_alignment % _SECTOR and file_alignment != section_alignment:
        reason = f"FileAlignment is 0x{file_alignment:X}, which is no multiple of 512"
        _refuse(Defect.BAD_ALIGNMENT, reason, place, offset + 4)
    if section_alignment < file_alignment:
        reason = f"SectionAlignment 0x{section_alignment:X} is smaller than FileAlignment 0x{file_alignment:X}"
        _refuse(Defect.BAD_ALIGNMENT, reason, place, offset)


def _are_plain(sections: tuple[RawSection, ...], file_size: int, image_size: int) -> bool:
    """True where the sections of an image aligned to pages lie as linkers lay them: `_check_sections`, but quick."""
    end = expected = sections[0][1] if sections else 0
    rest, mask = PAGE - 1, -PAGE
    for virtual_size, start, raw_size, raw in sections:
        if start != expected or raw + raw_size > file_size:
            return False
        end = start + (virtual_size or raw_size)
        expected = (end + rest) & mask
    return 0 < end <= image_size


def _check_sections(headers: Headers, table: int) -> None:
    alignment, file_size, flat = headers.section_alignment, headers.file_size, headers.is_flat
    end = expected = slack = 0
    for index, (virtual_size, start, raw_size, raw) in enumerate(headers.sections):
        # A flat image is one piece of memory: nothing is asked of the addresses of its sections (R1.12).
        if index and not flat and not expected <= start <= expected + slack:
            reason = f"section {_label(headers, index)} does not follow the one before it in memory"
            _refuse(Defect.BAD_SECTIONS, reason, "section table", table + index * _SECTION.size)
        size = virtual_size or raw_size
        end = start + size
        expected = -(-end // alignment) * alignment
        slack = 0 if size else alignment
        if raw and raw_size:
            raw_end = (raw if flat else raw & -_SECTOR) + raw_size
            if raw_end > file_size:
                missing = raw_end - file_size
                label = _label(headers, index)
                reason = f"the file is truncated: {missing} bytes of section {label} are missing at its end"
                _refuse(Defect.TRUNCATED, reason, "section table", table + index * _SECTION.size, missing)
    # Compared in pages: that is how the memory manager counts.
    if headers.image_size == 0 or round_up(headers.image_size, PAGE) < end:
        reason = f"SizeOfImage is 0x{headers.image_size:X}, the last section ends at 0x{end:X}"
        _refuse(Defect.BAD_IMAGE_SIZE, reason, "optional header", None)


def round_up(value: int, unit: int) -> int:
    """`value`, or the next multiple of `unit` above it."""
    return -(-value // unit) * unit


def labels(headers: Headers) -> list[tuple[str, int]]:
    """Name and flags of each section."""
    rows = _LABELS.iter_unpack(headers.section_table)
    return [(name.rstrip(b"\0").decode("latin-1"), flags) for name, flags in rows]


def _label(headers: Headers, index: int) -> str:
    return labels(headers)[index][0] or f"number {index + 1}"


def _refuse(defect: Defect, reason: str, place: str, offset: int | None, missing: int = 0) -> NoReturn:
    raise BadImageError(defect, reason, place=place, offset=offset, missing=missing)
