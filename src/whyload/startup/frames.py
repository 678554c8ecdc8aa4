"""Code that is being read, the ways out of it, and where they come together again."""

from __future__ import annotations

import ast
from collections.abc import Callable

from whyload.base.dataclass import dataclass, field
from whyload.base.typing import TYPE_CHECKING
from whyload.startup.store import Changes
from whyload.startup.tree import AttemptNode, Events
from whyload.startup.values import MISSING, Scope, Value

if TYPE_CHECKING:
    from whyload.startup.reader import Reader


@dataclass(slots=True)
class Exit:
    """A way out of a loop or function that only one side of a condition takes."""

    flow: int
    value: Value
    sink: Events
    changes: Changes = field(default_factory=dict)
    node: AttemptNode | None = None
    failed: bool = False
    since: int = 0
    """Where the way parted, as a position in the store's memory."""


@dataclass(slots=True)
class Frame:
    """A piece of code that is being read: a module, a class body, a function call."""

    scope: Scope
    exits: list[Exit] = field(default_factory=list)
    globals: frozenset[str] = frozenset()
    nonlocals: frozenset[str] = frozenset()
    yields: list[Value] | None = None
    on_yield: Callable[[Value], None] | None = None
    """What the body of a with statement does at the generator's yield."""
    is_function: bool = False
    line: int = 0
    """Where it stands while an inner frame is read."""
    code: ast.AST | None = None
    """The function."""


def join_way(reader: Reader, way: Exit, apart: frozenset[int] = frozenset()) -> None:
    """The way comes together with the current state again; namespaces in `apart` are left alone."""
    others = {**reader.store.changed_since(way.since), **way.changes}
    others = {place: change for place, change in others.items() if place[0] not in apart}
    reader.store.join(*(({}, others) if way.failed else (others, {})), way.node)


def rejoin(reader: Reader, before: frozenset[Value]) -> None:
    """Ways that parted since `before` come together: which of them was taken is open again."""
    for node in [node for node in reader.left if node not in before]:
        reader.store.write(reader.assumed, node, MISSING)
        reader.store.write(reader.left, node, MISSING)
