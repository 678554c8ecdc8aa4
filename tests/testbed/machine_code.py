"""The x64 code of the PE writer: functions, PyInit, DllMain, and a helper for delay loading.

Source of truth: Microsoft, "x64 calling convention", "x64 exception handling" (unwind data) and "Understanding the
helper function" (delay loading); CPython's `PyModuleDef`.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

from tests.testbed.dll import Call, Dll, DllMain, Symbol
from tests.testbed.linker import Directory, Fix, Linker, Section

HELPER = "KERNEL32.dll"
LOAD, FIND, RAISE = (Call(HELPER, name) for name in ("LoadLibraryA", "GetProcAddress", "RaiseException"))
CREATE = "PyModule_Create2"


def add_code(linker: Linker, dll: Dll) -> None:
    """All code of the library, and the unwind data of what may see an exception pass."""
    text = Section.TEXT
    linker.put(text, b"\xcc" * 16)
    if dll.dllmain is not DllMain.ABSENT:
        linker.label(text, "entry")
        linker.put(text, b"\xb8" + struct.pack("<I", dll.dllmain is DllMain.TRUE) + b"\xc3")  # mov eax, answer; ret
    for symbol, body in dll.exports.items():
        if isinstance(body, str):
            continue
        linker.align(text, 16, b"\xcc")
        linker.label(text, f"code {symbol}")
        if isinstance(body, Call):
            _instruction(linker, "ff 25", body.slot)  # jmp [slot]
        else:
            linker.put(text, b"\xb8" + struct.pack("<i", body) + b"\xc3")
    if dll.pyinit:
        _module_init(linker, dll.pyinit, Call(dll.python_dll, CREATE), dll.init_calls)
    if dll.delay:
        _delay_code(linker, dll.delay)
    if linker.has("functions"):
        linker.label(Section.PDATA, "functions end")
        linker.directory(Directory.EXCEPTION, "functions", "functions end")


def _instruction(linker: Linker, opcode: str, label: str) -> None:
    """An instruction that ends in a 32-bit distance to a label."""
    linker.put(Section.TEXT, bytes.fromhex(opcode))
    linker.refer(Section.TEXT, Fix.RELATIVE, label)


def _frame(linker: Linker, first: str, last: str, stack: int) -> None:
    """Unwind data for a function that starts with `sub rsp, stack` (4 bytes), so that exceptions can pass."""
    name = f"unwind {first}"
    linker.align(Section.RDATA, 4)
    linker.label(Section.RDATA, name)
    linker.put(Section.RDATA, bytes([1, 4, 1, 0, 4, (stack - 8) // 8 << 4 | 2, 0, 0]))
    if not linker.has("functions"):
        linker.label(Section.PDATA, "functions")
    for label in (first, last, name):
        linker.refer(Section.PDATA, Fix.RVA, label)


def _module_init(linker: Linker, module: str, create: Call, calls: Sequence[Call]) -> None:
    text, data = Section.TEXT, Section.DATA
    linker.align(text, 16, b"\xcc")
    linker.label(text, f"code PyInit_{module}")
    linker.put(text, bytes.fromhex("48 83 ec 28"))  # sub rsp, 28h
    for call in calls:
        _instruction(linker, "ff 15", call.slot)  # call [slot]
    _instruction(linker, "48 8d 0d", "module definition")  # lea rcx, [definition]
    linker.put(text, b"\xba" + struct.pack("<I", 1013))  # mov edx, PYTHON_API_VERSION
    _instruction(linker, "ff 15", create.slot)
    linker.put(text, bytes.fromhex("48 83 c4 28 c3"))  # add rsp, 28h; ret
    linker.label(text, "PyInit end")
    _frame(linker, f"code PyInit_{module}", "PyInit end", 0x28)
    linker.align(data, 8)
    linker.label(data, "module definition")
    linker.put(data, struct.pack("<5Q", 1, 0, 0, 0, 0))
    linker.refer(data, Fix.ADDRESS, "module name")
    linker.put(data, struct.pack("<Qq5Q", 0, -1, 0, 0, 0, 0, 0))
    linker.text(Section.RDATA, "module name", module)


def _delay_code(linker: Linker, delay: Mapping[str, Sequence[Symbol]]) -> None:
    """One short thunk per function, and the helper that all share.

    It does what Microsoft's does: LoadLibraryA with the bare name, GetProcAddress, or one of two exceptions.
    """
    text = Section.TEXT
    for name, functions in delay.items():
        for function in functions:
            linker.align(text, 16, b"\xcc")
            linker.label(text, f"thunk {name.lower()}!{function}")
            _instruction(linker, "48 8d 05", Call(name, function).slot)  # lea rax, [slot]
            if isinstance(function, int):
                linker.put(text, bytes.fromhex("41 ba") + struct.pack("<I", function))  # mov r10d, ordinal
            else:
                _instruction(linker, "4c 8d 15", f"function delayed {name.lower()}!{function}")  # lea r10, [name]
            _instruction(linker, "4c 8d 1d", f"dll delayed {name.lower()}")  # lea r11, [dll]
            _instruction(linker, "e9", "delay helper")
    linker.align(text, 16, b"\xcc")
    linker.label(text, "delay helper")
    linker.put(text, bytes.fromhex("48 83 ec 58"))  # sub rsp, 58h
    linker.put(
        text, bytes.fromhex("48 89 4c 24 30 48 89 54 24 38 4c 89 44 24 40 4c 89 4c 24 48")
    )  # keep rcx, rdx, r8, r9
    linker.put(text, bytes.fromhex("48 89 44 24 20 4c 89 54 24 28 4c 89 d9"))  # keep slot and name; mov rcx, r11
    _instruction(linker, "ff 15", LOAD.slot)
    linker.put(text, bytes.fromhex("48 85 c0"))  # test rax, rax
    _instruction(linker, "0f 84", "no module")  # jz
    linker.put(text, bytes.fromhex("48 89 c1 48 8b 54 24 28"))  # mov rcx, rax; mov rdx, name
    _instruction(linker, "ff 15", FIND.slot)
    linker.put(text, bytes.fromhex("48 85 c0"))
    _instruction(linker, "0f 84", "no procedure")
    linker.put(text, bytes.fromhex("48 8b 4c 24 20 48 89 01"))  # mov rcx, slot; mov [rcx], rax
    linker.put(text, bytes.fromhex("48 8b 4c 24 30 48 8b 54 24 38 4c 8b 44 24 40 4c 8b 4c 24 48"))
    linker.put(text, bytes.fromhex("48 83 c4 58 ff e0"))  # add rsp, 58h; jmp rax
    linker.label(text, "no module")
    linker.put(text, b"\xb9" + struct.pack("<I", 0xC06D007E))  # mov ecx, code
    _instruction(linker, "e9", "raise")
    linker.label(text, "no procedure")
    linker.put(text, b"\xb9" + struct.pack("<I", 0xC06D007F))
    linker.label(text, "raise")
    linker.put(text, bytes.fromhex("31 d2 45 31 c0 45 31 c9"))  # no flags, no arguments
    _instruction(linker, "ff 15", RAISE.slot)
    linker.put(text, b"\xcc")
    linker.label(text, "delay helper end")
    _frame(linker, "delay helper", "delay helper end", 0x58)
