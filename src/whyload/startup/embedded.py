"""Modules that an extension module names in its own file, because it imports them while it is initialised.

Source: Cython's documentation, "Sharing declarations" (`cimport` imports the other module at run time, by its full
name, which stands in the file as a C string); cffi's documentation, "ffibuilder.compile()" (what it makes imports
`_cffi_backend`); NumPy's, "Array API", `import_array()`; PyQt's modules import one another in the same way. The same
name may also serve something that happens later or never: what is found here is likely, not sure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whyload.base.regular import regular
from whyload.base.typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.base.typing import Final
    from whyload.world.model import FileView

_LARGEST: Final = 16 << 20
"""Bytes; the modules that Cython makes are smaller, those that hold a whole program are not."""
_REST = regular(rb"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\0")
CFFI_BACKEND: Final = "_cffi_backend"
_BACKENDS: Final = (CFFI_BACKEND, "numpy._core._multiarray_umath", "numpy.core._multiarray_umath")
"""Modules that generated code imports, whatever package it is in; Rust's strings have no end mark."""


def named_modules(files: FileView, file: WinPath, packages: Iterable[str]) -> tuple[str, ...]:
    """Dotted names below one of `packages` that stand as whole strings in an extension module, in their order there."""
    data = _bytes(files, file)
    found: dict[str, int] = {}
    for package in packages:
        for name, position in _names(data, package):
            found.setdefault(name, position)
    for name in _BACKENDS:
        if (position := data.find(name.encode())) >= 0:
            found[name] = position
    return tuple(sorted(found, key=lambda name: found[name]))


def _bytes(files: FileView, file: WinPath) -> bytes:
    source = files.source(file)
    if source is None or source.size > _LARGEST:
        return b""
    try:
        return source.read(0, source.size)
    except OSError:
        return b""


def _names(data: bytes, package: str) -> Iterator[tuple[str, int]]:
    start = b"\0" + package.encode() + b"."
    position = data.find(start)
    while position >= 0:
        match = _REST.match(data, position + len(start))
        if match is not None:
            yield data[position + 1 : match.end() - 1].decode("ascii", "replace"), position
        position = data.find(start, position + 1)
