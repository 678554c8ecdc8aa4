"""The delay import table: libraries that the file's own helper loads at the first call (loader.md R1.19).

Source: Microsoft, "PE Format" (Delay-Load Import Tables). The loader does not look at it, so damage here never
refuses a file.
"""

from __future__ import annotations

import struct
from itertools import takewhile

from whyload.formats.pe.context import Context
from whyload.formats.pe.headers import Directory
from whyload.formats.pe.imports import ImportedLibrary, descriptors, fetch_names, library_name
from whyload.formats.pe.incomplete import Table

_DESCRIPTOR = struct.Struct("<8I")
_IS_RVA = 1


class DelayedLibrary(ImportedLibrary):
    """A library that is loaded at the first call of one of its functions."""

    __slots__ = ()

    @property
    def is_delayed(self) -> bool:
        """True for a library of the delay import table."""
        return True

    @property
    def is_unused(self) -> bool:
        """Never: the address table holds stubs, and the loader does not look at it."""
        return False


def read_delay_imports(context: Context) -> tuple[ImportedLibrary, ...]:
    """Directory 13."""
    place = context.headers.directory(Directory.DELAY_IMPORT)
    if place is None:
        return ()
    base = context.headers.image_base
    rows = list(takewhile(_has_name, descriptors(context, Table.DELAY_IMPORTS, place[0], _DESCRIPTOR)))
    shifts = [0 if row[0] & _IS_RVA else base for row in rows]  # version 1 descriptors hold addresses, not RVAs
    names = [row[1] - shift for row, shift in zip(rows, shifts, strict=True)]
    fetch_names(context, names)
    libraries = []
    for row, shift, name in zip(rows, shifts, names, strict=True):
        lookup = row[4] - shift if row[4] else 0
        text = library_name(context, Table.DELAY_IMPORTS, name)
        traits = (row[7] != 0, not row[0] & ~_IS_RVA, lookup != 0)
        libraries.append(DelayedLibrary(context, text, lookup, row[3] - shift, traits, shift))
    return tuple(libraries)


def _has_name(row: tuple[int, ...]) -> bool:
    return row[1] != 0
