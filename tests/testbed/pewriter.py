"""A PE writer without a compiler: Windows DLLs and extension modules of any shape, as bytes.

Source of truth: Microsoft, "PE Format". 64-bit x64 images run; images for other machines are there to be refused.
"""

from __future__ import annotations

from tests.testbed.dll import Call, Dll, DllMain, Symbol
from tests.testbed.linker import Header, Linker, Section
from tests.testbed.machine_code import CREATE, FIND, LOAD, RAISE, add_code
from tests.testbed.resources import MANIFEST, VERSION, add_resources, version_information
from tests.testbed.tables import add_delay_imports, add_exports, add_imports, add_load_config
from whyload.base.machine import Machine

__all__ = ["Call", "Dll", "DllMain", "Symbol", "build"]


def build(dll: Dll) -> bytes:
    """The bytes of the file."""
    if (dll.delay or dll.pyinit) and dll.machine is not Machine.AMD64:
        raise ValueError("code for delay loading and PyInit is written for x64 only")
    linker = Linker(dll.machine.bits == 64)
    imports = _with_own_imports(dll)
    exports = dict(dll.exports)
    if dll.pyinit:
        exports[f"PyInit_{dll.pyinit}"] = 0
    add_code(linker, dll)
    if dll.padding:
        linker.put(Section.RDATA, bytes(dll.padding))
    if dll.dependent_load_flags:
        add_load_config(linker, dll.dependent_load_flags)
    if imports or dll.unused:
        add_imports(linker, imports, dll.unused)
    if dll.delay:
        add_delay_imports(linker, dll.delay)
    if exports:
        add_exports(linker, dll.name, exports)
    resources = {}
    if dll.version:
        resources[VERSION, 1] = version_information(dll.version, dll.name)
    if dll.manifest:
        resources[MANIFEST, 2 if dll.is_dll else 1] = dll.manifest
    if resources:
        add_resources(linker, resources)
    return linker.image(
        Header(
            machine=dll.machine,
            linker=dll.linker,
            timestamp=dll.timestamp,
            image_base=0x180000000 if linker.wide else 0x10000000,
            is_dll=dll.is_dll,
            entry=None if dll.dllmain is DllMain.ABSENT else "entry",
        )
    )


def _with_own_imports(dll: Dll) -> dict[str, list[Symbol]]:
    """The imports and what the written code itself needs."""
    imports = {name: list(functions) for name, functions in dll.imports.items()}

    def need(library: str, function: str) -> None:
        present = next((name for name in imports if name.lower() == library.lower()), library)
        functions = imports.setdefault(present, [])
        if function not in functions:
            functions.append(function)

    if dll.pyinit:
        need(dll.python_dll, CREATE)
    if dll.delay:
        for call in (LOAD, FIND, RAISE):
            need(call.dll, str(call.function))
    return imports
