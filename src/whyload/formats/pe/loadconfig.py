"""The load configuration, as far as it bears on loading (loader.md R1.6, R1.25).

Source: Microsoft, "PE Format" (The Load Configuration Structure), "/DEPENDENTLOADFLAG"; winnt.h,
IMAGE_LOAD_CONFIG_DIRECTORY.
"""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.typing import TYPE_CHECKING
from whyload.formats.pe.headers import Directory
from whyload.formats.pe.incomplete import Table

if TYPE_CHECKING:
    from whyload.formats.pe.context import Context

LENGTH = 208
"""Bytes up to and with the last field that is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadConfig:
    """Fields are 0 where the structure is too short to have them."""

    size: int
    """What the structure says of its own length, in bytes."""
    dependent_load_flags: int
    """Search flags for the imports of this file (R2.24)."""
    chpe_pointer: int
    """Virtual address of the metadata of a hybrid (ARM64EC, ARM64X) image."""


def read_load_config(context: Context) -> LoadConfig | None:
    """Directory 10; None where there is none."""
    place = context.headers.directory(Directory.LOAD_CONFIG)
    if place is None:
        return None
    data = context.memory.read(place[0], LENGTH)
    size = int.from_bytes(data[:4], "little")
    if len(data) < min(max(size, 4), LENGTH):
        cause, why = context.memory.trouble
        context.ledger.note(Table.LOAD_CONFIG, cause, why)
    data = data[:size]
    wide = context.headers.is_pe32_plus
    return LoadConfig(
        size=size,
        dependent_load_flags=_field(data, 78 if wide else 54, 2),
        chpe_pointer=_field(data, 200, 8) if wide else _field(data, 124, 4),
    )


def _field(data: bytes, offset: int, width: int) -> int:
    return int.from_bytes(data[offset : offset + width], "little") if offset + width <= len(data) else 0
