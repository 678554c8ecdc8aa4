"""The event tree while it is being read: lists that still grow, frozen into the events of observe/events.py at the end.

What an `except` clause catches follows the library reference, "Built-in Exceptions".
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Iterable

from whyload.base.typing import TYPE_CHECKING
from whyload.observe.events import (
    Attempt,
    DefaultDirectoriesSet,
    DirectoryAdded,
    DirectoryRemoved,
    DllDirectorySet,
    EnvironmentChanged,
    Event,
    LibraryLoad,
    LibrarySought,
    ModuleStarted,
    Place,
    Raised,
    Reraised,
    Uncertain,
    Via,
)

if TYPE_CHECKING:
    from whyload.base.typing import Final, TypeAlias

Leaf: TypeAlias = (
    ModuleStarted
    | LibrarySought
    | DirectoryAdded
    | DirectoryRemoved
    | DllDirectorySet
    | DefaultDirectoriesSet
    | EnvironmentChanged
    | Raised
    | Reraised
)
Lineage: TypeAlias = tuple[str, ...]
"""An exception class and the classes it derives from, nearest first, by name."""


class Events(list["Node"]):
    """Events in order, and where the list stands in the tree."""

    __slots__ = ("depth", "owner", "parent")

    def __init__(self, parent: Events | None = None, owner: AttemptNode | UncertainNode | None = None) -> None:
        super().__init__()
        self.parent = parent
        self.owner = owner
        self.depth: int = parent.depth + 1 if parent is not None else 0


class LoadNode:
    """A load whose needed functions are still being collected."""

    __slots__ = ("flags", "guards", "home", "is_likely", "module", "name", "place", "symbols", "via")

    def __init__(
        self,
        *,
        name: str,
        via: Via,
        flags: int,
        module: str | None,
        place: Place | None,
        home: Events,
        guards: int,
        is_likely: bool,
    ) -> None:
        self.name = name
        self.via = via
        self.flags = flags
        self.module = module
        self.place = place
        self.home = home
        self.guards = guards
        """How many try statements around it catch an AttributeError."""
        self.is_likely = is_likely
        self.symbols: list[str] = []


class Clause:
    """One `except` clause that is reachable."""

    __slots__ = ("catches", "falls_through", "handler")

    def __init__(self, catches: tuple[str, ...], handler: Events) -> None:
        self.catches = catches
        self.handler = handler
        self.falls_through = True


class AttemptNode:
    """A try statement; `failed` and `succeeded` continue it where later code depends on how it ended."""

    __slots__ = ("body", "clauses", "key", "orelse", "winerror")

    def __init__(self, parent: Events) -> None:
        self.key: AttemptNode = self
        """What values name it by: a copy has the key of the original."""
        self.body = Events(parent, self)
        self.orelse = Events(parent, self)
        self.clauses: list[Clause] = []
        self.winerror: int | None = None

    def copy(self) -> AttemptNode:
        """The same attempt, whose ends can be continued on their own."""
        copied = AttemptNode(self.body.parent or self.body)
        copied.body, copied.winerror, copied.key = self.body, self.winerror, self.key
        copied.orelse.extend(self.orelse)
        for clause in self.clauses:
            copied.clauses.append(Clause(clause.catches, Events(self.body.parent, copied)))
            copied.clauses[-1].handler.extend(clause.handler)
            copied.clauses[-1].falls_through = clause.falls_through
        return copied

    @property
    def swallows(self) -> bool:
        """True where an error of the body may stay without effect on what follows."""
        return any(clause.falls_through for clause in self.clauses)


class UncertainNode:
    """Events under a condition that is not known."""

    __slots__ = ("body", "condition")

    def __init__(self, condition: str | Callable[[], str], body: Events) -> None:
        self.condition = condition
        self.body = body
        body.owner = self


Node: TypeAlias = Leaf | LoadNode | AttemptNode | UncertainNode

_ALIASES = {"IOError": "OSError", "EnvironmentError": "OSError", "WindowsError": "OSError"}


@functools.cache
def lineage(name: str) -> Lineage:
    """The lineage of a built-in exception; an unknown name counts as a direct child of Exception."""
    found = getattr(builtins, _ALIASES.get(name, name), None)
    if not (isinstance(found, type) and issubclass(found, BaseException)):
        return (name, "Exception", "BaseException")
    return tuple(kind.__name__ for kind in found.__mro__ if kind is not object)


def canonical(name: str) -> str:
    """The name of an exception class without its historical aliases."""
    return _ALIASES.get(name, name)


IMPORT_ERROR: Final = lineage("ImportError")
OS_ERRORS: Final = (lineage("FileNotFoundError"), lineage("OSError"))
ATTRIBUTE_ERROR: Final = lineage("AttributeError")


def catches(names: Iterable[str], error: Lineage) -> bool:
    """Does a clause with `names` catch `error`? No names catch everything."""
    names = tuple(names)
    return not names or any(canonical(name) in error for name in names)


def errors(nodes: Iterable[Node], known: Callable[[str], Lineage] = lineage) -> list[Lineage]:
    """The kinds of errors that can leave these events, each once."""
    found: dict[Lineage, None] = {}
    for node in nodes:
        if isinstance(node, LoadNode):
            found.update(dict.fromkeys(_load_errors(node)))
        elif isinstance(node, AttemptNode):
            found.update(dict.fromkeys(_attempt_errors(node, known)))
        elif isinstance(node, (Raised, Reraised)):
            found[known(node.exception or "Exception")] = None
    return list(found)


def _load_errors(node: LoadNode) -> Iterable[Lineage]:
    yield from (IMPORT_ERROR,) if node.via is Via.IMPORT else OS_ERRORS
    if node.symbols:
        yield ATTRIBUTE_ERROR


def _attempt_errors(node: AttemptNode, known: Callable[[str], Lineage]) -> Iterable[Lineage]:
    for error in errors(node.body, known):
        clause = next((clause for clause in node.clauses if catches(clause.catches, error)), None)
        if clause is None or node.winerror is not None:
            yield error
        if clause is not None and any(isinstance(item, Reraised) and not item.exception for item in clause.handler):
            yield error
    for clause in node.clauses:
        for error in errors(clause.handler, known):
            if error != lineage("Exception"):
                yield error
    yield from errors(node.orelse, known)


def size(nodes: Iterable[Node]) -> int:
    """Number of events, shared ones counted each time."""
    total = 0
    for node in nodes:
        total += 1
        if isinstance(node, AttemptNode):
            total += size(node.body) + size(node.orelse) + sum(size(clause.handler) for clause in node.clauses)
        elif isinstance(node, UncertainNode):
            total += size(node.body)
    return total


class Freezer:
    """Turns the growing tree into events; a node that stands in two places is made once."""

    def __init__(self) -> None:
        self._lists: dict[int, tuple[Event, ...]] = {}

    def freeze(self, nodes: Events) -> tuple[Event, ...]:
        """The frozen events of a list."""
        done = self._lists.get(id(nodes))
        if done is None:
            done = self._lists[id(nodes)] = tuple(event for node in nodes if (event := self._event(node)) is not None)
        return done

    def _event(self, node: Node) -> Event | None:
        if isinstance(node, LoadNode):
            return LibraryLoad(
                name=node.name,
                via=node.via,
                flags=node.flags,
                module=node.module,
                place=node.place,
                symbols=tuple(node.symbols),
                is_likely=node.is_likely,
            )
        if isinstance(node, AttemptNode):
            return self._attempt(node)
        if isinstance(node, UncertainNode):
            body = self.freeze(node.body)
            if not any(map(_matters, body)):
                return None
            return Uncertain(
                condition=node.condition if isinstance(node.condition, str) else node.condition(), body=body
            )
        return node

    def _attempt(self, node: AttemptNode) -> Event:
        body, orelse = self.freeze(node.body), self.freeze(node.orelse)
        clauses = node.clauses or [Clause((), Events())]
        for index, clause in enumerate(clauses):
            last = index == len(clauses) - 1
            body = (
                Attempt(
                    body=body,
                    catches=clause.catches,
                    winerror=node.winerror,
                    handler=self.freeze(clause.handler),
                    orelse=orelse if last else (),
                ),
            )
        return body[0]


def _matters(event: Event) -> bool:
    """Failures under an unknown condition do not count; all else does."""
    return not isinstance(event, Raised)


def surely_happened(home: Events | None, here: Events | None) -> bool:
    """Did what stands in the list `home` surely happen without an error, seen from the end of `here`?"""
    around: set[int] = set()
    while here is not None:
        around.add(id(here))
        here = here.parent
    while home is not None and id(home) not in around:
        owner = home.owner
        if isinstance(owner, UncertainNode):
            return False
        if isinstance(owner, AttemptNode) and (home is not owner.body or owner.swallows):
            return False
        home = home.parent
    return home is not None
