"""The tables of the PE writer: imports, delay imports, exports, load configuration.

Source of truth: Microsoft, "PE Format" (import directory, delay-load directory, export directory, load configuration).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

from tests.testbed.dll import Call, Symbol
from tests.testbed.linker import Directory, Fix, Linker, Section

RDATA = Section.RDATA


def _thunk(linker: Linker, dll: str, function: Symbol) -> None:
    """An entry of a name table: an ordinal with the top bit set, or the address of hint and name."""
    if isinstance(function, int):
        linker.put(RDATA, (1 << (8 * linker.pointer - 1) | function).to_bytes(linker.pointer, "little"))
    else:
        linker.refer(RDATA, Fix.THUNK, f"hint {dll}!{function}")


def _table(linker: Linker, label: str, dll: str, functions: Sequence[Symbol]) -> None:
    linker.align(RDATA, 8)
    linker.label(RDATA, label)
    for function in functions:
        _thunk(linker, dll, function)
    linker.put(RDATA, bytes(linker.pointer))


def _texts(linker: Linker, dll: str, name: str, functions: Sequence[Symbol]) -> None:
    """The name of a DLL, and hint and name of each function."""
    for function in functions:
        if isinstance(function, str):
            linker.align(RDATA, 2)
            linker.label(RDATA, f"hint {dll}!{function}")
            linker.put(RDATA, b"\0\0")
            linker.text(RDATA, f"function {dll}!{function}", function)
    linker.text(RDATA, f"dll {dll}", name)


def add_imports(
    linker: Linker, imports: Mapping[str, Sequence[Symbol]], unused: Mapping[str, Sequence[Symbol]]
) -> None:
    """The import directory; the address table of an `unused` descriptor starts with zero."""
    linker.align(RDATA, 16)
    linker.label(RDATA, "addresses")
    for name, functions in imports.items():
        linker.label(RDATA, f"addresses {name.lower()}")
        for function in functions:
            linker.label(RDATA, Call(name, function).slot)
            _thunk(linker, name.lower(), function)
        linker.put(RDATA, bytes(linker.pointer))
    for name, functions in unused.items():
        linker.label(RDATA, f"addresses {name.lower()}")
        linker.put(RDATA, bytes(linker.pointer * (len(functions) + 1)))
    linker.label(RDATA, "addresses end")
    linker.directory(Directory.IAT, "addresses", "addresses end")
    linker.align(RDATA, 4)
    linker.label(RDATA, "imports")
    everything = {**imports, **unused}
    for name in everything:
        linker.refer(RDATA, Fix.RVA, f"lookup {name.lower()}")
        linker.put(RDATA, bytes(8))
        linker.refer(RDATA, Fix.RVA, f"dll {name.lower()}")
        linker.refer(RDATA, Fix.RVA, f"addresses {name.lower()}")
    linker.put(RDATA, bytes(20))
    linker.label(RDATA, "imports end")
    linker.directory(Directory.IMPORT, "imports", "imports end")
    for name, functions in everything.items():
        _table(linker, f"lookup {name.lower()}", name.lower(), functions)
    for name, functions in everything.items():
        _texts(linker, name.lower(), name, functions)


def add_delay_imports(linker: Linker, delay: Mapping[str, Sequence[Symbol]]) -> None:
    """The delay-load directory, all fields as RVAs; every slot holds its thunk's address until the first call."""
    data = Section.DATA
    linker.align(RDATA, 4)
    linker.label(RDATA, "delay imports")
    for name in delay:
        linker.put(RDATA, struct.pack("<I", 1))
        for part in ("dll delayed", "module delayed", "slots delayed", "lookup delayed"):
            linker.refer(RDATA, Fix.RVA, f"{part} {name.lower()}")
        linker.put(RDATA, bytes(12))
    linker.put(RDATA, bytes(32))
    linker.label(RDATA, "delay imports end")
    linker.directory(Directory.DELAY_IMPORT, "delay imports", "delay imports end")
    for name, functions in delay.items():
        key = f"delayed {name.lower()}"
        linker.align(data, 8)
        linker.label(data, f"module {key}")
        linker.put(data, bytes(8))
        linker.label(data, f"slots {key}")
        for function in functions:
            linker.label(data, Call(name, function).slot)
            linker.refer(data, Fix.ADDRESS, f"thunk {name.lower()}!{function}")
        linker.put(data, bytes(linker.pointer))
        _table(linker, f"lookup {key}", key, functions)
        _texts(linker, key, name, functions)


def add_exports(linker: Linker, dll: str, exports: Mapping[Symbol, int | str | Call]) -> None:
    """The export directory: names sorted by bytes, ordinals as given or the lowest that are free."""
    names = sorted(symbol for symbol in exports if isinstance(symbol, str))
    taken: dict[Symbol, int] = {symbol: symbol for symbol in exports if isinstance(symbol, int)}
    free = (number for number in range(1, 0x10000) if number not in taken)
    ordinals = taken | {name: next(free) for name in names}
    by_ordinal = {ordinal: symbol for symbol, ordinal in ordinals.items()}
    base, last = min(by_ordinal), max(by_ordinal)
    linker.align(RDATA, 4)
    linker.label(RDATA, "exports")
    linker.put(RDATA, bytes(12))
    linker.refer(RDATA, Fix.RVA, "export name")
    linker.put(RDATA, struct.pack("<III", base, last - base + 1, len(names)))
    for table in ("export functions", "export names", "export ordinals"):
        linker.refer(RDATA, Fix.RVA, table)
    linker.label(RDATA, "export functions")
    for ordinal in range(base, last + 1):
        symbol = by_ordinal.get(ordinal)
        if symbol is None:
            linker.put(RDATA, bytes(4))
        else:
            kind = "forwarder" if isinstance(exports[symbol], str) else "code"
            linker.refer(RDATA, Fix.RVA, f"{kind} {symbol}")
    linker.label(RDATA, "export names")
    for name in names:
        linker.refer(RDATA, Fix.RVA, f"exported {name}")
    linker.label(RDATA, "export ordinals")
    for name in names:
        linker.put(RDATA, struct.pack("<H", ordinals[name] - base))
    linker.text(RDATA, "export name", dll)
    for name in names:
        linker.text(RDATA, f"exported {name}", name)
    for symbol, body in exports.items():
        if isinstance(body, str):
            linker.text(RDATA, f"forwarder {symbol}", body)
    linker.label(RDATA, "exports end")
    linker.directory(Directory.EXPORT, "exports", "exports end")


def add_load_config(linker: Linker, dependent_load_flags: int) -> None:
    """The load configuration, with nothing but its size and DependentLoadFlags (R1.25)."""
    size, place = (112, 78) if linker.wide else (72, 54)
    config = bytearray(size)
    struct.pack_into("<I", config, 0, size)
    struct.pack_into("<H", config, place, dependent_load_flags)
    linker.align(RDATA, 8)
    linker.label(RDATA, "load config")
    linker.put(RDATA, bytes(config))
    linker.label(RDATA, "load config end")
    linker.directory(Directory.LOAD_CONFIG, "load config", "load config end")
