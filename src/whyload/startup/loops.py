"""Loops over what is known, bounded; a loop over something unknown is read once, as uncertain."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.startup.conditions import Flow, branch, truth, uncertain
from whyload.startup.execution import evaluate, run_block
from whyload.startup.frames import join_way, rejoin
from whyload.startup.model import Thrown
from whyload.startup.subscripts import sequence
from whyload.startup.values import UNKNOWN, Fork, ListValue, Value
from whyload.startup.variables import assign

if TYPE_CHECKING:
    from whyload.startup.frames import Exit
    from whyload.startup.reader import Reader

_LOOP = Message(en="a loop", zh="某个循环")

_LEAVES = (Flow.BREAK, Flow.RETURN)


def run_for(reader: Reader, node: ast.For | ast.AsyncFor) -> Flow:
    """`for … in …: … else: …`."""
    return _run_over(reader, node, evaluate(reader, node.iter))


def _run_over(reader: Reader, node: ast.For | ast.AsyncFor, value: Value) -> Flow:
    fork = _parted(reader, value)
    if fork is not None:  # what is gone over depends on how an attempt ended: each on its own way
        return branch(
            reader,
            Fork(fork.node, True, False),
            lambda: f"for … in {_text(node.iter)}",
            lambda: _run_over(reader, node, fork.ok),
            lambda: _run_over(reader, node, fork.failed),
        )
    items = sequence(reader, value)
    if items is None:
        return _once(reader, node, lambda: assign(reader, node.target, UNKNOWN), f"for … in {_text(node.iter)}")
    if len(items) > reader.limits.iterations:
        reader.note(
            _LOOP,
            Message(
                en=f"stopped after {reader.limits.iterations} rounds at {reader.where()}",
                zh=f"{reader.where()} 处循环 {reader.limits.iterations} 次后停止",
            ),
        )
    rounds = (lambda item=item: assign(reader, node.target, item) for item in items[: reader.limits.iterations])
    return _Loop(reader, node).run(rounds)


def _parted(reader: Reader, value: Value) -> Fork | None:
    """The items, where they are one thing or another."""
    value = reader.settle(value)
    if isinstance(value, ListValue):
        value = reader.settle(value.cell["items"])
    return value if isinstance(value, Fork) else None


def run_while(reader: Reader, node: ast.While) -> Flow:
    """`while …: … else: …`."""

    def rounds() -> Iterable[Callable[[], None]]:
        for _ in range(reader.limits.iterations):
            tested.append(truth(reader, evaluate(reader, node.test)))
            if tested[-1] is not True:
                return
            yield lambda: None

    tested: list[Value] = []
    flow = _Loop(reader, node).run(rounds(), lambda: not tested or tested[-1] is False)
    if flow is Flow.NEXT and len(tested) == 1 and not isinstance(tested[0], bool):
        return _once(reader, node, lambda: None, f"while {_text(node.test)}")
    return flow


def _text(node: ast.expr) -> str:
    return " ".join(ast.unparse(node).split())[:80]


def _once(reader: Reader, node: ast.For | ast.AsyncFor | ast.While, start: Callable[[], None], text: str) -> Flow:
    def body() -> Flow:
        start()
        return _Loop(reader, node).run([lambda: None], lambda: False)

    return uncertain(reader, lambda: text, body)


class _Loop:
    """One loop while it is read."""

    def __init__(self, reader: Reader, node: ast.For | ast.AsyncFor | ast.While) -> None:
        self.reader = reader
        self.node = node
        self.start = reader.sink
        self.parted = frozenset(reader.left)
        self.first = len(reader.frame.exits)
        self.thrown: Thrown | None = None

    def run(self, rounds: Iterable[Callable[[], None]], completes: Callable[[], bool] = lambda: True) -> Flow:
        """Read every round; `completes` says afterwards whether the else clause runs."""
        flow = Flow.NEXT
        self.reader.store.begin()
        try:
            for begin in rounds:
                begin()
                flow = self._round()
                if flow is not Flow.NEXT or self._is_too_deep():
                    break
            return self._end(flow, completes())
        finally:
            self.reader.store.keep()

    def _is_too_deep(self) -> bool:
        reader = self.reader
        if reader.sink.depth - self.start.depth <= reader.limits.nested_rounds:
            return False
        reader.note(
            _LOOP,
            Message(
                en=f"stopped after {reader.limits.nested_rounds} failed rounds at {reader.where()}",
                zh=f"{reader.where()} 处循环失败 {reader.limits.nested_rounds} 次后停止",
            ),
        )
        return True

    def _round(self) -> Flow:
        reader = self.reader
        sink, seen, parted = reader.sink, len(reader.frame.exits), frozenset(reader.left)
        try:
            flow = run_block(reader, self.node.body)
        except Thrown as error:
            flow, self.thrown = Flow.RAISE, error
        new = reader.frame.exits[seen:]
        again = [way for way in new if way.flow is Flow.CONTINUE]
        leaves = any(way.flow in _LEAVES for way in new) or flow is Flow.RAISE
        if flow is Flow.CONTINUE:
            again.pop()
        elif flow is not Flow.NEXT:
            if not again:
                return flow
            self.thrown = None
            self._take(again.pop(), alone=True)
        for way in again:
            self._take(way, alone=False)
        if again:
            rejoin(reader, parted)
        if not leaves:
            reader.sink = sink
        return Flow.NEXT

    def _take(self, way: Exit, *, alone: bool) -> None:
        if alone:
            self.reader.store.apply(way.changes)
            self.reader.sink = way.sink
        else:
            join_way(self.reader, way, frozenset((id(self.reader.assumed), id(self.reader.left))))

    def _end(self, flow: Flow, completes: bool) -> Flow:
        reader, exits = self.reader, self.reader.frame.exits
        own = exits[self.first :]
        breaks = [way for way in own if way.flow is Flow.BREAK]
        exits[self.first :] = [way for way in own if way.flow is Flow.RETURN]
        broke = flow is Flow.BREAK
        if broke:
            breaks.pop()
        elif flow is Flow.NEXT and completes and self.node.orelse:
            # its own break and continue belong to the loop around
            try:
                flow = run_block(reader, self.node.orelse)
            except Thrown as error:
                flow, self.thrown = Flow.RAISE, error
        if not breaks and not broke:
            if flow is Flow.RAISE and self.thrown is not None:
                raise self.thrown
            return flow
        if not broke and flow is not Flow.NEXT:
            self._take(breaks.pop(), alone=True)
        for way in breaks:
            self._take(way, alone=False)
        rejoin(reader, self.parted)
        if len(exits) == self.first:
            reader.sink = self.start
        return Flow.NEXT
