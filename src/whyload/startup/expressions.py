"""Names, calls, displays and all other expressions but operators (Python reference, "Atoms" and "Primaries")."""

from __future__ import annotations

import ast
from collections.abc import Callable

from whyload.base.typing import TYPE_CHECKING, Final
from whyload.startup.attributes import get_attribute
from whyload.startup.calls import call, run_coroutine
from whyload.startup.conditions import truth
from whyload.startup.definitions import function_value
from whyload.startup.execution import evaluate
from whyload.startup.subscripts import get_item, sequence
from whyload.startup.values import UNKNOWN, DictValue, Later, PathValue, Value, is_constant, new_list
from whyload.startup.variables import assign, lookup

if TYPE_CHECKING:
    from whyload.startup.reader import Reader


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


EXPRESSIONS: Final[dict[type[ast.expr], Callable[..., Value]]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Call: _call,
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
