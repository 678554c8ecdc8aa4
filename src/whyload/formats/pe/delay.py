"""The delay import table: libraries that the file's own helper loads at the first call (loader.md R1.19).

Source: Microsoft, "PE Format" (Delay-Load Import Tables). The loader does not look at it, so damage here never
refuses a file.
"""

from __future__ import annotations

import struct
from operator import itemgetter

from whyload.base.typing import TYPE_CHECKING
from whyload.formats.pe.headers import Directory
from whyload.formats.pe.imports import ImportedLibrary, descriptors, fetch_names, library_name
from whyload.formats.pe.incomplete import Table

if TYPE_CHECKING:
    from whyload.formats.pe.context import Context

_DESCRIPTOR = struct.Struct("<8I")
_REQUIRED = (itemgetter(1),)
"""The name: zero behind the last descriptor only."""
_IS_RVA = 1


class DelayedLibrary(ImportedLibrary):
    """A library that is loaded at the first call of one of its functions."""

    __slots__ = ("_base", "_refused")

    def __init__(self, context: Context, name: str, row: tuple[int, ...], base: int) -> None:
        lookup = row[4] - base if row[4] else 0
        super().__init__(context, name, (lookup, row[7], row[1] - base, row[3] - base))
        self._refused = bool(row[0] & ~_IS_RVA)
        self._base = base

    @property
    def is_delayed(self) -> bool:
        """True for a library of the delay import table."""
        return True

    @property
    def is_valid(self) -> bool:
        """False for attributes that the helper refuses (R1.19)."""
        return not self._refused

    @property
    def symbols_known(self) -> bool:
        """False without a list of names: the stubs of the address table name nothing."""
        return self._functions != 0

    @property
    def _functions(self) -> int:
        return self._row[0]

    @property
    def is_unused(self) -> bool:
        """Never: the address table holds stubs, and the loader does not look at it."""
        return False

    @property
    def _shift(self) -> int:
        return self._base


def read_delay_imports(context: Context) -> tuple[ImportedLibrary, ...]:
    """Directory 13."""
    place = context.headers.directory(Directory.DELAY_IMPORT)
    if place is None:
        return ()
    rows = descriptors(context, Table.DELAY_IMPORTS, place[0], _DESCRIPTOR, _REQUIRED)
    # version 1 descriptors hold addresses, not RVAs
    bases = [0 if row[0] & _IS_RVA else context.headers.image_base for row in rows]
    places = [row[1] - base for row, base in zip(rows, bases, strict=True)]
    fetch_names(context.memory, places)
    names = [library_name(context, Table.DELAY_IMPORTS, place) for place in places]
    return tuple(DelayedLibrary(context, *each) for each in zip(names, rows, bases, strict=True))
