"""Functions and classes as they are defined (Python reference, "Function definitions", "Class definitions")."""

from __future__ import annotations

import ast
from collections.abc import Callable

from whyload.base.typing import TYPE_CHECKING, Final
from whyload.startup.attributes import find_in_class
from whyload.startup.calls import call
from whyload.startup.conditions import Flow
from whyload.startup.execution import evaluate, run_block
from whyload.startup.frames import Frame
from whyload.startup.skeleton import complete, is_stub
from whyload.startup.values import ClassValue, FunctionValue, Scope, Value
from whyload.startup.variables import bind

if TYPE_CHECKING:
    from whyload.startup.reader import Reader


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
            if isinstance(decorator, FunctionValue) and not _calls_its_argument(decorator):
                call(reader, decorator, [value], {})


def _calls_its_argument(decorator: FunctionValue) -> bool:
    """Such a decorator wraps or runs what it gets: much of a program's own working, little of what it loads."""
    node = decorator.node
    complete(node, decorator.module.bodies)
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


DEFINITIONS: Final[dict[type[ast.stmt], Callable[..., Flow]]] = {
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
}
