"""What the readers of one file's tables share: headers, memory, the gaps noticed, the work still allowed."""

from __future__ import annotations

from whyload.base.typing import TYPE_CHECKING
from whyload.formats.pe import limits

if TYPE_CHECKING:
    from whyload.formats.pe.address import Memory
    from whyload.formats.pe.headers import Headers
    from whyload.formats.pe.incomplete import Ledger


class Context:
    """Belongs to one image and lives as long as it does."""

    __slots__ = ("functions_left", "headers", "ledger", "memory", "name_bytes_left", "width")

    width: int
    """Bytes of an entry of the tables of functions."""

    def __init__(self, headers: Headers, memory: Memory, ledger: Ledger) -> None:
        self.headers = headers
        self.memory = memory
        self.ledger = ledger
        self.width = 8 if headers.is_pe32_plus else 4
        self.functions_left = limits.IMPORTED_FUNCTIONS
        self.name_bytes_left = limits.NAME_BYTES_TOTAL
