"""Conditions: one branch where the source decides, both where it does not, and how the two come together again.

A condition that depends on whether an earlier load worked continues that attempt: what follows on its failure joins its
handler, what follows on its success its `orelse`. Anything else that is unknown gives `Uncertain` events.
"""

from __future__ import annotations

from collections.abc import Callable

from whyload.base.dataclass import dataclass
from whyload.base.enumeration import IntEnum
from whyload.base.typing import TYPE_CHECKING
from whyload.startup.model import Thrown
from whyload.startup.tree import AttemptNode, Events, Node, UncertainNode
from whyload.startup.values import (
    MISSING,
    UNKNOWN,
    DictValue,
    ErrorTest,
    Fork,
    Instance,
    Known,
    ListValue,
    Unknown,
    Value,
    is_constant,
)

if TYPE_CHECKING:
    from whyload.startup.frames import Exit
    from whyload.startup.reader import Reader
    from whyload.startup.store import Changes


class Flow(IntEnum):
    """How a piece of code is left."""

    NEXT = 0
    RETURN = 1
    BREAK = 2
    CONTINUE = 3
    RAISE = 4


@dataclass(slots=True, eq=False)
class Side:
    """One side of a condition, read on its own."""

    events: Events
    flow: Flow
    end: Events
    changes: Changes
    exits: list[Exit]
    thrown: Thrown | None = None


def read_side(
    reader: Reader, run: Callable[[], Flow], events: Events, assume: tuple[AttemptNode, bool] | None = None
) -> Side:
    """Read one side into `events`; the state of the process is as before afterwards."""
    sink, exits = reader.sink, reader.frame.exits
    seen, handling = len(exits), len(reader.handling)
    mark = reader.store.begin()
    reader.sink = events
    thrown = None
    try:
        if assume is not None:
            reader.store.write(reader.assumed, *assume)
        flow = run()
    except Thrown as error:
        flow, thrown = Flow.RAISE, error
    finally:
        end, reader.sink = reader.sink, sink
        del reader.handling[handling:]
        changes = reader.store.take_back(mark)
    if assume is not None:
        changes.pop((id(reader.assumed), assume[0]), None)
    return Side(events, flow, end, changes, exits[seen:], thrown)


def truth(reader: Reader, value: Value) -> Value:
    """True, False, UNKNOWN, or a Fork or ErrorTest of these."""
    value = reader.settle(value)
    if isinstance(value, ListValue):
        value = reader.settle(value.cell["items"])
    if isinstance(value, Fork):
        return _fork(value.node, truth(reader, value.ok), truth(reader, value.failed))
    if isinstance(value, ErrorTest):
        return value
    if isinstance(value, tuple) or is_constant(value):
        return bool(value)
    if isinstance(value, DictValue):
        return True if value.names else UNKNOWN if value.partial else False
    if isinstance(value, Unknown):
        return False if value is MISSING else UNKNOWN
    if isinstance(value, Known):
        from whyload.startup.known import is_function_or_module

        return True if is_function_or_module(reader, value.name) else UNKNOWN
    if isinstance(value, Instance):
        unsure = value.kind.is_stub or {"__bool__", "__len__"} & set(value.kind.names)
        return UNKNOWN if unsure else True
    return True


def _fork(node: AttemptNode, ok: Value, failed: Value) -> Value:
    return ok if ok is failed and isinstance(ok, bool) else Fork(node, ok, failed)


def branch(
    reader: Reader, test: Value, text: Callable[[], str], then: Callable[[], Flow], otherwise: Callable[[], Flow]
) -> Flow:
    """Read `then` or `otherwise`, or both, as far as `test` decides."""
    decided = truth(reader, test)
    if isinstance(decided, bool):
        return then() if decided else otherwise()
    if isinstance(decided, Fork):
        return _depends(reader, decided, text, then, otherwise)
    if isinstance(decided, ErrorTest):
        return _by_error(reader, decided, text, then, otherwise)
    return uncertain(reader, text, then, otherwise)


def uncertain(
    reader: Reader, text: Callable[[], str], then: Callable[[], Flow], otherwise: Callable[[], Flow] | None = None
) -> Flow:
    """Read both sides of a condition that is not known."""
    main = reader.sink
    yes = UncertainNode(text, Events(main))
    no = UncertainNode(lambda: f"not ({text()})", Events(main))
    first = read_side(reader, then, yes.body)
    second = read_side(reader, otherwise or (lambda: Flow.NEXT), no.body)
    for node, side in ((yes, first), (no, second)):
        if (
            side.events
            or (side.flow is Flow.NEXT and Flow.NEXT not in (first.flow, second.flow))
            or side.flow is Flow.NEXT
        ):
            main.append(node)
    return merge(reader, first, second, None, main)


def merge(reader: Reader, ok: Side, failed: Side, node: AttemptNode | None, main: Events) -> Flow:
    """Go on after two sides: with both, or where the one that goes on stands."""
    for side, is_failed in ((ok, False), (failed, True)):
        for way in side.exits:
            way.changes = {**side.changes, **way.changes}
            way.since = reader.store.position
            if way.node is None:
                way.node, way.failed = node, is_failed
    if ok.flow is failed.flow:
        reader.store.join(ok.changes, failed.changes, node)
        reader.sink = main
        if ok.thrown is not None:
            raise ok.thrown
        return ok.flow
    dead, alive = (failed, ok) if failed.flow is Flow.RAISE or ok.flow is Flow.NEXT else (ok, failed)
    reader.store.apply(alive.changes)
    if node is not None:
        reader.store.write(reader.assumed, node.key, alive is ok)
        if dead.flow is not Flow.RAISE:
            reader.store.write(reader.left, node.key, True)
    usual = (alive.events, node.orelse if node is not None else alive.events)
    on_its_own = dead.flow is not Flow.RAISE or not any(alive.end is events for events in usual)
    reader.sink = alive.end if on_its_own else main
    return alive.flow


def _depends(
    reader: Reader, test: Fork, text: Callable[[], str], then: Callable[[], Flow], otherwise: Callable[[], Flow]
) -> Flow:
    """Both sides of the earliest attempt that the condition depends on; the later ones are decided within them."""
    main = reader.sink
    nodes = attempts_in(test)
    index = next((i for i, item in enumerate(main) if isinstance(item, AttemptNode) and item.key in nodes), None)
    if index is None:
        return uncertain(reader, text, then, otherwise)
    node = main[index]
    assert isinstance(node, AttemptNode)
    between = main[index + 1 :]
    handled = _only_way(node)
    ends = Events(main, node), Events(main, node)
    ends[0].extend([*handled, *(item.copy() if isinstance(item, AttemptNode) else item for item in between)])
    ends[1].extend(between)
    before, length = reader.continued, len(between)
    if_failed, if_ok = assuming(test, node.key, ok=False), assuming(test, node.key, ok=True)
    failed = read_side(
        reader,
        lambda: _in_failure(reader, node, lambda: branch(reader, if_failed, text, then, otherwise)),
        ends[0],
        (node.key, False),
    )
    ok = read_side(reader, lambda: branch(reader, if_ok, text, then, otherwise), ends[1], (node.key, True))
    added = len(ok.events) - length, len(failed.events) - length - len(handled)
    if reader.continued != before or any(added) or any(side.flow is not Flow.NEXT for side in (ok, failed)):
        del main[index + 1 :]
        handled.clear()
        continue_attempt(node, ok, failed)
        reader.continued += 1
    return merge(reader, ok, failed, node.key, main)


def _only_way(node: AttemptNode) -> list[Node]:
    """The events of the handler after which reading goes on; none where there are several such handlers."""
    ways = [clause.handler for clause in node.clauses if clause.falls_through]
    return ways[0] if len(ways) == 1 else []


def attempts_in(test: Value) -> set[AttemptNode]:
    """The attempts that a condition depends on and that can still be continued."""
    if not isinstance(test, Fork):
        return set()
    own = {test.node} if test.node.clauses else set()
    return own | attempts_in(test.ok) | attempts_in(test.failed)


def assuming(test: Value, node: AttemptNode, *, ok: bool) -> Value:
    """What a condition comes to where the outcome of `node` is known."""
    if not isinstance(test, Fork):
        return test
    if test.node is node:
        return assuming(test.ok if ok else test.failed, node, ok=ok)
    return _fork(test.node, assuming(test.ok, node, ok=ok), assuming(test.failed, node, ok=ok))


def _in_failure(reader: Reader, node: AttemptNode, run: Callable[[], Flow]) -> Flow:
    from whyload.startup.values import ErrorValue

    reader.handling.append(ErrorValue(("Exception", "BaseException"), node=node))
    return run()


def continue_attempt(node: AttemptNode, ok: Side, failed: Side) -> None:
    """Add what follows an attempt to its two ends."""
    handlers = [clause.handler for clause in node.clauses if clause.falls_through]
    for events, side in [*((handler, failed) for handler in handlers), (node.orelse, ok)]:
        events.extend(side.events)
        if side.end is side.events:
            side.end = events
    if failed.flow is Flow.RAISE:
        for clause in node.clauses:
            clause.falls_through = False


def _by_error(
    reader: Reader, test: ErrorTest, text: Callable[[], str], then: Callable[[], Flow], otherwise: Callable[[], Flow]
) -> Flow:
    main = reader.sink
    matching, other = (then, otherwise) if test.equal else (otherwise, then)
    first = read_side(reader, matching, Events(main))
    second = read_side(reader, other, Events(main))
    if second.flow is Flow.RAISE and test.node.winerror in (None, test.code):
        test.node.winerror = test.code
        main.extend(first.events)
        if first.end is first.events:
            first.end = main
        return merge(reader, first, second, None, main)
    for side, name in ((first, text()), (second, f"not ({text()})")):
        if side.events:
            main.append(UncertainNode(name, side.events))
    return merge(reader, first, second, None, main)


def choose(reader: Reader, test: Value, ok: Callable[[], Value], other: Callable[[], Value]) -> Value:
    """The value of a conditional expression."""
    decided = truth(reader, test)
    if isinstance(decided, bool):
        return ok() if decided else other()
    if isinstance(decided, Fork):
        sides = []
        for value, assumed in ((decided.ok, True), (decided.failed, False)):
            result: list[Value] = []

            def run(value: Value = value, result: list[Value] = result) -> Flow:
                result.append(choose(reader, value, ok, other))
                return Flow.NEXT

            side = read_side(reader, run, Events(reader.sink), (decided.node, assumed))
            reader.store.apply(side.changes)
            sides.append(result[0] if result else UNKNOWN)
        return Fork(decided.node, sides[0], sides[1])
    values: list[Value] = []
    for evaluate in (ok, other):

        def run_one(evaluate: Callable[[], Value] = evaluate) -> Flow:
            values.append(evaluate())
            return Flow.NEXT

        node = UncertainNode("a conditional expression", Events(reader.sink))
        side = read_side(reader, run_one, node.body)
        reader.store.apply(side.changes)
        if node.body:
            reader.sink.append(node)
    from whyload.startup.values import same

    return values[0] if len(values) == 2 and same(values[0], values[1]) else UNKNOWN
