"""Values of expressions, as far as the source and the files decide them; anything else is UNKNOWN."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from whyload.base.typing import TYPE_CHECKING, Final
from whyload.startup.attributes import get_attribute
from whyload.startup.calls import call, run_coroutine
from whyload.startup.conditions import choose, truth
from whyload.startup.subscripts import get_item, sequence
from whyload.startup.values import (
    LONGEST,
    UNKNOWN,
    DictValue,
    ErrorTest,
    Fork,
    FunctionValue,
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
from whyload.startup.variables import assign, lookup

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


def evaluate(reader: Reader, node: ast.expr) -> Value:
    """The value of an expression; calls in it have their effects."""
    reader.spend()
    handler = _HANDLERS.get(type(node))
    if handler is None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                evaluate(reader, child)
        return UNKNOWN
    value: Value = handler(reader, node)
    return value


def _constant(reader: Reader, node: ast.Constant) -> Value:
    return node.value


def _name(reader: Reader, node: ast.Name) -> Value:
    return lookup(reader, node.id)


def _attribute(reader: Reader, node: ast.Attribute) -> Value:
    return get_attribute(reader, evaluate(reader, node.value), node.attr)


def _call(reader: Reader, node: ast.Call) -> Value:
    reader.line = node.lineno
    function = evaluate(reader, node.func)
    args: list[Value] = []
    exact = True
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            items = sequence(reader, evaluate(reader, argument.value))
            exact = exact and items is not None
            args.extend(items or ())
        else:
            args.append(evaluate(reader, argument))
    keywords: dict[str, Value] = {}
    for keyword in node.keywords:
        value = evaluate(reader, keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
        elif isinstance(value, DictValue):
            keywords.update({key: item for key, item in value.names.items() if isinstance(key, str)})
    reader.line = node.lineno
    return call(reader, function, args, keywords, exact=exact)


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


def _text(reader: Reader, node: ast.JoinedStr) -> Value:
    parts: list[str] = []
    for part in node.values:
        value = _formatted(reader, part) if isinstance(part, ast.FormattedValue) else evaluate(reader, part)
        if not isinstance(value, str):
            return UNKNOWN
        parts.append(value)
    return "".join(parts)


def _formatted(reader: Reader, part: ast.FormattedValue) -> Value:
    value = reader.plain(evaluate(reader, part.value))
    form = evaluate(reader, part.format_spec) if part.format_spec is not None else ""
    if isinstance(value, PathValue):
        value = value.text
    if not is_constant(value) or not isinstance(form, str) or any(len(run) > 3 for run in form.split(".")):
        return UNKNOWN
    try:
        value = repr(value) if part.conversion == ord("r") else str(value) if part.conversion == ord("s") else value
        return format(value, form)
    except Exception:
        return UNKNOWN


def _tuple(reader: Reader, node: ast.Tuple) -> Value:
    items = _items(reader, node.elts)
    return tuple(items) if items is not None else UNKNOWN


def _list(reader: Reader, node: ast.List | ast.Set) -> Value:
    items = _items(reader, node.elts)
    return new_list(items, is_set=isinstance(node, ast.Set)) if items is not None else UNKNOWN


def _items(reader: Reader, nodes: list[ast.expr]) -> list[Value] | None:
    items: list[Value] = []
    known = True
    for node in nodes:
        if isinstance(node, ast.Starred):
            inner = sequence(reader, evaluate(reader, node.value))
            known = known and inner is not None
            items.extend(inner or ())
        else:
            items.append(evaluate(reader, node))
    return items if known else None


def _dict(reader: Reader, node: ast.Dict) -> Value:
    result = DictValue({})
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = evaluate(reader, value_node)
        if key_node is None:
            other = reader.plain(value)
            if isinstance(other, DictValue):
                result.names.update(other.names)
            else:
                result.partial = True
            continue
        key = evaluate(reader, key_node)
        key = UNKNOWN if isinstance(key, Later) else reader.plain(key)
        if is_constant(key):
            result.names[key] = value
        else:
            result.partial = True
    return result


def _subscript(reader: Reader, node: ast.Subscript) -> Value:
    value = evaluate(reader, node.value)
    if isinstance(node.slice, ast.Slice):
        parts = [
            None if part is None else reader.plain(evaluate(reader, part))
            for part in (node.slice.lower, node.slice.upper, node.slice.step)
        ]
        if not all(part is None or isinstance(part, int) for part in parts):
            return UNKNOWN
        return get_item(reader, value, slice(*parts))
    return get_item(reader, value, evaluate(reader, node.slice))


def _lambda(reader: Reader, node: ast.Lambda) -> Value:
    return function_value(reader, node, "<lambda>")


def function_value(
    reader: Reader, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, name: str
) -> FunctionValue:
    """A function as it is defined here."""
    scope = reader.frame.scope
    outer = (scope.names, *scope.outer) if reader.frame.is_function else scope.outer
    function = FunctionValue(node, scope.module, outer, name)
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    for argument, default in zip(
        positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True
    ):
        function.defaults[argument.arg] = _default(reader, default)
    for argument, keyword_default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if keyword_default is not None:
            function.defaults[argument.arg] = _default(reader, keyword_default)
    return function


def _default(reader: Reader, node: ast.expr) -> Value:
    return node.value if isinstance(node, ast.Constant) else evaluate(reader, node)


def _comprehension(reader: Reader, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
    results: list[Value] = []
    known = all([_rounds(reader, node.generators, lambda: results.append(evaluate(reader, node.elt)))])
    return new_list(results, is_set=isinstance(node, ast.SetComp)) if known else UNKNOWN


def _dict_comprehension(reader: Reader, node: ast.DictComp) -> Value:
    result = DictValue({})

    def add() -> None:
        key = evaluate(reader, node.key)
        key = UNKNOWN if isinstance(key, Later) else reader.plain(key)
        value = evaluate(reader, node.value)
        if is_constant(key):
            result.names[key] = value
        else:
            result.partial = True

    known = _rounds(reader, node.generators, add)
    return result if known else DictValue({}, partial=True)


def _rounds(reader: Reader, generators: list[ast.comprehension], body: Callable[[], None]) -> bool:
    if not generators:
        body()
        return True
    first, rest = generators[0], generators[1:]
    items = sequence(reader, evaluate(reader, first.iter))
    if items is None or len(items) > reader.limits.iterations:
        return False
    known = True
    for item in items:
        assign(reader, first.target, item)
        tests = [truth(reader, evaluate(reader, test)) for test in first.ifs]
        if any(test is False for test in tests):
            continue
        if any(test is not True for test in tests):
            known = False
            continue
        known = _rounds(reader, rest, body) and known
    return known


def _walrus(reader: Reader, node: ast.NamedExpr) -> Value:
    value = evaluate(reader, node.value)
    assign(reader, node.target, value)
    return value


def _await(reader: Reader, node: ast.Await | ast.YieldFrom) -> Value:
    value = evaluate(reader, node.value)
    if isinstance(node, ast.YieldFrom) and reader.frame.yields is not None:
        items = sequence(reader, value)
        reader.frame.yields.extend(items if items is not None else (UNKNOWN,))
    return run_coroutine(reader, value) if isinstance(node, ast.Await) else UNKNOWN


def _yield(reader: Reader, node: ast.Yield) -> Value:
    value = evaluate(reader, node.value) if node.value is not None else None
    frame = reader.frame
    if frame.on_yield is not None:
        frame.on_yield(value)
    elif frame.yields is not None:
        frame.yields.append(value)
    return UNKNOWN


def rendered(reader: Reader, node: ast.expr) -> str:
    """The text of an expression for a message: unknown parts become an ellipsis."""
    if isinstance(node, ast.JoinedStr):
        return "".join(_piece(reader, part) for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return rendered(reader, node.left) + rendered(reader, node.right)
    value = reader.plain(evaluate(reader, node))
    if isinstance(value, PathValue):
        return value.text
    return str(value) if is_constant(value) else "…"


def _piece(reader: Reader, part: ast.expr) -> str:
    if isinstance(part, ast.FormattedValue):
        value = _formatted(reader, part)
        return value if isinstance(value, str) else "…"
    return rendered(reader, part)


_HANDLERS: Final[dict[type[ast.expr], Callable[..., Value]]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _bool_op,
    ast.Compare: _compare,
    ast.IfExp: _conditional,
    ast.JoinedStr: _text,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.Set: _list,
    ast.Dict: _dict,
    ast.Subscript: _subscript,
    ast.Lambda: _lambda,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _dict_comprehension,
    ast.NamedExpr: _walrus,
    ast.Await: _await,
    ast.YieldFrom: _await,
    ast.Yield: _yield,
}
