"""What two independent readers, pefile and LIEF, say of a file, in one plain form to compare with.

pefile's own limits are lifted: as they stand they drop whole libraries from ordinary files (R1.29).
"""

from __future__ import annotations

import mmap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.formats.pe.sources import FileSource
from whyload.formats.pe import Image, ImportedLibrary

Symbols = tuple[tuple[str | None, int | None, int], ...]
"""Name, ordinal and hint of each function."""
Libraries = tuple[tuple[str, Symbols], ...]
PEFILE_LIMITS = (
    "MAX_IMPORT_SYMBOLS", "MAX_IMPORT_NAME_LENGTH", "MAX_DLL_LENGTH", "MAX_SYMBOL_NAME_LENGTH", "MAX_RESOURCE_ENTRIES",
)  # fmt: skip
_UNLIMITED = 1 << 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """`exports` counts (name, ordinal, RVA, forwarder's text); `manifests` are whole resources."""

    machine: int
    linker: tuple[int, int]
    imports: Libraries
    delay_imports: Libraries
    exports: Counter[tuple[str | None, int, int, str | None]]
    version: tuple[int, int, int, int] | None
    manifests: tuple[bytes, ...]

    def differences(self, other: Answers) -> list[str]:
        """Names of the fields that differ."""
        return [name for name in self.__slots__ if getattr(self, name) != getattr(other, name)]


def whyload_says(path: Path) -> Answers:
    with FileSource(path) as source:
        image = Image(source)
        table = image.exports()
        version = image.file_version()
        manifests = (image.manifest(number) for number in (1, 2, 3))
        answers = Answers(
            machine=image.machine_value,
            linker=image.linker_version,
            imports=_own(image.imports()),
            delay_imports=_own(image.delay_imports()),
            exports=Counter((e.name, e.ordinal, e.rva, e.forwarder.text if e.forwarder else None) for e in table or ()),
            version=(version.major, version.minor, version.build, version.revision) if version else None,
            manifests=tuple(manifest for manifest in manifests if manifest is not None),
        )
        assert image.incomplete == ()
        return answers


def _own(libraries: tuple[ImportedLibrary, ...]) -> Libraries:
    return tuple((library.name, tuple((s.name, s.ordinal, s.hint) for s in library.symbols())) for library in libraries)


def lift_pefile_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    import pefile

    for name in PEFILE_LIMITS:
        monkeypatch.setattr(pefile, name, _UNLIMITED)


def pefile_says(path: Path) -> Answers:
    import pefile

    # Given as a mapping: `close()` of a file that pefile opened itself collects garbage each time.
    with path.open("rb") as handle, mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ) as data:
        pe = pefile.PE(data=data, fast_load=True, max_symbol_exports=_UNLIMITED, max_repeated_symbol=_UNLIMITED)
        pe.parse_data_directories([0, 1, 2, 13])
        exported = getattr(pe, "DIRECTORY_ENTRY_EXPORT", None)
        fixed = getattr(pe, "VS_FIXEDFILEINFO", None)
        header = pe.OPTIONAL_HEADER
        return Answers(
            machine=pe.FILE_HEADER.Machine,
            linker=(header.MajorLinkerVersion, header.MinorLinkerVersion),
            imports=_pefile_libraries(getattr(pe, "DIRECTORY_ENTRY_IMPORT", [])),
            delay_imports=_pefile_libraries(getattr(pe, "DIRECTORY_ENTRY_DELAY_IMPORT", [])),
            exports=Counter(
                (_text(e.name), e.ordinal, e.address, _text(e.forwarder))
                for e in (exported.symbols if exported else ())
            ),
            version=_words(fixed[0].FileVersionMS, fixed[0].FileVersionLS) if fixed else None,
            manifests=tuple(
                bytes(pe.get_data(leaf.data.struct.OffsetToData, leaf.data.struct.Size))
                for leaf in _pefile_leaves(pe, 24)
            ),
        )


def _pefile_libraries(entries: list[Any]) -> Libraries:
    return tuple(
        (
            entry.dll.decode("latin-1").rstrip(" "),
            tuple(
                # pefile puts a well-known name beside an ordinal; the file has none
                (None, symbol.ordinal, 0) if symbol.import_by_ordinal else (_text(symbol.name), None, symbol.hint)
                for symbol in entry.imports
            ),
        )
        for entry in entries
    )


def _pefile_leaves(pe: Any, kind: int) -> Iterator[Any]:
    tree = getattr(pe, "DIRECTORY_ENTRY_RESOURCE", None)
    for entry in tree.entries if tree else ():
        if entry.id == kind:
            for number in entry.directory.entries:
                yield from number.directory.entries


def lief_says(path: Path) -> Answers:
    import lief

    config = lief.PE.ParserConfig()
    config.parse_signature = config.parse_reloc = config.parse_exceptions = config.parse_arm64x_binary = False
    binary = lief.PE.parse(path, config)
    assert binary is not None
    header, exported = binary.optional_header, binary.get_export()
    leaves = list(_lief_leaves(binary, 24)), list(_lief_leaves(binary, 16))
    return Answers(
        machine=binary.header.machine.value,
        linker=(header.major_linker_version, header.minor_linker_version),
        imports=_lief_libraries(binary.imports),
        delay_imports=_lief_libraries(binary.delay_imports),
        exports=Counter(
            (str(e.name) if e.name else None, e.ordinal, e.function_rva, _lief_forwarder(e))
            for e in (exported.entries if exported else ())
            if e.function_rva
        ),
        version=_lief_version(binary) if leaves[1] else None,
        manifests=tuple(leaves[0]),
    )


def _lief_libraries(entries: Any) -> Libraries:
    return tuple(
        (
            entry.name.rstrip(" "),
            tuple((None, s.ordinal, 0) if s.is_ordinal else (s.name, None, s.hint) for s in entry.entries),
        )
        for entry in entries
    )


def _lief_forwarder(entry: Any) -> str | None:
    if not entry.is_forwarded:
        return None
    target = entry.forward_information
    return f"{target.library}.{target.function}"


def _lief_leaves(binary: Any, kind: int) -> Iterator[bytes]:
    for entry in binary.resources.childs if binary.has_resources else ():
        if entry.id == kind:
            for number in entry.childs:
                yield from (bytes(leaf.content) for leaf in number.childs)


def _lief_version(binary: Any) -> tuple[int, int, int, int]:
    version = binary.resources_manager.version
    fixed = (version[0] if isinstance(version, list) else version).file_info
    return _words(fixed.file_version_ms, fixed.file_version_ls)


def _words(high: int, low: int) -> tuple[int, int, int, int]:
    return high >> 16, high & 0xFFFF, low >> 16, low & 0xFFFF


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("latin-1")
