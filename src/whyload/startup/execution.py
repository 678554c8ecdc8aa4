"""Expressions are evaluated and statements run, each by the function that the grammar has for its kind.

Source: Python reference, "Expressions", "Simple statements", "Compound statements".
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping

from whyload.base.dataclass import dataclass
from whyload.base.typing import TYPE_CHECKING
from whyload.startup.conditions import Flow
from whyload.startup.values import UNKNOWN, Value

if TYPE_CHECKING:
    from whyload.startup.reader import Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """What reads each kind of node: `(reader, node) -> Value`, or `Flow`. Others do nothing themselves."""

    expressions: Mapping[type[ast.expr], Callable[..., Value]]
    statements: Mapping[type[ast.stmt], Callable[..., Flow]]


def evaluate(reader: Reader, node: ast.expr) -> Value:
    """The value of an expression, as far as the source and the files decide it, else UNKNOWN; calls in it have their
    effects.
    """
    reader.spend()
    handler = reader.grammar.expressions.get(type(node))
    if handler is None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                evaluate(reader, child)
        return UNKNOWN
    value: Value = handler(reader, node)
    return value


def run_block(reader: Reader, nodes: Iterable[ast.stmt]) -> Flow:
    """Run statements until one leaves the block."""
    for node in nodes:
        reader.spend()
        handler = reader.grammar.statements.get(type(node))
        if handler is None:
            continue
        reader.line = node.lineno
        flow: Flow = handler(reader, node)
        if flow is not Flow.NEXT:
            return flow
    return Flow.NEXT


def run_module(reader: Reader, nodes: Iterable[ast.stmt]) -> None:
    """Run the statements of the outermost module, with a look at what happened between them."""
    for node in nodes:
        if run_block(reader, (node,)) is not Flow.NEXT:
            return
        reader.look()
