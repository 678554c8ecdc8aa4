"""One PE file, read lazily: the front door of this package.

Source: Microsoft, "PE Format"; loader.md section 1. Three kinds of damage are told apart: what Windows would not map
raises `BadImageError` when the image is opened; an import or export directory outside the image raises `FormatError`
when it is asked for; all else is kept as far as it can be read and listed in `Image.incomplete`.
"""

from __future__ import annotations

from whyload.base.machine import Machine, machine_of
from whyload.base.typing import TYPE_CHECKING
from whyload.formats.pe import loadconfig
from whyload.formats.pe.address import STEP, Memory
from whyload.formats.pe.context import Context
from whyload.formats.pe.delay import read_delay_imports
from whyload.formats.pe.exports import ExportTable, read_exports
from whyload.formats.pe.headers import Directory, Section, labels, read_headers
from whyload.formats.pe.imports import ImportedLibrary, read_imports
from whyload.formats.pe.incomplete import Incomplete, Ledger
from whyload.formats.pe.resources import read_file_version, read_manifest

if TYPE_CHECKING:
    from whyload.base.bytesource import ByteSource
    from whyload.base.versions import FileVersion
    from whyload.formats.pe.clr import ClrHeader
    from whyload.formats.pe.loadconfig import LoadConfig

_LOAD_CONFIG, _IMPORT = 2 * Directory.LOAD_CONFIG, 2 * Directory.IMPORT
_DELAY_IMPORT, _IAT = 2 * Directory.DELAY_IMPORT, 2 * Directory.IAT
"""Where the addresses of directories stand among the fields of the header; the size of each follows."""
_IAT_MOST = 256 << 10
_HYBRIDS = {Machine.AMD64: Machine.ARM64EC, Machine.ARM64: Machine.ARM64X}
_WINE_MARKS = (b"Wine builtin DLL\0", b"Wine placeholder DLL\0")


class _Unread:
    """Stands for an answer that has not been read yet, where None is an answer."""


_UNREAD = _Unread()


class Image:
    """A view of one file: attributes come from the headers, methods read their table when they are called."""

    __slots__ = (
        "_context", "_delay_imports", "_exports", "_imports", "_load_config", "_planned",
        "characteristics", "dll_characteristics", "image_base", "is_pe32_plus", "linker_version", "machine",
        "machine_value", "subsystem", "time_date_stamp",
    )  # fmt: skip

    machine: Machine
    """As the header says; `UNKNOWN` for a value without a name."""
    machine_value: int
    characteristics: int
    dll_characteristics: int
    image_base: int
    is_pe32_plus: bool
    linker_version: tuple[int, int]
    subsystem: int
    time_date_stamp: int

    def __init__(self, source: ByteSource) -> None:
        """Read the headers; raises `BadImageError` where the memory manager would refuse the file (R1.3)."""
        headers = read_headers(source)
        self._context = Context(headers, Memory(source, headers), Ledger())
        self._imports: tuple[ImportedLibrary, ...] | None = None
        self._delay_imports: tuple[ImportedLibrary, ...] | None = None
        self._exports: ExportTable | _Unread | None = _UNREAD
        self._load_config: LoadConfig | _Unread | None = _UNREAD
        self._planned = False
        self.machine_value = headers.machine_value
        self.machine = machine_of(headers.machine_value)
        self.characteristics = headers.characteristics
        self.dll_characteristics = headers.dll_characteristics
        self.image_base = headers.image_base
        self.is_pe32_plus = headers.is_pe32_plus
        self.linker_version = headers.linker_version
        self.subsystem = headers.subsystem
        self.time_date_stamp = headers.time_date_stamp

    @property
    def effective_machine(self) -> Machine:
        """The machine, with `ARM64EC` and `ARM64X` told from AMD64 and ARM64 by their metadata (R1.6)."""
        hybrid = _HYBRIDS.get(self.machine)
        if hybrid is None:
            return self.machine
        config = self.load_config()
        return hybrid if config is not None and config.chpe_pointer else self.machine

    @property
    def is_dll(self) -> bool:
        """IMAGE_FILE_DLL; a file without it loads as a library too, but its imports are not processed (R1.4)."""
        return bool(self.characteristics & 0x2000)

    @property
    def is_wine_builtin(self) -> bool:
        """True for Wine's stand-ins of system libraries, whose exports say nothing about the real ones."""
        return self._context.headers.head[64:96].startswith(_WINE_MARKS)

    @property
    def sections(self) -> tuple[Section, ...]:
        """The section table."""
        headers = self._context.headers
        rows = zip(headers.sections, labels(headers), strict=True)
        return tuple(
            Section(
                name=name,
                virtual_address=start,
                virtual_size=virtual_size,
                raw_offset=raw,
                raw_size=raw_size,
                characteristics=flags,
            )
            for (virtual_size, start, raw_size, raw), (name, flags) in rows
        )

    @property
    def incomplete(self) -> tuple[Incomplete, ...]:
        """What could not be analysed so far; grows as tables are read."""
        return self._context.ledger.notes()

    def imports(self) -> tuple[ImportedLibrary, ...]:
        """Libraries that are loaded with this one. Raises `FormatError` where the table lies outside the image."""
        if self._imports is None:
            self._plan(is_load=False)
            self._imports = read_imports(self._context)
        return self._imports

    def delay_imports(self) -> tuple[ImportedLibrary, ...]:
        """Libraries that are loaded at the first call of one of their functions."""
        if self._delay_imports is None:
            self._delay_imports = read_delay_imports(self._context)
        return self._delay_imports

    def exports(self) -> ExportTable | None:
        """What the file offers; None without a table. Raises `FormatError` where it lies outside the image."""
        if isinstance(self._exports, _Unread):
            self._exports = read_exports(self._context)
        return self._exports

    def load_config(self) -> LoadConfig | None:
        """The load configuration; None where there is none."""
        if isinstance(self._load_config, _Unread):
            self._plan(is_load=True)
            self._load_config = loadconfig.read_load_config(self._context)
        return self._load_config

    def manifest(self, resource_id: int | None = None) -> bytes | None:
        """The manifest with a number (1 program, 2 library, 3 without effect on imports), or the first one."""
        return read_manifest(self._context, resource_id)

    def file_version(self) -> FileVersion | None:
        """The four numbers of the version resource; None without one."""
        return read_file_version(self._context)

    def clr(self) -> ClrHeader | None:
        """The header of managed code; None for ordinary files."""
        from whyload.formats.pe.clr import read_clr

        return read_clr(self._context)

    @property
    def is_il_only(self) -> bool:
        """Managed code without native parts: machine check relaxed, native imports not followed (R1.27)."""
        header = self.clr()
        return header is not None and header.is_il_only

    def entry_code(self, length: int) -> bytes:
        """The first bytes of the entry point's code; empty where the file has none."""
        head = self._context.headers.head
        at = int.from_bytes(head[0x3C:0x40], "little") + 40  # AddressOfEntryPoint
        rva = int.from_bytes(head[at : at + 4], "little")
        return self._context.memory.read(rva, length) if rva else b""

    def section_data(self, name: str, most: int) -> bytes | None:
        """The contents of a section, at most `most` bytes; None where there is none of that name."""
        for section in self.sections:
            if section.name == name:
                return self._context.memory.read(section.virtual_address, min(section.virtual_size, most))
        return None

    def _plan(self, *, is_load: bool) -> None:
        """Read in one ascending pass the tables of libraries and, for a load, what the loader asks of every file.

        How long a table is is not known before it is read.
        """
        if self._planned:
            return
        self._planned = True
        fields = self._context.headers.directories
        wanted = [(fields[at], STEP) for at in (_IMPORT, _DELAY_IMPORT) if fields[at]]
        if is_load and fields[_LOAD_CONFIG]:
            wanted.append((fields[_LOAD_CONFIG], loadconfig.LENGTH))
        if is_load and fields[_IAT]:
            wanted.append((fields[_IAT], min(fields[_IAT + 1], _IAT_MOST)))
        self._context.memory.prefetch(wanted)
