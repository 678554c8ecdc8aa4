"""Simple statements (Python reference, "Simple statements")."""

from __future__ import annotations

import ast
from collections.abc import Callable

from whyload.base.typing import TYPE_CHECKING, Final
from whyload.observe.events import Reraised
from whyload.startup.calls import call
from whyload.startup.conditions import Flow, truth
from whyload.startup.execution import evaluate
from whyload.startup.expressions import rendered
from whyload.startup.frames import Exit
from whyload.startup.imports import run_import, run_import_from
from whyload.startup.model import Thrown
from whyload.startup.operators import binary
from whyload.startup.subscripts import sequence
from whyload.startup.values import UNKNOWN, ClassValue, ErrorClass, ErrorValue, Known, Later, ListValue, Value, bounded
from whyload.startup.variables import assign, delete

if TYPE_CHECKING:
    from whyload.startup.reader import Reader


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


STATEMENTS: Final[dict[type[ast.stmt], Callable[..., Flow]]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Raise: _raise,
    ast.Return: _return,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Assert: _assert,
    ast.Delete: _delete,
    ast.Import: run_import,
    ast.ImportFrom: run_import_from,
}
