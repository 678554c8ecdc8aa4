"""The header of a managed (.NET) image (loader.md R1.27).

Source: ECMA-335, II.25.3.3 "CLI header"; winnt.h, IMAGE_COR20_HEADER.
"""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.typing import TYPE_CHECKING
from whyload.formats.pe.headers import Directory
from whyload.formats.pe.incomplete import Table

if TYPE_CHECKING:
    from whyload.formats.pe.context import Context

_LENGTH = 72


@dataclass(frozen=True, slots=True, kw_only=True)
class ClrHeader:
    """`runtime` is the version of the header's format, 2.5 in practice."""

    runtime: tuple[int, int]
    flags: int

    @property
    def is_il_only(self) -> bool:
        """No native code: the check of the architecture is relaxed (R1.7), native imports are not followed."""
        return bool(self.flags & 0x1)

    @property
    def requires_32bit(self) -> bool:
        """32BITREQUIRED."""
        return bool(self.flags & 0x2)


def read_clr(context: Context) -> ClrHeader | None:
    """Directory 14; None where there is none or where it cannot be read (noted)."""
    place = context.headers.directory(Directory.CLR)
    if place is None:
        return None
    data = context.memory.read(place[0], _LENGTH)
    if len(data) < _LENGTH:
        cause, why = context.memory.trouble
        context.ledger.note(Table.CLR, cause, why)
        return None
    major, minor, flags = (int.from_bytes(data[a:b], "little") for a, b in ((4, 6), (6, 8), (16, 20)))
    return ClrHeader(runtime=(major, minor), flags=flags)
