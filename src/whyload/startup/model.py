"""What reading start-up source gives, and the bounds of reading."""

from __future__ import annotations

from collections.abc import Callable

from whyload.base.dataclass import dataclass
from whyload.base.typing import TYPE_CHECKING
from whyload.observe.events import Event

if TYPE_CHECKING:
    from whyload.base.message import Text
    from whyload.base.typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something that was not analysed."""

    what: Text
    why: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Startup:
    """The events of a start-up in order, and what could not be read."""

    events: tuple[Event, ...]
    notes: tuple[Note, ...] = ()
    stopped: bool = False
    """It could not be read to its end: the events are its beginning, the last of them may be cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of reading, in counts rather than seconds, so that an answer does not depend on the machine."""

    modules: int = 4000
    events: int = 20000
    work: int = 3_000_000
    """Statements and expressions."""
    function_work: int = 12_000
    """The same, in one call made at module level."""
    depth: int = 24
    """Calls within calls; imports do not count."""
    import_depth: int = 120
    repeated_work: int = 24_000
    """The same, in all calls of one function."""
    nesting: int = 200
    """Attempts and conditions within one another: whoever walks the events may do it by recursion."""
    nested_rounds: int = 50
    """The same, in one loop: each round in the handler of the one before."""
    iterations: int = 3000
    """Rounds of one loop."""
    source: int = 4 << 20
    """Bytes of one file."""


Watch: TypeAlias = Callable[[tuple[Event, ...]], bool]
"""Looks at what happened so far, where nothing is half done; True ends the reading: the program has failed."""


class Thrown(Exception):  # noqa: N818 - it carries an exception of the program, it is none of ours
    """An exception of the program that is being read, on its way to a handler."""

    def __init__(self, lineage: tuple[str, ...], text: str = "", module: str | None = None) -> None:
        self.lineage = lineage
        self.text = text
        self.module = module
        super().__init__(lineage[0], text)


class BoundReached(Exception):  # noqa: N818 - a signal
    """A bound was hit: reading stops here, what was read so far stands."""


class ProgramEnd(Exception):  # noqa: N818 - a signal
    """The program ends itself (sys.exit)."""


class CallBound(Exception):  # noqa: N818 - a signal
    """A call did too much: its value stays unknown, reading goes on after it."""
