"""What a function says about its frame (Python reference, "Naming and binding", "Yield expressions")."""

from __future__ import annotations

import ast

from whyload.base.dataclass import dataclass

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Shape:
    """A function."""

    global_names: frozenset[str]
    outer_names: frozenset[str]
    """Those that it declares nonlocal."""
    is_generator: bool


def shape_of(node: ast.AST) -> Shape:
    """Look at the function's own statements and expressions, not at those of functions and classes in it."""
    global_names: set[str] = set()
    outer_names: set[str] = set()
    is_generator = False
    waiting = list(ast.iter_child_nodes(node))
    while waiting:
        item = waiting.pop()
        if isinstance(item, ast.Global):
            global_names.update(item.names)
        elif isinstance(item, ast.Nonlocal):
            outer_names.update(item.names)
        elif isinstance(item, (ast.Yield, ast.YieldFrom)):
            is_generator = True
        if not isinstance(item, _INNER):
            waiting.extend(ast.iter_child_nodes(item))
    return Shape(frozenset(global_names), frozenset(outer_names), is_generator)
