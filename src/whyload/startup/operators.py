"""Operators: of arithmetic, logic and comparison (Python reference, "Expressions", from "The power operator" on)."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from whyload.base.typing import TYPE_CHECKING, Final
from whyload.startup.conditions import choose, truth
from whyload.startup.execution import evaluate
from whyload.startup.subscripts import sequence
from whyload.startup.values import (
    LONGEST,
    UNKNOWN,
    DictValue,
    ErrorTest,
    Fork,
    Known,
    LastError,
    Later,
    ListValue,
    ModuleValue,
    PathValue,
    Unknown,
    Value,
    bounded,
    is_constant,
    new_list,
    same,
)

if TYPE_CHECKING:
    from whyload.startup.reader import Reader

_BINARY: Final[dict[type[ast.operator], Callable[[Value, Value], Value]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
}


_ORDER: Final[dict[type[ast.cmpop], Callable[[Value, Value], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def _binary(reader: Reader, node: ast.BinOp) -> Value:
    left, right = evaluate(reader, node.left), evaluate(reader, node.right)
    return binary(reader, type(node.op), left, right)


def binary(reader: Reader, kind: type[ast.operator], left: Value, right: Value) -> Value:
    """`left op right`."""
    if isinstance(left, Later) or isinstance(right, Later):
        return Later(lambda: binary(reader, kind, reader.settle(left), reader.settle(right)))
    left, right = reader.settle(left), reader.settle(right)
    if isinstance(left, Fork):
        return Fork(left.node, binary(reader, kind, left.ok, right), binary(reader, kind, left.failed, right))
    if isinstance(right, Fork):
        return Fork(right.node, binary(reader, kind, left, right.ok), binary(reader, kind, left, right.failed))
    if kind is ast.Div and (isinstance(left, PathValue) or isinstance(right, PathValue)):
        from whyload.startup.known.files import join_path

        return join_path(left, right)
    if isinstance(left, ListValue) and kind is ast.Add:
        items = sequence(reader, right)
        return new_list([*reader.items(left), *items]) if items is not None else UNKNOWN
    if kind is ast.Mult and isinstance(left, int) and isinstance(right, (ListValue, tuple)):
        left, right = right, left
    if isinstance(left, ListValue) and isinstance(right, int) and kind is ast.Mult and len(left.items) * right < 4096:
        return new_list(reader.items(left) * right)
    if kind is ast.Mod and isinstance(left, str):
        return _percent(reader, left, right)
    if not (is_constant(left) and is_constant(right)):
        if kind is ast.Add and isinstance(left, tuple) and isinstance(right, tuple):
            return bounded(left + right)
        return UNKNOWN
    return _compute(kind, left, right)


def _compute(kind: type[ast.operator], left: Value, right: Value) -> Value:
    if kind is ast.Pow:
        small = isinstance(left, int) and isinstance(right, int) and abs(left) <= 1024 and 0 <= right <= 128
        return left**right if small else UNKNOWN
    if kind in (ast.Mult, ast.LShift):
        sizes = [len(side) if isinstance(side, (str, bytes, tuple)) else abs(side) for side in (left, right)
                 if isinstance(side, (str, bytes, tuple, int))]  # fmt: skip
        if len(sizes) < 2 or max(sizes) > LONGEST or (kind is ast.Mult and sizes[0] * sizes[1] > 1 << 40):
            return UNKNOWN
        if not isinstance(left, int) or not isinstance(right, int):
            if sizes[0] * sizes[1] > LONGEST:
                return UNKNOWN
        elif kind is ast.LShift and sizes[1] > 128:
            return UNKNOWN
    function = _BINARY.get(kind)
    if function is None:
        return UNKNOWN
    try:
        result = function(left, right)
    except Exception:  # an operation of the program that fails is its own affair
        return UNKNOWN
    return UNKNOWN if isinstance(result, (str, bytes, tuple)) and len(result) > LONGEST else result


def _percent(reader: Reader, text: str, right: Value) -> Value:
    right = reader.plain(right)
    if isinstance(right, DictValue):
        right = {key: reader.plain(item) for key, item in right.names.items()}
        known = all(is_constant(item) for item in right.values())
    else:
        right = tuple(map(reader.plain, right)) if isinstance(right, tuple) else right
        known = is_constant(right)
    if not known or len(text) > LONGEST:
        return UNKNOWN
    import re

    if re.search(r"%[^%a-zA-Z]*[\d*]{4,}", text):
        return UNKNOWN
    try:
        return text % right
    except Exception:
        return UNKNOWN


def _unary(reader: Reader, node: ast.UnaryOp) -> Value:
    value = evaluate(reader, node.operand)
    if isinstance(node.op, ast.Not):
        return negate(truth(reader, value))
    value = reader.plain(value)
    if isinstance(value, (int, float)):
        if isinstance(node.op, ast.USub):
            return -value
        if isinstance(node.op, ast.Invert) and isinstance(value, int):
            return ~value
        return value
    return UNKNOWN


def negate(value: Value) -> Value:
    """`not value` for the result of `truth`."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, Fork):
        return Fork(value.node, negate(value.ok), negate(value.failed))
    if isinstance(value, ErrorTest):
        return ErrorTest(value.node, value.code, not value.equal)
    return UNKNOWN


def _bool_op(reader: Reader, node: ast.BoolOp) -> Value:
    wants = isinstance(node.op, ast.And)
    return _operands(reader, node.values, wants)


def _operands(reader: Reader, nodes: list[ast.expr], wants: bool) -> Value:
    value = evaluate(reader, nodes[0])
    if len(nodes) == 1:
        return value
    decided = truth(reader, value)
    if isinstance(decided, bool):
        return _operands(reader, nodes[1:], wants) if decided is wants else value
    if isinstance(decided, Fork):
        rest, keep = (lambda: _operands(reader, nodes[1:], wants)), (lambda: value)
        return choose(reader, decided, rest if wants else keep, keep if wants else rest)
    rest_value = _operands_uncertain(reader, nodes[1:], wants)
    decided_rest = truth(reader, rest_value)
    if isinstance(decided_rest, bool) and decided_rest is not wants:
        return decided_rest
    return decided if isinstance(decided, ErrorTest) and decided_rest is wants else UNKNOWN


def _operands_uncertain(reader: Reader, nodes: list[ast.expr], wants: bool) -> Value:
    found: list[Value] = []

    def rest() -> Value:
        found.append(_operands(reader, nodes, wants))
        return found[-1]

    choose(reader, UNKNOWN, rest, lambda: None)
    return found[0] if found else UNKNOWN


def _compare(reader: Reader, node: ast.Compare) -> Value:
    left = evaluate(reader, node.left)
    result: Value = True
    for kind, right_node in zip(node.ops, node.comparators, strict=True):
        right = evaluate(reader, right_node)
        result = compare(reader, kind, left, right)
        if result is False:
            return False
        left = right
    return result if len(node.ops) == 1 or result is True else UNKNOWN


def compare(reader: Reader, kind: ast.cmpop, left: Value, right: Value) -> Value:
    """`left op right` as True, False, UNKNOWN, a Fork or an ErrorTest of these."""
    left, right = reader.settle(left), reader.settle(right)
    if isinstance(left, Fork):
        return Fork(left.node, compare(reader, kind, left.ok, right), compare(reader, kind, left.failed, right))
    if isinstance(right, Fork):
        return Fork(right.node, compare(reader, kind, left, right.ok), compare(reader, kind, left, right.failed))
    if isinstance(kind, (ast.In, ast.NotIn)):
        found = _contains(reader, left, right)
        return negate(found) if isinstance(kind, ast.NotIn) else found
    if isinstance(kind, (ast.Is, ast.IsNot)):
        found = _identical(left, right)
        return negate(found) if isinstance(kind, ast.IsNot) else found
    if isinstance(left, LastError) and isinstance(right, int) and isinstance(kind, (ast.Eq, ast.NotEq)):
        return ErrorTest(left.node, right, isinstance(kind, ast.Eq)) if right else isinstance(kind, ast.NotEq)
    left, right = _comparable(reader, left), _comparable(reader, right)
    if is_constant(left) and is_constant(right):
        try:
            return bool(_ORDER[type(kind)](left, right))
        except Exception:
            return UNKNOWN
    if isinstance(kind, (ast.Eq, ast.NotEq)) and same(left, right):
        return isinstance(kind, ast.Eq)
    return UNKNOWN


def _comparable(reader: Reader, value: Value) -> Value:
    if isinstance(value, PathValue):
        return value.text.lower()
    if isinstance(value, ListValue):
        items = tuple(map(reader.plain, reader.items(value)))
        return ("list", *items)
    return value


def _identical(left: Value, right: Value) -> Value:
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return UNKNOWN
    if left is None or right is None or isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (Known, ModuleValue, ListValue)) or isinstance(right, (Known, ModuleValue, ListValue)):
        return same(left, right)
    return True if same(left, right) else UNKNOWN


def _contains(reader: Reader, item: Value, container: Value) -> Value:
    if isinstance(container, Known):
        from whyload.startup.known import contains

        return contains(reader, container.name, item)
    if isinstance(container, str) and isinstance(item, str):
        return item in container
    if isinstance(container, DictValue):
        if is_constant(item) and item in container.names:
            return True
        return UNKNOWN if container.partial or not is_constant(item) else False
    items = sequence(reader, container)
    if items is None:
        return UNKNOWN
    if is_constant(item) and item in [other for other in items if type(other) is type(item)]:
        return True
    if any(same(item, other) for other in items):
        return True
    return False if is_constant(item) and all(map(is_constant, items)) else UNKNOWN


def _conditional(reader: Reader, node: ast.IfExp) -> Value:
    test = evaluate(reader, node.test)
    return choose(reader, test, lambda: evaluate(reader, node.body), lambda: evaluate(reader, node.orelse))


OPERATORS: Final[dict[type[ast.expr], Callable[..., Value]]] = {
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _bool_op,
    ast.Compare: _compare,
    ast.IfExp: _conditional,
}
