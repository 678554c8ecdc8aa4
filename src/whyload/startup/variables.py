"""Names: looking them up, binding and deleting them (Python reference, "Naming and binding")."""

from __future__ import annotations

import ast
import builtins

from whyload.base.typing import TYPE_CHECKING
from whyload.startup.execution import evaluate
from whyload.startup.module_code import read_now
from whyload.startup.subscripts import sequence, set_item
from whyload.startup.tree import lineage
from whyload.startup.values import (
    MISSING,
    UNKNOWN,
    ClassValue,
    DictValue,
    ErrorClass,
    ErrorValue,
    Instance,
    Known,
    Later,
    LibraryValue,
    ListValue,
    ModuleValue,
    Namespace,
    Value,
    is_constant,
    new_list,
)

if TYPE_CHECKING:
    from whyload.startup.modules import Module
    from whyload.startup.reader import Reader

_KNOWN_ELSEWHERE = ("pkg_resources.resource_filename", "importlib_resources.files", "importlib_metadata.version")
"""Functions outside the standard library whose own code says nothing."""
_BUILTIN_ONLY_ON_WINDOWS = ("WindowsError",)
_BUILTINS = frozenset(dir(builtins)) | set(_BUILTIN_ONLY_ON_WINDOWS)


def lookup(reader: Reader, name: str) -> Value:
    """The value of a name at the current place."""
    frame = reader.frame
    scope = frame.scope
    if name not in frame.globals:
        for names in (scope.names, *scope.outer):
            value = names.get(name, MISSING)
            if value is not MISSING:
                return value
    value = scope.module.names.get(name, MISSING)
    if value is not MISSING:
        return value
    if scope.module.stars:
        return Later(lambda: _from_stars(reader, scope.module, name))
    return builtin(reader, name)


def builtin(reader: Reader, name: str) -> Value:
    """A built-in name; a NameError where the program counts on one."""
    if name in _BUILTINS:
        found = getattr(builtins, name, OSError)
        if isinstance(found, type) and issubclass(found, BaseException):
            return ErrorClass(lineage(name))
        return {"True": True, "False": False, "None": None, "__debug__": True}.get(name, Known(f"builtins.{name}"))
    if reader.guarded("NameError") > reader.guarded("Exception"):
        raise reader.throw("NameError", f"name {name!r} is not defined")
    return UNKNOWN


def _from_stars(reader: Reader, module: Module, name: str) -> Value:
    for star in reversed(module.stars):
        if not star.stars and not reader.sources.mentions(star.file, name):
            continue
        value = module_name(reader, star, name)
        if value is not UNKNOWN:
            return value
    return builtin(reader, name) if name in _BUILTINS else UNKNOWN


def module_name(reader: Reader, module: Module, name: str) -> Value:
    """The value of a name in a module that was imported; it is read now where it was passed by."""
    from whyload.startup.modules import State

    known = f"{module.name}.{name}"
    if known in _KNOWN_ELSEWHERE:
        return Known(known)
    if module.state is State.PASSED:
        read_now(reader, module)
    value = module.names.get(name, MISSING)
    if value is not MISSING:
        return value
    below = reader.modules.get(f"{module.name}.{name}")
    if below is not None:
        return ModuleValue(below)
    if module.stars:
        return _from_stars(reader, module, name)
    return UNKNOWN


def bind(reader: Reader, name: str, value: Value) -> None:
    """Set a name at the current place."""
    frame = reader.frame
    names: Namespace = frame.scope.names
    if name in frame.globals:
        names = frame.scope.module.names
    elif name in frame.nonlocals:
        names = next((outer for outer in frame.scope.outer if name in outer), names)
    reader.store.write(names, name, value)


def assign(reader: Reader, target: ast.expr, value: Value) -> None:
    """`target = value`."""
    if isinstance(target, ast.Name):
        bind(reader, target.id, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(reader, target.elts, value)
    elif isinstance(target, ast.Attribute):
        set_attribute(reader, evaluate(reader, target.value), target.attr, value)
    elif isinstance(target, ast.Subscript):
        container = evaluate(reader, target.value)
        if isinstance(target.slice, ast.Slice):
            if isinstance(container, ListValue):
                whole = target.slice.lower is None and target.slice.upper is None
                items = sequence(reader, value) if whole else None
                reader.store.write(container.cell, "items", UNKNOWN if items is None else tuple(items))
            return
        set_item(reader, container, evaluate(reader, target.slice), value)
    elif isinstance(target, ast.Starred):
        assign(reader, target.value, value)


def _unpack(reader: Reader, targets: list[ast.expr], value: Value) -> None:
    items = sequence(reader, value)
    star = next((i for i, target in enumerate(targets) if isinstance(target, ast.Starred)), None)
    if items is None or (star is None and len(items) != len(targets)) or len(items) < len(targets) - 1:
        for target in targets:
            assign(reader, target, UNKNOWN)
        return
    if star is None:
        for target, item in zip(targets, items, strict=True):
            assign(reader, target, item)
        return
    after = len(targets) - star - 1
    for target, item in zip(targets[:star], items, strict=False):
        assign(reader, target, item)
    assign(reader, targets[star], new_list(tuple(items[star : len(items) - after])))
    for target, item in zip(targets[star + 1 :], items[len(items) - after :], strict=False):
        assign(reader, target, item)


def set_attribute(reader: Reader, holder: Value, name: str, value: Value) -> None:
    """`holder.name = value`."""
    holder = reader.plain(holder)
    if isinstance(holder, (Instance, ClassValue, LibraryValue)):
        reader.store.write(holder.names, name, value)
    elif isinstance(holder, ModuleValue):
        reader.store.write(holder.module.names, name, value)
        if name == "__path__" and isinstance(value, ListValue):
            holder.module.search = value
    elif isinstance(holder, Known):
        dotted = f"{holder.name}.{name}"
        reader.store.write(reader.known, dotted, value)
        if dotted == "sys.path":
            reader.search_changed()
    elif isinstance(holder, ErrorValue) and name in ("strerror", "msg", "args"):
        text = reader.plain(value)
        holder.text = text if isinstance(text, str) else None


def delete(reader: Reader, target: ast.expr) -> None:
    """`del target`."""
    if isinstance(target, ast.Name):
        frame = reader.frame
        names = frame.scope.module.names if target.id in frame.globals else frame.scope.names
        if target.id in names:
            reader.store.write(names, target.id, MISSING)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for item in target.elts:
            delete(reader, item)
    elif isinstance(target, ast.Attribute):
        holder = reader.plain(evaluate(reader, target.value))
        if isinstance(holder, Known):
            reader.store.write(reader.known, f"{holder.name}.{target.attr}", MISSING)
        elif isinstance(holder, Instance):
            reader.store.write(holder.names, target.attr, MISSING)
    elif isinstance(target, ast.Subscript):
        holder = reader.plain(evaluate(reader, target.value))
        key = UNKNOWN if isinstance(target.slice, ast.Slice) else reader.plain(evaluate(reader, target.slice))
        if isinstance(holder, Known) and holder.name == "os.environ" and isinstance(key, str):
            reader.set_variable(key, None)
        elif isinstance(holder, Known) and holder.name == "sys.modules" and isinstance(key, str):
            reader.modules.pop(key, None)
        elif isinstance(holder, DictValue) and is_constant(key):
            reader.store.write(holder.names, key, MISSING)
        elif isinstance(holder, ListValue):
            items = reader.items(holder)
            kept: Value = UNKNOWN
            if isinstance(key, int) and -len(items) <= key < len(items):
                kept = tuple(item for i, item in enumerate(items) if i != key % len(items))
            reader.store.write(holder.cell, "items", kept)
