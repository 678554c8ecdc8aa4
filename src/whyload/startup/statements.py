"""Statements in the order in which they run (Python reference, "Simple statements" and "Compound statements")."""

from __future__ import annotations

import ast
from collections.abc import Callable

from whyload.base.paths import WinPath
from whyload.base.typing import TYPE_CHECKING, Final
from whyload.observe.events import DirectoryRemoved, Reraised
from whyload.startup.attempts import Handler, attempt, exception_names
from whyload.startup.attributes import find_in_class
from whyload.startup.calls import call, call_function
from whyload.startup.conditions import Flow, branch, truth
from whyload.startup.execution import evaluate, run_block
from whyload.startup.expressions import function_value, rendered
from whyload.startup.frames import Exit, Frame
from whyload.startup.imports import run_import, run_import_from
from whyload.startup.loops import run_for, run_while
from whyload.startup.model import Thrown
from whyload.startup.operators import binary
from whyload.startup.skeleton import is_stub
from whyload.startup.subscripts import sequence
from whyload.startup.values import (
    UNKNOWN,
    Bound,
    ClassValue,
    ErrorClass,
    ErrorValue,
    Folder,
    FunctionValue,
    Instance,
    Known,
    Later,
    ListValue,
    OpenFile,
    PathValue,
    Scope,
    Suppress,
    Unknown,
    Value,
    bounded,
    is_constant,
)
from whyload.startup.variables import assign, bind, delete

if TYPE_CHECKING:
    from whyload.startup.reader import Reader


def condition_text(test: ast.expr) -> Callable[[], str]:
    """The source of a condition, made when it is needed."""
    return lambda: " ".join(ast.unparse(test).split())[:100]


def _expression(reader: Reader, node: ast.Expr) -> Flow:
    if not isinstance(node.value, ast.Constant):
        evaluate(reader, node.value)
    return Flow.NEXT


def _assign(reader: Reader, node: ast.Assign) -> Flow:
    value = evaluate(reader, node.value)
    for target in node.targets:
        assign(reader, target, value)
    return Flow.NEXT


def _annotated(reader: Reader, node: ast.AnnAssign) -> Flow:
    if node.value is not None:
        assign(reader, node.target, evaluate(reader, node.value))
    return Flow.NEXT


def _augmented(reader: Reader, node: ast.AugAssign) -> Flow:
    current, value = evaluate(reader, node.target), evaluate(reader, node.value)
    if isinstance(value, Later) and isinstance(node.target, ast.Name) and node.target.id == "__all__":
        # The names of a module that was passed by are not worth reading it.
        assign(reader, node.target, UNKNOWN)
        return Flow.NEXT
    plain = reader.plain(current)
    if isinstance(plain, ListValue) and isinstance(node.op, ast.Add):
        items = sequence(reader, value)
        more = UNKNOWN if items is None else bounded((*reader.items(plain), *items))
        reader.store.write(plain.cell, "items", more)
        if plain is reader.attribute("sys.path"):
            reader.search_changed()
        return Flow.NEXT
    assign(reader, node.target, binary(reader, type(node.op), current, value))
    return Flow.NEXT


def _decorator(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _function(reader: Reader, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Flow:
    function = function_value(reader, node, node.name)
    function.decorators = tuple(map(_decorator, node.decorator_list))
    previous = reader.frame.scope.names.get(node.name)
    if isinstance(previous, FunctionValue) and {"setter", "deleter"} & set(function.decorators):
        return Flow.NEXT
    bind(reader, node.name, function)
    _decorate(reader, node.decorator_list, function)
    return Flow.NEXT


def _decorate(reader: Reader, decorators: list[ast.expr], value: Value) -> None:
    """Decorators of the same module, which may enter what they get somewhere; the name stays what was defined."""
    for node in reversed(decorators):
        name = node.func if isinstance(node, ast.Call) else node
        if isinstance(name, ast.Name) and isinstance(reader.frame.scope.module.names.get(name.id), FunctionValue):
            decorator = reader.plain(evaluate(reader, node))
            if isinstance(decorator, FunctionValue) and not _calls_its_argument(decorator.node):
                call(reader, decorator, [value], {})


def _calls_its_argument(node: ast.AST) -> bool:
    """Such a decorator wraps or runs what it gets: much of a program's own working, little of what it loads."""
    first = node.args.args[0].arg if isinstance(node, ast.FunctionDef) and node.args.args else None
    calls = (item.func for item in ast.walk(node) if isinstance(item, ast.Call))
    return first is None or any(isinstance(called, ast.Name) and called.id == first for called in calls)


def _class(reader: Reader, node: ast.ClassDef) -> Flow:
    scope = reader.frame.scope
    bases = tuple(evaluate(reader, base) for base in node.bases if isinstance(base, (ast.Name, ast.Attribute)))
    outer = (scope.names, *scope.outer) if reader.frame.is_function else scope.outer
    kind = ClassValue(node.name, bases, {}, scope.module, is_stub(node.body))
    with reader.framed(Frame(Scope(kind.names, scope.module, outer))):
        run_block(reader, node.body)
    bind(reader, node.name, kind)
    for base in bases:
        told = find_in_class(reader.plain(base), "__init_subclass__")
        if isinstance(told, FunctionValue):
            call(reader, told, [kind], {})
    _decorate(reader, node.decorator_list, kind)
    return Flow.NEXT


def _if(reader: Reader, node: ast.If) -> Flow:
    test = evaluate(reader, node.test)
    return branch(
        reader,
        test,
        condition_text(node.test),
        lambda: run_block(reader, node.body),
        lambda: run_block(reader, node.orelse),
    )


def _return(reader: Reader, node: ast.Return) -> Flow:
    value = evaluate(reader, node.value) if node.value is not None else None
    reader.frame.exits.append(Exit(Flow.RETURN, value, reader.sink))
    return Flow.RETURN


def _break(reader: Reader, node: ast.Break) -> Flow:
    reader.frame.exits.append(Exit(Flow.BREAK, None, reader.sink))
    return Flow.BREAK


def _continue(reader: Reader, node: ast.Continue) -> Flow:
    reader.frame.exits.append(Exit(Flow.CONTINUE, None, reader.sink))
    return Flow.CONTINUE


def _raise(reader: Reader, node: ast.Raise) -> Flow:
    if node.exc is None:
        raise _again(reader, reader.handling[-1] if reader.handling else None)
    text = rendered(reader, node.exc.args[0]) if isinstance(node.exc, ast.Call) and node.exc.args else ""
    value = reader.plain(evaluate(reader, node.exc))
    if isinstance(value, ErrorClass):
        raise reader.throw(value.lineage[0], text, kinds=value.lineage)
    if isinstance(value, ClassValue):
        value = reader.plain(call(reader, value, [], {}))
    if isinstance(value, ErrorValue):
        if value.node is not None and any(handled.node is value.node for handled in reader.handling):
            raise _again(reader, value)
        shown = value.text if value.text is not None else text
        raise reader.throw(value.lineage[0], shown, module=value.module, kinds=value.lineage)
    raise reader.throw(_named(value, node.exc), text)


def _named(value: Value, node: ast.expr) -> str:
    if isinstance(value, Known):
        return value.name.rpartition(".")[2]
    if isinstance(node, ast.Call):
        node = node.func
    return node.id if isinstance(node, ast.Name) and node.id[:1].isupper() else "Exception"


def _again(reader: Reader, error: ErrorValue | None) -> Thrown:
    if error is None:
        return reader.throw("RuntimeError", "No active exception to reraise")
    reader.emit(Reraised())
    return Thrown(error.lineage, error.text or "", error.module)


def _assert(reader: Reader, node: ast.Assert) -> Flow:
    if truth(reader, evaluate(reader, node.test)) is False:
        raise reader.throw("AssertionError", rendered(reader, node.msg) if node.msg is not None else "")
    return Flow.NEXT


def _delete(reader: Reader, node: ast.Delete) -> Flow:
    for target in node.targets:
        delete(reader, target)
    return Flow.NEXT


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
        text = condition_text(node.subject)
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


STATEMENTS: Final[dict[type[ast.stmt], Callable[..., Flow]]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.If: _if,
    ast.For: run_for,
    ast.AsyncFor: run_for,
    ast.While: run_while,
    ast.With: _with,
    ast.AsyncWith: _async_with,
    ast.Try: _try,
    ast.Raise: _raise,
    ast.Return: _return,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Assert: _assert,
    ast.Delete: _delete,
    ast.Import: run_import,
    ast.ImportFrom: run_import_from,
    ast.Match: _match,
}
if hasattr(ast, "TryStar"):
    STATEMENTS[ast.TryStar] = _try
