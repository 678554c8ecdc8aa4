"""What of a file could not be analysed, kept beside what could.

Source: loader.md R1.28: "analysis incomplete" for a table, never "function missing". The loader's own refusals are
`FormatError`s.
"""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.enumeration import Enum


class Table(Enum):
    """A structure of the file."""

    IMPORTS = "import table"
    DELAY_IMPORTS = "delay import table"
    EXPORTS = "export table"
    LOAD_CONFIG = "load configuration"
    RESOURCES = "resources"
    CLR = "CLR header"


class Cause(Enum):
    """Why the rest of a table is not known."""

    LIMIT = "limit"
    """One of our own limits; the operating system would read on."""
    OUTSIDE_IMAGE = "outside the image"
    """The table points to memory that is not part of the image; touching it is an access violation."""
    UNAVAILABLE = "unavailable"
    """The source of the bytes did not give them (a recorded fragment, a file cut while it was read)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incomplete:
    """One gap in the analysis: the table, why it is there, and for imported functions the library they come from."""

    table: Table
    cause: Cause
    reason: str
    library: str | None = None


class Ledger:
    """The gaps noticed so far; each is kept once, in the order of their discovery."""

    __slots__ = ("_notes",)

    def __init__(self) -> None:
        self._notes: dict[Incomplete, None] = {}

    def note(self, table: Table, cause: Cause, reason: str, library: str | None = None) -> None:
        """Record a gap."""
        self._notes[Incomplete(table=table, cause=cause, reason=reason, library=library)] = None

    def notes(self) -> tuple[Incomplete, ...]:
        """All gaps."""
        return tuple(self._notes)
