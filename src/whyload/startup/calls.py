"""Calls: of functions and classes of the source, of methods of known values, of the standard library."""

from __future__ import annotations

import ast

from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.startup.attributes import find_in_class
from whyload.startup.conditions import Flow
from whyload.startup.execution import evaluate, run_block
from whyload.startup.frames import Frame, join_way, rejoin
from whyload.startup.model import CallBound, Thrown
from whyload.startup.scan import imports_inside
from whyload.startup.skeleton import complete, is_hinting, is_stub
from whyload.startup.values import (
    MISSING,
    UNKNOWN,
    Bound,
    BuiltinMethod,
    ClassValue,
    Coroutine,
    DictValue,
    ErrorClass,
    ErrorValue,
    Fork,
    FunctionValue,
    Instance,
    Known,
    Later,
    LibraryFunction,
    LibraryValue,
    Namespace,
    Scope,
    Value,
    new_list,
    same,
)

if TYPE_CHECKING:
    from whyload.startup.frames import Exit
    from whyload.startup.reader import Reader

_LONG_FUNCTION = 40
"""Lines."""
_LONG_CALL, _LONG_CALLS = 150, 3
"""Steps, and calls of a function without a hint that may take more of them: paths are made with fewer."""
_OUTER_DECORATORS = ("contextmanager", "asynccontextmanager")


def call(
    reader: Reader,
    function: Value,
    args: list[Value],
    keywords: dict[str, Value],
    *,
    exact: bool = True,
) -> Value:
    """`function(*args, **keywords)`; `exact` is False where some arguments are not known."""
    if isinstance(function, Later) and not _has_effects(reader, function):
        later = function
        return Later(lambda: call(reader, reader.settle(later), args, keywords))
    function = reader.plain(function)
    if isinstance(function, Known):
        from whyload.startup.known import call_known

        return call_known(reader, function.name, args, keywords)
    if isinstance(function, FunctionValue):
        return call_function(reader, function, args, keywords, exact=exact)
    if isinstance(function, Bound):
        return call(reader, function.function, [function.receiver, *args], keywords, exact=exact)
    if isinstance(function, BuiltinMethod):
        from whyload.startup.known.methods import call_method

        return call_method(reader, function, args, keywords)
    if isinstance(function, ClassValue):
        return _instantiate(reader, function, args, keywords, exact=exact)
    if isinstance(function, ErrorClass):
        return _error(reader, function.lineage, args, keywords)
    if isinstance(function, LibraryFunction):
        from whyload.startup.known.libraries import call_library_function

        return call_library_function(reader, function, args)
    if isinstance(function, Instance):
        method = find_in_class(function.kind, "__call__")
        return call(reader, method, [function, *args], keywords, exact=exact) if method is not MISSING else UNKNOWN
    _escape(args)
    return UNKNOWN


def _has_effects(reader: Reader, function: Later) -> bool:
    """May calling a function of a module that was passed by load something?"""
    if function.result is not MISSING:
        return True
    module = function.origin
    text = reader.sources.text(module.file) if module is not None and module.file is not None else None
    if text is None or module is None or module.file is None:
        return False
    scan = reader.sources.scan(module.file)
    return scan.marked or function.name in scan.loaders or imports_inside(text, function.name)


def _escape(args: list[Value]) -> None:
    for argument in args:
        if isinstance(argument, DictValue):
            argument.partial = True


def _error(reader: Reader, kinds: tuple[str, ...], args: list[Value], keywords: dict[str, Value]) -> ErrorValue:
    texts = [reader.plain(argument) for argument in args]
    text = next((text for text in texts if isinstance(text, str)), None)
    module = reader.plain(keywords.get("name", UNKNOWN))
    return ErrorValue(kinds, text, module if isinstance(module, str) else None)


def error_lineage(kind: Value, depth: int = 0) -> tuple[str, ...] | None:
    """The lineage of an exception class of the source; None where it is none."""
    if isinstance(kind, ErrorClass):
        return kind.lineage
    if isinstance(kind, ClassValue) and depth < 12:
        for base in kind.bases:
            found = error_lineage(base, depth + 1)
            if found is not None:
                return (kind.name, *found)
    return None


def _instantiate(
    reader: Reader, kind: ClassValue, args: list[Value], keywords: dict[str, Value], *, exact: bool
) -> Value:
    kinds = error_lineage(kind)
    if kinds is not None:
        reader.error_classes.setdefault(kinds[0], kinds)
        return _error(reader, kinds, args, keywords)
    for base in kind.bases:
        plain = reader.plain(base)
        if isinstance(plain, Known) and plain.name in ("ctypes.CDLL", "ctypes.WinDLL", "ctypes.PyDLL", "ctypes.OleDLL"):
            library = call(reader, plain, args, keywords)
            if isinstance(library, LibraryValue):
                library.names.update(dict.fromkeys(kind.names, UNKNOWN))
            return library
    maker, made = find_in_class(kind, "__new__"), None
    if isinstance(maker, FunctionValue):
        made = call_function(reader, maker, [kind, *args], keywords, exact=exact)
    instance = made if isinstance(made, Instance) else Instance(kind, {})
    initialiser = find_in_class(kind, "__init__")
    if isinstance(initialiser, FunctionValue):
        call_function(reader, initialiser, [instance, *args], keywords, exact=exact)
    return instance


def call_function(
    reader: Reader,
    function: FunctionValue,
    args: list[Value],
    keywords: dict[str, Value],
    *,
    exact: bool = True,
    on_yield: object = None,
    awaited: bool = False,
) -> Value:
    """The value of a call of a function of the source; its events are recorded."""
    if isinstance(function.node, ast.AsyncFunctionDef) and not awaited:
        is_context = "asynccontextmanager" in function.decorators
        return UNKNOWN if is_context else Coroutine(function, args, keywords, exact)
    if on_yield is None and set(_OUTER_DECORATORS) & set(function.decorators):
        return Bound(function, (args, keywords))
    if reader.depth >= reader.limits.depth or not _is_worth(reader, function):
        _escape(args)
        return UNKNOWN
    if not reader.depth:
        reader.call_work = reader.work
    names = _arguments(function, args, keywords, exact=exact)
    reader.depth += 1
    guards, sink, work = len(reader.guards), reader.sink, reader.work
    try:
        return _run(reader, function, names, on_yield)
    except CallBound:
        if reader.depth > 1:
            raise
        reader.sink = sink
        reader.note(
            Message(en="a call", zh="某次调用"),
            Message(
                en=f"stopped reading {function.name}() at {reader.where()}: too many steps",
                zh=f"{reader.where()} 处的 {function.name}() 步数过多，停止读取",
            ),
        )
        return UNKNOWN
    finally:
        reader.depth -= 1
        _account(reader, function, reader.work - work)
        del reader.guards[guards:]


def run_coroutine(reader: Reader, value: Value) -> Value:
    """`await value`: what the call that made it returns in the end."""
    value = reader.plain(value)
    if not isinstance(value, Coroutine):
        return UNKNOWN
    return call_function(reader, value.function, value.args, value.keywords, exact=value.exact, awaited=True)


def _account(reader: Reader, function: FunctionValue, work: int) -> None:
    """What a call took; one that computes at length again and again, without a hint, is given up."""
    node = function.node
    reader.functions.spent_in[node] = reader.functions.spent_in.get(node, 0) + work
    if work > _LONG_CALL and not isinstance(node, ast.Lambda):
        reader.functions.long_calls[node] = count = reader.functions.long_calls.get(node, 0) + 1
        if count == _LONG_CALLS and not is_hinting(_text(function)):
            reader.functions.worth[node] = False


def _text(function: FunctionValue) -> str:
    first, last = function.node.lineno, function.node.end_lineno or function.node.lineno
    return "\n".join(function.module.text.split("\n")[first - 1 : last])


def _is_worth(reader: Reader, function: FunctionValue) -> bool:
    """Not a body that was left out, not a recursion, not a long function without any hint of native code."""
    node = function.node
    if isinstance(node, ast.Lambda):
        return True
    complete(node, function.module.bodies)
    if is_stub(node.body) or any(frame.code is node for frame in reader.frames[-reader.depth :] if reader.depth):
        return False
    if reader.functions.spent_in.get(node, 0) > reader.limits.repeated_work:
        return False
    known = reader.functions.worth.get(node)
    if known is None:
        known = (node.end_lineno or node.lineno) - node.lineno < _LONG_FUNCTION or is_hinting(_text(function))
        reader.functions.worth[node] = known
    return known


def _run(reader: Reader, function: FunctionValue, names: Namespace, on_yield: object) -> Value:
    node = function.node
    frame = Frame(Scope(names, function.module, function.outer), is_function=True, code=node)
    sink, parted = reader.sink, frozenset(reader.left)
    with reader.framed(frame):
        if isinstance(node, ast.Lambda):
            return evaluate(reader, node.body)
        shape = reader.functions.shape(node)
        frame.globals, frame.nonlocals = shape.global_names, shape.outer_names
        if callable(on_yield):
            frame.on_yield = on_yield
        elif shape.is_generator:
            frame.yields = []
        reader.store.begin()
        try:
            flow = _body(reader, frame, node.body)
            reader.sink = sink
            if frame.exits:
                _come_together(reader, frame, flow, parted)
        finally:
            reader.store.keep()
    if frame.yields is not None:
        return new_list(frame.yields)
    return _returned(frame, flow)


def _body(reader: Reader, frame: Frame, body: list[ast.stmt]) -> Flow:
    try:
        return run_block(reader, body)
    except Thrown as error:
        _leave(reader, frame, error)
        return Flow.RAISE


def _come_together(reader: Reader, frame: Frame, flow: Flow, parted: frozenset[Value]) -> None:
    """What the ways that returned early changed outside the function; how attempts in it ended is open again."""
    apart = frozenset(map(id, (frame.scope.names, reader.assumed, reader.left, reader.store.process)))
    ways = [way for way in frame.exits if way.flow is Flow.RETURN]
    for way in reversed(ways if flow is Flow.NEXT else ways[:-1]):
        if way.node is not None:
            join_way(reader, way, apart)
    rejoin(reader, parted)


def _leave(reader: Reader, frame: Frame, thrown: Thrown) -> None:
    """The last way through the function raises: go on with one that returned, or pass the error on."""
    returns = [way for way in frame.exits if way.flow is Flow.RETURN]
    if not returns:
        raise thrown
    for names, key, value in returns[-1].changes.values():
        if names is not frame.scope.names:
            reader.store.write(names, key, value)


def _returned(frame: Frame, flow: Flow) -> Value:
    ways = [way for way in frame.exits if way.flow is Flow.RETURN]
    if flow is Flow.NEXT:
        result: Value = None
    elif ways:
        result = ways.pop().value
    else:
        return UNKNOWN
    for way in reversed(ways):
        result = _joined(way, result)
    return result


def _joined(way: Exit, rest: Value) -> Value:
    if same(way.value, rest):
        return rest
    if way.node is None:
        return UNKNOWN
    return Fork(way.node, rest, way.value) if way.failed else Fork(way.node, way.value, rest)


def _arguments(function: FunctionValue, args: list[Value], keywords: dict[str, Value], *, exact: bool) -> Namespace:
    signature = function.node.args
    names: Namespace = dict(function.defaults)
    positional = [argument.arg for argument in (*signature.posonlyargs, *signature.args)]
    for name in (*positional, *(argument.arg for argument in signature.kwonlyargs)):
        names.setdefault(name, UNKNOWN)
        if not exact:
            names[name] = UNKNOWN
    names.update(zip(positional, args, strict=False))
    extra: Namespace = {}
    for name, value in keywords.items():
        (names if name in names else extra)[name] = value
    if signature.vararg is not None:
        names[signature.vararg.arg] = tuple(args[len(positional) :]) if exact else UNKNOWN
    if signature.kwarg is not None:
        names[signature.kwarg.arg] = DictValue(extra, partial=not exact)
    return names
