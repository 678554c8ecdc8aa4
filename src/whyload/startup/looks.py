"""Whether the program has failed already is asked while it is read, so that what would not run is not read either."""

from __future__ import annotations

from whyload.startup.model import BoundReached, Watch
from whyload.startup.tree import Events, Freezer

_FIRST = 1500
"""Work after which it pays to ask."""
_BETWEEN = 3
"""How many times as much work is done until it is asked again, unless there are many new loads."""
_LOADS = 4


class Looks:
    """Asks at ever longer intervals: whoever watches plays all that happened so far."""

    __slots__ = ("_next", "_seen", "_watch")

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._next = _FIRST
        self._seen = 0

    def look(self, root: Events, work: int, loads: int) -> None:
        """Called where nothing is half done. Raises BoundReached where the program has failed."""
        if loads == self._seen or (loads < self._seen * 2 + _LOADS and work < self._next):
            return
        self._next, self._seen = work * _BETWEEN, loads
        if self._watch(Freezer().freeze(root)):
            raise BoundReached
