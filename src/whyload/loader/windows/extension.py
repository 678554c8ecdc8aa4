"""What CPython checks of a module that Windows has loaded (R3.4, R3.5), and what it says of one that it has not.

Source: CPython `Python/dynload_win.c` (GetPythonImport, the comparison with its own DLL, the texts),
`Python/importdl.c`, `Lib/ctypes/__init__.py` and `Modules/_ctypes/callproc.c`.
"""

from __future__ import annotations

from whyload.base.errors import FormatError
from whyload.base.typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whyload.formats.pe import Image


def conflicting_python(image: Image, own: str) -> str | None:
    """R3.4: the first import that begins with `python` and digits, where it is another interpreter's DLL.

    Compared with case, names with further letters (`python313t.dll`) are not recognised, `python3.dll` is no version.
    """
    for entry in image.imports():
        digits = entry.name.removeprefix("python").removesuffix(".dll")
        if 2 <= len(digits) <= 3 and digits.isdecimal() and entry.name == f"python{digits}.dll":
            return entry.name if entry.name.lower() != own.lower() else None
    return None


def load_error_text(version: tuple[int, int], module: str, winerror: int) -> str:
    """R3.3: what the ImportError says; R2.54: Windows' own sentence, here in English, keeps its final stop."""
    since = f" while importing {module.rpartition('.')[2]}" if version >= (3, 8) else ""
    sentence = _sentence(winerror)
    if sentence is None:
        return f"DLL load failed with error code {winerror}{since}"
    return f"DLL load failed{since}: {sentence}"


def ctypes_error_text(version: tuple[int, int], name: str, winerror: int) -> str:
    """R3.23: what the OSError of ctypes says; without a number where it is a FileNotFoundError."""
    if winerror == 126 and version >= (3, 8):
        hint = "Try using the full path with constructor syntax."
        return f"Could not find module '{name}' (or one of its dependencies). {hint}"
    return f"[WinError {winerror}] {_sentence(winerror) or ''}".rstrip()


def _sentence(winerror: int) -> str | None:
    from whyload.knowledge.errors import win32_error

    known = win32_error(winerror)
    return known.text() if known is not None else None


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
