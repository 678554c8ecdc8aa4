"""Compound statements but definitions (Python reference, "Compound statements")."""

from __future__ import annotations

import ast
from collections.abc import Callable

from whyload.base.paths import WinPath
from whyload.base.typing import TYPE_CHECKING, Final
from whyload.observe.events import DirectoryRemoved
from whyload.startup.attempts import Handler, attempt, exception_names
from whyload.startup.calls import call, call_function
from whyload.startup.conditions import Flow, branch, truth
from whyload.startup.execution import evaluate, run_block
from whyload.startup.loops import run_for, run_while
from whyload.startup.model import Thrown
from whyload.startup.subscripts import sequence
from whyload.startup.values import (
    UNKNOWN,
    Bound,
    ErrorValue,
    Folder,
    FunctionValue,
    Instance,
    OpenFile,
    PathValue,
    Suppress,
    Unknown,
    Value,
    is_constant,
)
from whyload.startup.variables import assign, bind

if TYPE_CHECKING:
    from whyload.startup.reader import Reader


def _condition_text(test: ast.expr) -> Callable[[], str]:
    """The source of a condition, made when it is needed."""
    return lambda: " ".join(ast.unparse(test).split())[:100]


def _if(reader: Reader, node: ast.If) -> Flow:
    test = evaluate(reader, node.test)
    return branch(
        reader,
        test,
        _condition_text(node.test),
        lambda: run_block(reader, node.body),
        lambda: run_block(reader, node.orelse),
    )


def _try(reader: Reader, node: ast.Try) -> Flow:
    handlers = [_handler(reader, clause) for clause in node.handlers]

    def body() -> Flow:
        return run_block(reader, node.body)

    def orelse() -> Flow:
        return run_block(reader, node.orelse)

    try:
        flow = attempt(reader, body, handlers, orelse) if handlers else _then(body(), orelse)
    except Thrown:
        run_block(reader, node.finalbody)
        raise
    final = run_block(reader, node.finalbody)
    return flow if final is Flow.NEXT else final


def _then(flow: Flow, orelse: Callable[[], Flow]) -> Flow:
    return orelse() if flow is Flow.NEXT else flow


def _handler(reader: Reader, clause: ast.ExceptHandler) -> Handler:
    if clause.type is None:
        names: tuple[str, ...] = ()
    else:
        kinds = clause.type.elts if isinstance(clause.type, ast.Tuple) else [clause.type]
        names = tuple(name for kind in kinds for name in _caught(reader, kind))

    def run(error: ErrorValue) -> Flow:
        if clause.name is not None:
            bind(reader, clause.name, error)
        return run_block(reader, clause.body)

    return Handler(names=names, run=run)


def _caught(reader: Reader, kind: ast.expr) -> tuple[str, ...]:
    """Names of exception classes; a class that is not known goes by the name it has in the source."""
    if names := exception_names(reader, [evaluate(reader, kind)]):
        return names
    return (kind.attr if isinstance(kind, ast.Attribute) else kind.id if isinstance(kind, ast.Name) else "?",)


def _with(reader: Reader, node: ast.With) -> Flow:
    return _with_items(reader, node.items, node.body)


def _with_items(reader: Reader, items: list[ast.withitem], body: list[ast.stmt]) -> Flow:
    if not items:
        return run_block(reader, body)
    item, rest = items[0], items[1:]
    value = reader.plain(evaluate(reader, item.context_expr))

    def go_on(entered: Value) -> Flow:
        if item.optional_vars is not None:
            assign(reader, item.optional_vars, entered)
        return _with_items(reader, rest, body)

    if isinstance(value, Suppress):
        handler = Handler(names=value.names, run=lambda error: Flow.NEXT)
        return attempt(reader, lambda: go_on(UNKNOWN), [handler], lambda: Flow.NEXT)
    if isinstance(value, Folder):
        flow = go_on(value)
        reader.emit(DirectoryRemoved(path=WinPath(value.path)))
        return flow
    if isinstance(value, Bound) and isinstance(value.receiver, FunctionValue):
        return _context_function(reader, value, go_on)
    if isinstance(value, Instance):
        from whyload.startup.attributes import get_attribute

        return go_on(call(reader, get_attribute(reader, value, "__enter__"), [], {}))
    return go_on(value if isinstance(value, (OpenFile, PathValue)) else UNKNOWN)


def _context_function(reader: Reader, value: Bound, go_on: Callable[[Value], Flow]) -> Flow:
    args, keywords = value.function
    outer = reader.frame
    flows: list[Flow] = []

    def on_yield(entered: Value) -> None:
        with reader.framed(outer):
            flows.append(go_on(entered))

    call_function(reader, value.receiver, args, keywords, on_yield=on_yield)
    return flows[0] if flows else Flow.NEXT


def _match(reader: Reader, node: ast.Match) -> Flow:
    subject = reader.plain(evaluate(reader, node.subject))

    def case(index: int) -> Flow:
        if index == len(node.cases):
            return Flow.NEXT
        current = node.cases[index]
        fits = _fits(reader, subject, current.pattern)
        if current.guard is not None and fits is not False:
            guard = truth(reader, evaluate(reader, current.guard))
            fits = guard if fits is True or guard is False else UNKNOWN
        text = _condition_text(node.subject)
        return branch(reader, fits, text, lambda: run_block(reader, current.body), lambda: case(index + 1))

    return case(0)


def _fits(reader: Reader, subject: Value, pattern: ast.pattern) -> Value:
    if isinstance(pattern, ast.MatchAs):
        fits = True if pattern.pattern is None else _fits(reader, subject, pattern.pattern)
        if pattern.name is not None:
            bind(reader, pattern.name, subject)
        return fits
    if isinstance(pattern, ast.MatchOr):
        found = [_fits(reader, subject, each) for each in pattern.patterns]
        return True if True in found else UNKNOWN if UNKNOWN in found else False
    if isinstance(pattern, ast.MatchSingleton) and is_constant(subject) and not isinstance(subject, Unknown):
        return subject is pattern.value
    if isinstance(pattern, ast.MatchSequence) and not isinstance(subject, (str, bytes)):
        return _fits_sequence(reader, subject, pattern.patterns)
    if isinstance(pattern, ast.MatchValue) and is_constant(subject) and not isinstance(subject, Unknown):
        value = reader.plain(evaluate(reader, pattern.value))
        return bool(value == subject) if is_constant(value) else UNKNOWN
    return UNKNOWN


def _fits_sequence(reader: Reader, subject: Value, patterns: list[ast.pattern]) -> Value:
    items = sequence(reader, subject)
    if items is None or any(isinstance(each, ast.MatchStar) for each in patterns):
        return UNKNOWN
    if len(items) != len(patterns):
        return False
    found = [_fits(reader, reader.plain(item), each) for item, each in zip(items, patterns, strict=True)]
    return False if False in found else UNKNOWN if UNKNOWN in found else True


def _async_with(reader: Reader, node: ast.AsyncWith) -> Flow:
    for item in node.items:
        evaluate(reader, item.context_expr)
        if item.optional_vars is not None:
            assign(reader, item.optional_vars, UNKNOWN)
    return run_block(reader, node.body)


COMPOUND: Final[dict[type[ast.stmt], Callable[..., Flow]]] = {
    ast.If: _if,
    ast.For: run_for,
    ast.AsyncFor: run_for,
    ast.While: run_while,
    ast.With: _with,
    ast.AsyncWith: _async_with,
    ast.Try: _try,
    ast.Match: _match,
}
if hasattr(ast, "TryStar"):
    COMPOUND[ast.TryStar] = _try
