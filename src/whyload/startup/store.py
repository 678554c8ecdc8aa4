"""Every change that reading makes, kept so that it can be taken back: two sides of a condition start from one state."""

from __future__ import annotations

from whyload.base.typing import TYPE_CHECKING
from whyload.startup.values import MISSING, UNKNOWN, Fork, Namespace, Value, same

if TYPE_CHECKING:
    from whyload.base.typing import TypeAlias
    from whyload.startup.tree import AttemptNode

Change: TypeAlias = tuple[Namespace, object, Value]
Changes: TypeAlias = dict[tuple[int, object], Change]
_DEEPEST_FORK = 6


class Store:
    """Writes to namespaces and remembers what stood there before."""

    def __init__(self) -> None:
        self._trail: list[tuple[Namespace, object, Value]] = []
        self._open = 0
        self.process: Namespace = {}
        """State of the process itself (environment …): it takes one side's value when two sides are joined."""

    def write(self, names: Namespace, key: object, value: Value) -> None:
        """Set `names[key]`; MISSING removes it."""
        if self._open:
            self._trail.append((names, key, names.get(key, MISSING)))
        if value is MISSING:
            names.pop(key, None)
        else:
            names[key] = value

    def begin(self) -> int:
        """Start a side; returns the mark for `take_back`."""
        self._open += 1
        return len(self._trail)

    @property
    def position(self) -> int:
        """A point in what is remembered of the open sides, for `changed_since`."""
        return len(self._trail)

    def keep(self) -> None:
        """End what `begin` started, with all that was written."""
        self._open -= 1
        if not self._open:
            self._trail.clear()

    def changed_since(self, position: int) -> Changes:
        """What was written since, with the values from before; `position` belongs to a side that is open."""
        changes: Changes = {}
        for names, key, old in self._trail[position:]:
            changes.setdefault((id(names), key), (names, key, old))
        return changes

    def settle(self, position: int, names: Namespace) -> None:
        """What was written to `names` since stays, whichever side is taken: it happened before, and is read late."""
        self._trail[position:] = [entry for entry in self._trail[position:] if entry[0] is not names]

    def take_back(self, mark: int) -> Changes:
        """End a side: undo what was written since `mark` and return it."""
        changes: Changes = {}
        for names, key, _ in self._trail[mark:]:
            changes[id(names), key] = (names, key, names.get(key, MISSING))
        for names, key, old in reversed(self._trail[mark:]):
            if old is MISSING:
                names.pop(key, None)
            else:
                names[key] = old
        del self._trail[mark:]
        self._open -= 1
        return changes

    def apply(self, changes: Changes) -> None:
        """Write what a side wrote."""
        for names, key, value in changes.values():
            self.write(names, key, value)

    def join(self, ok: Changes, failed: Changes, node: AttemptNode | None) -> None:
        """Write what two sides have in common; where they differ, the value depends on `node` or is unknown."""
        for place in {**ok, **failed}:
            names, key, _ = ok.get(place) or failed[place]
            before = names.get(key, MISSING)
            left = ok[place][2] if place in ok else before
            right = failed[place][2] if place in failed else before
            if same(left, right):
                self.write(names, key, left)
            elif names is self.process:
                self.write(names, key, left if node is not None or place in ok else right)
            else:
                self.write(names, key, _either(left, right, node))


def _either(ok: Value, failed: Value, node: AttemptNode | None) -> Value:
    if node is None:
        if ok is MISSING or failed is MISSING:
            return failed if ok is MISSING else ok
        return UNKNOWN
    if max(_depth(ok), _depth(failed)) >= _DEEPEST_FORK:
        return UNKNOWN
    return Fork(node, ok, failed)


def _depth(value: Value) -> int:
    depth = 0
    while isinstance(value, Fork):
        depth, value = depth + 1, value.ok
    return depth
