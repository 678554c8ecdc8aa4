"""The functions of a program: what each says about its frame, and what its calls have taken so far.

Source: Python reference, "Naming and binding", "Yield expressions".
"""

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


class Functions:
    """What is known of each function, by its node."""

    def __init__(self) -> None:
        self.spent_in: dict[ast.AST, int] = {}
        """Work in each function, over all its calls."""
        self.long_calls: dict[ast.AST, int] = {}
        """How many calls of a function took much work."""
        self.worth: dict[ast.AST, bool] = {}
        """Functions that were looked at: may calling them matter?"""
        self._shapes: dict[ast.AST, Shape] = {}

    def shape(self, node: ast.AST) -> Shape:
        """What a function's own statements are, as far as its frame depends on it."""
        found = self._shapes.get(node)
        if found is None:
            found = self._shapes[node] = _shape(node)
        return found


def _shape(node: ast.AST) -> Shape:
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
