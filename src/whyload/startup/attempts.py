"""try statements: which clause an error of the body reaches, and what is true afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from whyload.base.dataclass import dataclass
from whyload.base.typing import TYPE_CHECKING
from whyload.startup.conditions import Flow, Side, merge, read_side
from whyload.startup.tree import IMPORT_ERROR, AttemptNode, Clause, Events, Lineage, LoadNode, catches, errors
from whyload.startup.values import ErrorValue, Known, Value

if TYPE_CHECKING:
    from whyload.startup.model import Thrown
    from whyload.startup.reader import Reader


@dataclass(frozen=True, slots=True)
class Handler:
    """An except clause: the names it catches (none for everything) and its block."""

    names: tuple[str, ...]
    run: Callable[[ErrorValue], Flow]


def attempt(reader: Reader, body: Callable[[], Flow], handlers: list[Handler], orelse: Callable[[], Flow]) -> Flow:
    """`try: body`, its except clauses, `else: orelse`."""
    main = reader.sink
    node = AttemptNode(main)
    settled = set(reader.reach.settled)
    reader.guards.append(tuple(name for handler in handlers for name in (handler.names or ("BaseException",))))
    try:
        side = read_side(reader, body, node.body)
    finally:
        reader.guards.pop()
    reached = _reached(reader, node, handlers, side)
    certain = side.thrown is not None and not side.exits and any(side.thrown.lineage in kinds for _, kinds in reached)
    if not reached:
        return _plain(reader, node, side, orelse, main)
    if certain and len(node.body) == 1 and side.thrown is not None and not _is_telling(side.thrown):
        return _inline(reader, reached, side, main)
    main.append(node)
    failed = _read_handlers(reader, node, reached, side, certain=certain)
    if node.swallows:
        reader.reach.settled &= settled
    if certain:
        return _only_failed(reader, node, failed, main)
    return merge(reader, _read_success(reader, node, side, orelse), failed, node, main)


def _reached(
    reader: Reader, node: AttemptNode, handlers: list[Handler], side: Side
) -> list[tuple[Handler, list[Lineage]]]:
    kinds = errors(node.body, reader.lineage)
    if side.thrown is not None and side.thrown.lineage not in kinds:
        kinds.append(side.thrown.lineage)
    reached: dict[int, list[Lineage]] = {}
    for kind in kinds:
        index = next((i for i, handler in enumerate(handlers) if catches(handler.names, kind)), None)
        if index is not None:
            reached.setdefault(index, []).append(kind)
    return [(handlers[index], reached[index]) for index in sorted(reached)]


def _plain(reader: Reader, node: AttemptNode, side: Side, orelse: Callable[[], Flow], main: Events) -> Flow:
    main.extend(node.body)
    reader.store.apply(side.changes)
    reader.sink = main if side.end is node.body else side.end
    if side.thrown is not None:
        raise side.thrown
    return orelse() if side.flow is Flow.NEXT else side.flow


def _is_telling(error: Thrown) -> bool:
    """Is it an error of the kind that reports are about? Anything else is how programs look something up."""
    return "ImportError" in error.lineage or "OSError" in error.lineage


def _inline(reader: Reader, reached: list[tuple[Handler, list[Lineage]]], side: Side, main: Events) -> Flow:
    assert side.thrown is not None
    reader.store.apply(side.changes)
    reader.sink = main
    kind = side.thrown.lineage
    handler = next(handler for handler, kinds in reached if kind in kinds)
    return handler.run(ErrorValue(kind, side.thrown.text, side.thrown.module))


def _read_handlers(
    reader: Reader,
    node: AttemptNode,
    reached: list[tuple[Handler, list[Lineage]]],
    body: Side,
    *,
    certain: bool,
) -> Side:
    sides: list[Side] = []
    for handler, kinds in reached:
        clause = Clause(_names(handler, kinds), Events(node.body.parent, node))
        node.clauses.append(clause)
        error = _error(node, kinds, body.thrown if certain else None)

        def run(handler: Handler = handler, error: ErrorValue = error) -> Flow:
            if certain:
                reader.store.apply(body.changes)
            reader.store.write(reader.assumed, node.key, False)
            reader.handling.append(error)
            return handler.run(error)

        side = read_side(reader, run, clause.handler)
        side.changes.pop((id(reader.assumed), node), None)
        clause.falls_through = side.flow is not Flow.RAISE
        sides.append(side)
    return next((side for side in sides if side.flow is not Flow.RAISE), sides[0])


def _error(node: AttemptNode, kinds: list[Lineage], thrown: Thrown | None) -> ErrorValue:
    """What the handler sees of the error; of a load that fails, CPython's own words (R3.3)."""
    if thrown is not None:
        return ErrorValue(kinds[0], thrown.text, thrown.module, node)
    loads = [item for item in node.body if isinstance(item, LoadNode)]
    if kinds == [IMPORT_ERROR] and loads and not any(isinstance(item, AttemptNode) for item in node.body):
        last = (loads[0].module or "").rpartition(".")[2] if len(loads) == 1 else "…"
        return ErrorValue(IMPORT_ERROR, f"DLL load failed while importing {last}: …", last, node)
    return ErrorValue(kinds[0], None, None, node)


def _names(handler: Handler, kinds: list[Lineage]) -> tuple[str, ...]:
    if not handler.names:
        return ()
    derived = [kind[0] for kind in kinds if kind[0] not in handler.names and len(kind) > 3 and not _is_builtin(kind[0])]
    return (*handler.names, *derived)


def _is_builtin(name: str) -> bool:
    import builtins

    return hasattr(builtins, name)


def _read_success(reader: Reader, node: AttemptNode, body: Side, orelse: Callable[[], Flow]) -> Side:
    if body.flow is not Flow.NEXT:
        return Side(node.orelse, body.flow, node.orelse, body.changes, body.exits, body.thrown)

    def run() -> Flow:
        reader.store.apply(body.changes)
        reader.store.write(reader.assumed, node, True)
        return orelse()

    side = read_side(reader, run, node.orelse)
    side.changes.pop((id(reader.assumed), node), None)
    side.exits = [*body.exits, *side.exits]
    if body.end is not node.body and side.end is node.orelse:
        side.end = body.end
    return side


def _only_failed(reader: Reader, node: AttemptNode, failed: Side, main: Events) -> Flow:
    since = reader.store.position
    reader.store.apply(failed.changes)
    reader.store.write(reader.assumed, node, False)
    for way in failed.exits:
        way.changes = {**failed.changes, **way.changes}
        way.since = since
    is_end = any(failed.end is clause.handler for clause in node.clauses)
    reader.sink = main if is_end else failed.end
    if failed.thrown is not None:
        raise failed.thrown
    return failed.flow


def exception_names(reader: Reader, kinds: Sequence[Value]) -> tuple[str, ...]:
    """Exception names for an except clause: of classes and tuples of classes."""
    found: list[str] = []
    for value in kinds:
        value = reader.plain(value)
        if isinstance(value, tuple):
            found.extend(exception_names(reader, value))
        elif isinstance(value, Known):
            found.append(value.name.rpartition(".")[2])
        elif (lineage := getattr(value, "lineage", None)) is not None:
            found.append(lineage[0])
    return tuple(found)
