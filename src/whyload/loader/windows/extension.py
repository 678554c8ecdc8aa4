"""What CPython itself checks of an extension module that Windows has loaded (loader.md R3.4, R3.5).

Source: CPython `Python/dynload_win.c` (GetPythonImport, the comparison with its own DLL) and `Python/importdl.c`.
"""

from __future__ import annotations

import re

from whyload.base.errors import FormatError
from whyload.formats.pe import Image

_PYTHON = re.compile(r"python\d{2,3}\.dll")


def conflicting_python(image: Image, own: str) -> str | None:
    """R3.4: the first import that begins with `python` and digits, where it is another interpreter's DLL.

    Compared with case, names with further letters (`python313t.dll`) are not recognised, `python3.dll` is no version.
    """
    for entry in image.imports():
        if _PYTHON.fullmatch(entry.name):
            return entry.name if entry.name.lower() != own.lower() else None
    return None


def entry_function(module: str) -> str:
    """R3.5: the function that CPython calls: `PyInit_` and the last component, `PyInitU_` in punycode beyond ASCII."""
    last = module.rpartition(".")[2]
    if last.isascii():
        return f"PyInit_{last}"
    return "PyInitU_" + last.encode("punycode").decode("ascii").replace("-", "_")


def lacks_entry(image: Image, module: str) -> bool:
    """R3.5: the module does not export that function."""
    try:
        table = image.exports()
    except FormatError:
        return False
    return table is None or (table.is_complete and table.find(entry_function(module)) is None)
