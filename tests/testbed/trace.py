"""The loader's own complaints, out of Wine's debug channel `module`.

Source of truth: Wine 8, dlls/ntdll/loader.c (the messages of `import_dll`, `find_forwarded_export`, `process_attach`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

NOT_FOUND = re.compile(r'import_dll Library (?P<name>.*?) \(which is needed by L"(?P<importer>.*?)"\) not found')
FAILED = re.compile(
    r'import_dll Loading library (?P<name>.*?) \(which is needed by L"(?P<importer>.*?)"\) '
    r"failed \(error (?P<status>\w+)\)"
)
NO_SYMBOL = re.compile(
    r"import_dll No implementation for (?P<dll>.*?\.(?:dll|pyd|exe|drv))\.(?P<symbol>\S+) "
    r'imported from L"(?P<importer>.*?)"',
    re.IGNORECASE,
)
NO_SYMBOL_ODD = re.compile(
    r'import_dll No implementation for (?P<dll>.*)\.(?P<symbol>[^.\s]+) imported from L"(?P<importer>.*?)"'
)
"""The library is spelled without an extension, or with an unusual one."""
MARK, LOADING, LOADED = "@@question", "@@loading", "@@loaded"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadTrace:
    """What Wine complained of during one load. It goes on after the first fault, so there may be several."""

    missing: tuple[tuple[str, str], ...] = ()
    """Names for which no file was found, each with the full path of the importer."""
    failed: tuple[tuple[str, str, int], ...] = ()
    """Names whose file was taken and refused, the importer, the NTSTATUS."""
    symbols: tuple[tuple[str, str, str], ...] = ()
    """DLL, name or `#ordinal`, full path of the importer: Wine puts a stub there and goes on."""
    preload_stubs: int = 0
    """Stubs of that kind in what was loaded beforehand: on Windows that load had failed."""


@dataclass(slots=True)
class _Collected:
    missing: list[tuple[str, str]] = field(default_factory=list)
    failed: list[tuple[str, str, int]] = field(default_factory=list)
    symbols: list[tuple[str, str, str]] = field(default_factory=list)
    preload_stubs: int = 0


def read_traces(text: str) -> list[LoadTrace]:
    """One trace per question of the asker; of complaints about preloads only the stubs are counted."""
    collected: list[_Collected] = []
    loading = False
    for line in text.splitlines():
        if line.startswith(MARK):
            collected.append(_Collected())
        elif line.startswith((LOADING, LOADED)):
            loading = line.startswith(LOADING)
        elif loading:
            _read_line(line, collected[-1])
        elif collected and NO_SYMBOL_ODD.search(line):
            collected[-1].preload_stubs += 1
    return [
        LoadTrace(
            missing=tuple(dict.fromkeys(each.missing)),
            failed=tuple(dict.fromkeys(each.failed)),
            symbols=tuple(dict.fromkeys(each.symbols)),
            preload_stubs=each.preload_stubs,
        )
        for each in collected
    ]


def _read_line(line: str, into: _Collected) -> None:
    if match := NOT_FOUND.search(line):
        into.missing.append((match["name"], _path(match["importer"])))
    elif match := FAILED.search(line):
        into.failed.append((match["name"], _path(match["importer"]), int(match["status"], 16)))
    elif match := NO_SYMBOL.search(line) or NO_SYMBOL_ODD.search(line):
        symbol = match["symbol"]
        into.symbols.append((match["dll"], f"#{symbol}" if symbol.isdigit() else symbol, _path(match["importer"])))


def _path(escaped: str) -> str:
    return escaped.replace("\\\\", "\\").removeprefix("\\??\\")
