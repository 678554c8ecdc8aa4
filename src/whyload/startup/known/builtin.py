"""Built-in functions."""

from __future__ import annotations

import ast

from whyload.base.typing import TYPE_CHECKING
from whyload.startup.conditions import truth
from whyload.startup.known.table import Table, register
from whyload.startup.model import Thrown
from whyload.startup.subscripts import sequence
from whyload.startup.values import (
    MISSING,
    UNKNOWN,
    Bound,
    DictValue,
    ErrorValue,
    Fork,
    FunctionValue,
    Instance,
    Known,
    LibraryValue,
    ListValue,
    ModuleValue,
    PathValue,
    Super,
    Value,
    is_constant,
    new_list,
)

if TYPE_CHECKING:
    from whyload.startup.reader import Reader

TABLE: Table = {}
_LONGEST_RANGE = 4096


@register(TABLE, "builtins.str")
def _str(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    value = reader.plain(args[0]) if args else ""
    if isinstance(value, PathValue):
        return value.text
    if isinstance(value, ErrorValue):
        return value.text if value.text is not None else UNKNOWN
    if isinstance(value, bytes) and len(args) > 1:
        return value.decode("utf-8", "replace")
    return str(value) if is_constant(value) else UNKNOWN


@register(TABLE, "builtins.repr")
def _repr(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    value = reader.plain(args[0]) if args else UNKNOWN
    return repr(value) if is_constant(value) else UNKNOWN


@register(TABLE, "builtins.int")
def _int(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    value = reader.plain(args[0]) if args else 0
    base = reader.plain(args[1]) if len(args) > 1 else 10
    try:
        if isinstance(value, str) and len(value) < 40 and isinstance(base, int):
            return int(value, base)
        return int(value) if isinstance(value, (int, float)) else UNKNOWN
    except (ValueError, OverflowError):
        if reader.guarded("ValueError"):
            raise reader.throw("ValueError", f"invalid literal for int() with base {base}: {value!r}") from None
        return UNKNOWN


@register(TABLE, "builtins.bool")
def _bool(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return truth(reader, args[0]) if args else False


@register(TABLE, "builtins.len")
def _len(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    value = reader.settle(args[0]) if args else UNKNOWN
    if isinstance(value, ListValue):
        value = reader.settle(value.cell["items"])
    if isinstance(value, Fork):
        return Fork(value.node, _len(reader, [value.ok], {}), _len(reader, [value.failed], {}))
    if isinstance(value, (str, bytes, tuple)):
        return len(value)
    if isinstance(value, DictValue) and not value.partial:
        return len(value.names)
    return UNKNOWN


@register(TABLE, "builtins.list", "builtins.tuple", "builtins.set", "builtins.frozenset", "builtins.iter")
def _list(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    items = sequence(reader, args[0]) if args else ()
    return UNKNOWN if items is None else new_list(tuple(items))


@register(TABLE, "builtins.sorted")
def _sorted(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    items = sequence(reader, args[0]) if args else None
    if items is None:
        return UNKNOWN
    key = keywords.get("key")
    return _ordered(list(items), keywords) if key is None else _by_key(reader, list(items), key, keywords)


def _by_key(reader: Reader, items: list[Value], key: Value, keywords: dict[str, Value]) -> Value:
    from whyload.startup.calls import call

    keys = [reader.plain(call(reader, key, [item], {})) for item in items]
    if not all(is_constant(value) for value in keys):
        return UNKNOWN
    try:
        order = sorted(range(len(items)), key=lambda index: keys[index], reverse=keywords.get("reverse") is True)
    except TypeError:
        return UNKNOWN
    return new_list([items[index] for index in order])


def _extreme(reader: Reader, args: list[Value], keywords: dict[str, Value], index: int) -> Value:
    ordered = _sorted(reader, args if len(args) == 1 else [tuple(args)], {**keywords, "reverse": False})
    items = sequence(reader, ordered) if isinstance(ordered, ListValue) else None
    return items[index] if items else keywords.get("default", UNKNOWN) if items is not None else UNKNOWN


TABLE["builtins.max"] = lambda reader, args, keywords: _extreme(reader, args, keywords, -1)
TABLE["builtins.min"] = lambda reader, args, keywords: _extreme(reader, args, keywords, 0)


@register(TABLE, "builtins.super")
def _super(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    from whyload.startup.attributes import defining_class

    frame = reader.frame
    code = frame.code
    if args or not isinstance(code, ast.FunctionDef) or not code.args.args:
        return UNKNOWN
    receiver = reader.plain(frame.scope.names.get(code.args.args[0].arg, UNKNOWN))
    kind = defining_class(receiver.kind if isinstance(receiver, Instance) else receiver, code)
    return UNKNOWN if kind is None else Super(kind, receiver)


@register(TABLE, "functools.partial")
def _partial(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    if not args or keywords:
        return UNKNOWN
    function = args[0]
    for argument in args[1:]:
        function = Bound(argument, function)
    return function


def _ordered(items: list[Value], keywords: dict[str, Value]) -> Value:
    try:
        return new_list(sorted(items, key=lambda item: item.text if isinstance(item, PathValue) else item,
                               reverse=keywords.get("reverse") is True))  # fmt: skip
    except TypeError:
        return UNKNOWN


def _reversed(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    items = sequence(reader, args[0]) if args else None
    return UNKNOWN if items is None else new_list(tuple(items)[::-1])


TABLE["builtins.reversed"] = _reversed


@register(TABLE, "builtins.dict")
def _dict(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    value = reader.plain(args[0]) if args else DictValue({})
    if isinstance(value, DictValue):
        return DictValue({**value.names, **keywords}, value.partial)
    result = DictValue(dict(keywords))
    for pair in sequence(reader, value) or ():
        items = sequence(reader, pair)
        key = reader.plain(items[0]) if items is not None and len(items) == 2 else UNKNOWN
        if items is None or not is_constant(key):
            return DictValue(result.names, partial=True)
        result.names[key] = items[1]
    return result


@register(TABLE, "builtins.range")
def _range(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    numbers = [reader.plain(value) for value in args]
    if not numbers or not all(isinstance(number, int) for number in numbers) or (len(numbers) == 3 and not numbers[2]):
        return UNKNOWN
    found = range(*numbers[:3])
    return new_list(tuple(found)) if len(found) <= _LONGEST_RANGE else UNKNOWN


@register(TABLE, "builtins.enumerate")
def _enumerate(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    items = sequence(reader, args[0]) if args else None
    start = reader.plain(args[1] if len(args) > 1 else keywords.get("start", 0))
    return UNKNOWN if items is None or not isinstance(start, int) else new_list(list(enumerate(items, start)))


@register(TABLE, "builtins.zip")
def _zip(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    rows = [sequence(reader, value) for value in args]
    known = [row for row in rows if row is not None]
    return new_list(list(zip(*known, strict=False))) if len(known) == len(rows) else UNKNOWN


@register(TABLE, "builtins.any")
def _any(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return _decide(reader, args, stop=True)


def _all(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return _decide(reader, args, stop=False)


TABLE["builtins.all"] = _all


def _decide(reader: Reader, args: list[Value], *, stop: bool) -> Value:
    items = sequence(reader, args[0]) if args else None
    if items is None:
        return UNKNOWN
    tests = [truth(reader, item) for item in items]
    if stop in tests:
        return stop
    return not stop if all(test is not stop and isinstance(test, bool) for test in tests) else UNKNOWN


@register(TABLE, "builtins.filter")
def _filter(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    from whyload.startup.calls import call

    items = sequence(reader, args[1]) if len(args) == 2 else None
    if items is None:
        return UNKNOWN
    kept: list[Value] = []
    for item in items:
        test = truth(reader, item if args[0] is None else call(reader, args[0], [item], {}))
        if not isinstance(test, bool):
            return UNKNOWN
        if test:
            kept.append(item)
    return new_list(kept)


@register(TABLE, "builtins.map")
def _map(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    from whyload.startup.calls import call

    items = sequence(reader, args[1]) if len(args) == 2 else None
    return UNKNOWN if items is None else new_list([call(reader, args[0], [item], {}) for item in items])


@register(TABLE, "builtins.next")
def _next(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    items = sequence(reader, args[0]) if args else None
    if items:
        return items[0]
    return args[1] if items is not None and len(args) > 1 else UNKNOWN


@register(
    TABLE, "builtins.print", "warnings.warn", "warnings.filterwarnings", "warnings.simplefilter", "atexit.register"
)
def _nothing(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return None


@register(TABLE, "builtins.globals")
def _globals(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return DictValue(reader.frame.scope.module.names, partial=bool(reader.frame.scope.module.stars))


@register(TABLE, "builtins.locals", "builtins.vars")
def _locals(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    if args:
        value = reader.plain(args[0])
        return DictValue(value.module.names, partial=True) if isinstance(value, ModuleValue) else UNKNOWN
    return DictValue(reader.frame.scope.names)


@register(TABLE, "builtins.hasattr")
def _hasattr(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    if len(args) != 2:
        return UNKNOWN
    holder, name = reader.plain(args[0]), reader.plain(args[1])
    if not isinstance(name, str):
        return UNKNOWN
    if isinstance(holder, Known):
        from whyload.startup.known import has_attribute

        return has_attribute(reader, holder.name, name)
    if isinstance(holder, ModuleValue):
        module = holder.module
        if name in module.names or f"{module.name}.{name}" in reader.modules:
            return True
        return False if module.surely_lacks(name) else UNKNOWN
    if isinstance(holder, LibraryValue):
        if name in holder.names:
            return True
        known = holder.name.lower().removesuffix(".dll") in ("kernel32", "kernelbase")
        return True if known and name in ("AddDllDirectory", "SetDllDirectoryW", "LoadLibraryExW") else UNKNOWN
    if isinstance(holder, Instance) and name in holder.names:
        return True
    return False if holder is None or isinstance(holder, (int, FunctionValue)) else UNKNOWN


@register(TABLE, "builtins.getattr")
def _getattr(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    from whyload.startup.attributes import get_attribute

    name = reader.plain(args[1]) if len(args) > 1 else UNKNOWN
    if not isinstance(name, str):
        return UNKNOWN
    if len(args) == 2:
        return get_attribute(reader, args[0], name)
    holder = reader.plain(args[0])
    if isinstance(holder, LibraryValue):
        return UNKNOWN
    present = _hasattr(reader, [holder, name], {})
    if present is False:
        return args[2]
    try:
        value = get_attribute(reader, holder, name) if present is True else UNKNOWN
    except Thrown:
        return args[2]
    return value if value is not MISSING else args[2]


@register(TABLE, "builtins.setattr")
def _setattr(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    from whyload.startup.variables import set_attribute

    if len(args) == 3 and isinstance(name := reader.plain(args[1]), str):
        set_attribute(reader, args[0], name, args[2])
    return None


@register(TABLE, "builtins.isinstance")
def _isinstance(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    value, kind = (reader.plain(args[0]), reader.plain(args[1])) if len(args) == 2 else (UNKNOWN, UNKNOWN)
    if isinstance(kind, Known) and is_constant(value):
        python = {"builtins.str": str, "builtins.bytes": bytes, "builtins.int": int, "builtins.tuple": tuple}.get(
            kind.name
        )
        return isinstance(value, python) if python is not None else UNKNOWN
    if isinstance(kind, Known) and isinstance(value, ListValue) and kind.name == "builtins.list":
        return not value.is_set
    return UNKNOWN


@register(TABLE, "itertools.chain")
def _chain(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    rows = [sequence(reader, value) for value in args]
    if any(row is None for row in rows):
        return UNKNOWN
    return new_list([item for row in rows if row is not None for item in row])
