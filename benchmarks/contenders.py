"""The jobs, done by whyload and by its peers; each runs in a process of its own (`benchmarks.child`).

Source of truth: the peers' own documentation. What a job has found is returned as a number, so that a contender that
does less than it should is seen.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.source import Source, read_at

Job = Callable[[list[str]], list[int]]
"""Files to what was found in each."""
_UNLIMITED = 1 << 24
_IMPORT, _EXPORT, _DELAY = 1, 0, 13


def names_of(source: Source) -> int:
    """Libraries that the file imports."""
    from whyload.formats.pe import Image

    image = Image(source)
    assert image.machine is not None
    return sum(1 for library in image.imports() + image.delay_imports() if library.name)


def symbols_of(source: Source) -> int:
    """Functions that the file imports and names that it exports."""
    from whyload.formats.pe import Image

    image = Image(source)
    table = image.exports()
    found = sum(len(library.symbols()) for library in image.imports() + image.delay_imports())
    return found + (table.name_count if table else 0)


def everything_of(source: Source) -> dict[str, int]:
    """All that can be read of one file, and how much of it there is."""
    from whyload.formats.pe import Image

    image = Image(source)
    libraries = image.imports() + image.delay_imports()
    names = [export.name or "" for export in image.exports() or ()]
    image.manifest()
    image.file_version()
    return {
        "imported libraries": len(image.imports()),
        "imported functions": sum(len(library.symbols()) for library in libraries),
        "exports": len(names),
        "longest name": max(map(len, names), default=0),
    }


def _with_whyload(job: Callable[[Source], int]) -> Job:
    def run(files: list[str]) -> list[int]:
        found = []
        for file in files:
            source = Source(file)
            found.append(job(source))
            source.close()
        return found

    return run


def recorded(files: list[str], job: Callable[[Source], int]) -> dict[str, list[tuple[int, int]]]:
    """The reads that whyload makes for a job."""
    calls: dict[str, list[tuple[int, int]]] = {}
    for file in files:
        source = Source(file, calls.setdefault(file, []))
        job(source)
        source.close()
    return calls


def _unchecked_names(files: list[str]) -> list[int]:
    from benchmarks import unchecked

    return [unchecked.names(file) for file in files]


def _unchecked_symbols(files: list[str]) -> list[int]:
    from benchmarks import unchecked

    return [unchecked.symbols(file) for file in files]


class Replay:
    """The floor: the same opens and reads, and nothing else."""

    def __init__(self) -> None:
        self._calls: dict[str, list[tuple[int, int]]] = {}

    def __call__(self, files: list[str]) -> list[int]:
        self._calls.update(recorded([file for file in files if file not in self._calls], names_of))
        for file in files:
            source = Source(file)
            for offset, length in self._calls[file]:
                read_at(source.handle, length, offset)
            source.close()
        return [0] * len(files)


def keep_symbols(files: list[str]) -> list[object]:
    """Everything of every file, kept: what a program holds that has read a whole environment."""
    from whyload.formats.pe import Image

    kept: list[object] = []
    for file in files:
        source = Source(file)
        image = Image(source)
        kept.append((image, [library.symbols() for library in image.imports()], image.exports()))
        source.close()
    return kept


def _pefile_names(files: list[str]) -> list[int]:
    import pefile

    found = []
    for file in files:
        with pefile.PE(file, fast_load=True) as pe:
            pe.parse_data_directories([_IMPORT, _DELAY], import_dllnames_only=True)
            found.append(sum(len(getattr(pe, name, ())) for name in _PEFILE_TABLES))
    return found


_PEFILE_TABLES = ("DIRECTORY_ENTRY_IMPORT", "DIRECTORY_ENTRY_DELAY_IMPORT")


def _lift_pefile_limits() -> Any:
    import pefile

    for name in ("MAX_IMPORT_SYMBOLS", "MAX_IMPORT_NAME_LENGTH", "MAX_DLL_LENGTH", "MAX_SYMBOL_NAME_LENGTH"):
        setattr(pefile, name, _UNLIMITED)
    return pefile


def _pefile_open(pefile: Any, file: str) -> Any:
    pe = pefile.PE(file, fast_load=True, max_symbol_exports=_UNLIMITED, max_repeated_symbol=_UNLIMITED)
    pe.parse_data_directories([_IMPORT, _DELAY, _EXPORT])
    return pe


def _pefile_symbols(files: list[str]) -> list[int]:
    pefile = _lift_pefile_limits()
    found = []
    for file in files:
        with _pefile_open(pefile, file) as pe:
            count = sum(len(entry.imports) for name in _PEFILE_TABLES for entry in getattr(pe, name, ()))
            table = getattr(pe, "DIRECTORY_ENTRY_EXPORT", None)
            found.append(count + (sum(1 for e in table.symbols if e.name is not None) if table else 0))
    return found


def _lief(files: list[str], *, symbols: bool) -> list[int]:
    import lief

    config = lief.PE.ParserConfig()
    for name in ("signature", "reloc", "exceptions", "rsrc", "arm64x_binary"):
        if hasattr(config, f"parse_{name}"):
            setattr(config, f"parse_{name}", False)
    config.parse_exports = symbols
    found = []
    for file in files:
        binary = lief.PE.parse(file, config)
        assert binary is not None
        libraries = [*binary.imports, *binary.delay_imports]
        if not symbols:
            found.append(sum(1 for library in libraries if library.name))
            continue
        table = binary.get_export()
        named = sum(1 for entry in table.entries if entry.name) if table else 0
        found.append(sum(len(library.entries) for library in libraries) + named)
    return found


def _lief_names(files: list[str]) -> list[int]:
    return _lief(files, symbols=False)


def _lief_symbols(files: list[str]) -> list[int]:
    return _lief(files, symbols=True)


def _bind(files: list[str]) -> list[int]:
    """Every function that the files import from one another, looked up as the loader does."""
    from whyload.formats.pe import Image

    sources = {Path(file).name.lower(): Source(file) for file in files}
    images = {name: Image(source) for name, source in sources.items()}
    bound = 0
    for image in images.values():
        for library in image.imports():
            exporter = images.get(library.name.lower())
            table = exporter.exports() if exporter else None
            if table is not None:
                find = table.find
                bound += sum(1 for s in library.symbols() if s.name and find(s.name, s.hint) is not None)
    for source in sources.values():
        source.close()
    return [bound]


def _pefile_bind(files: list[str]) -> list[int]:
    pefile = _lift_pefile_limits()
    images = {Path(file).name.lower(): _pefile_open(pefile, file) for file in files}
    offers: dict[str, set[bytes]] = {}
    bound = 0
    for image in images.values():
        for entry in image.DIRECTORY_ENTRY_IMPORT:
            name = entry.dll.decode("latin-1").lower()
            if name in images:
                if name not in offers:
                    offers[name] = {e.name for e in images[name].DIRECTORY_ENTRY_EXPORT.symbols if e.name}
                bound += sum(1 for symbol in entry.imports if symbol.name in offers[name])
    for image in images.values():
        image.close()
    return [bound]


JOBS: dict[str, Job] = {
    "names whyload": _with_whyload(names_of),
    "names unchecked": _unchecked_names,
    "names reads": Replay(),
    "names pefile": _pefile_names,
    "names lief": _lief_names,
    "symbols whyload": _with_whyload(symbols_of),
    "symbols unchecked": _unchecked_symbols,
    "symbols pefile": _pefile_symbols,
    "symbols lief": _lief_symbols,
    "bind whyload": _bind,
    "bind pefile": _pefile_bind,
}


def bytes_read(files: list[str], job: str) -> tuple[list[int], list[int]]:
    """Read calls and bytes of each file that whyload makes for `names` or `symbols`."""
    calls = recorded(files, names_of if job == "names" else symbols_of)
    sizes = {file: Path(file).stat().st_size for file in files}
    reads = [len(each) for each in calls.values()]
    amounts = [sum(max(0, min(n, sizes[f] - at)) for at, n in each) for f, each in calls.items()]
    return reads, amounts
