"""Import statements: which names they bind, and which of them cannot be had.

Source: loader.md R4.15; Python reference, "The import statement".
"""

from __future__ import annotations

import ast

from whyload.base.typing import TYPE_CHECKING
from whyload.startup.conditions import Flow
from whyload.startup.loading import folders_of, import_dotted, import_standard, submodule
from whyload.startup.model import Thrown
from whyload.startup.module_code import play_again
from whyload.startup.modules import Module, State
from whyload.startup.reach import absolute
from whyload.startup.standard import extension_modules
from whyload.startup.values import UNKNOWN, Known, Later, ListValue, ModuleValue, Value
from whyload.startup.variables import bind, module_name
from whyload.world.model import Layout

if TYPE_CHECKING:
    from whyload.startup.reader import Reader


def run_import(reader: Reader, node: ast.Import) -> Flow:
    """`import a.b, c as d`."""
    for alias in node.names:
        value = import_dotted(reader, alias.name)
        if alias.asname is not None:
            bind(reader, alias.asname, value)
        else:
            top = alias.name.partition(".")[0]
            module = reader.modules.get(top)
            bind(reader, top, ModuleValue(module) if module is not None else Known(top))
    return Flow.NEXT


def run_import_from(reader: Reader, node: ast.ImportFrom) -> Flow:
    """`from a.b import c, d as e`."""
    package = reader.frame.scope.module.package
    base = absolute(package, node.level, node.module or "")
    if base is None:
        raise reader.throw("ImportError", "attempted relative import with no known parent package")
    value = import_dotted(reader, base)
    for alias in node.names:
        if alias.name == "*":
            _import_star(reader, value)
        else:
            bind(reader, alias.asname or alias.name, import_name(reader, value, alias.name))
    return Flow.NEXT


def import_name(reader: Reader, value: Value, name: str) -> Value:
    """`from value import name`."""
    if isinstance(value, Known):
        dotted = f"{value.name}.{name}"
        if extension_modules(dotted, reader.world.python.version):
            import_standard(reader, dotted)
        from whyload.startup.known import known_attribute

        return known_attribute(reader, dotted)
    if not isinstance(value, ModuleValue):
        return UNKNOWN
    module = value.module
    if module.state is State.PASSED:
        below = submodule(reader, module, name)
        if below is None and reader.sources.lacks(module.file, name) and not _may_come_from_elsewhere(reader, module):
            raise _cannot_import(reader, module, name)
        return below if below is not None else Later(lambda: module_name(reader, module, name), module, name=name)
    if name in module.names and module.state is not State.OPAQUE:
        known = module_name(reader, module, name)
        if isinstance(known, ModuleValue) and known.module.name == f"{module.name}.{name}":
            play_again(reader, known.module)
        return known
    below = submodule(reader, module, name)
    if below is not None:
        return below
    if module.surely_lacks(name) and not _may_come_from_elsewhere(reader, module):
        raise _cannot_import(reader, module, name)
    if (
        module.state is State.RUNNING
        and reader.lacks_so_far(module, name)
        and (reader.guarded("ImportError") or _has_other_build(reader, module, name) or _is_untouched(reader, module))
    ):
        raise _cannot_import(reader, module, name, "partially initialized ")
    return Later(lambda: module_name(reader, module, name)) if module.stars else module_name(reader, module, name)


def _cannot_import(reader: Reader, module: Module, name: str, state: str = "") -> Thrown:
    """CPython's words: `name` may be an attribute or a submodule, and is neither."""
    text = f"cannot import name {name!r} from {state}module {module.name!r} ({module.file or 'unknown location'})"
    if not state:
        text = text.replace("module ", "", 1)
    return reader.throw("ImportError", text)


def _may_come_from_elsewhere(reader: Reader, module: Module) -> bool:
    """Can the module have names that neither its source nor a file of the world gives it?"""
    archive = reader.world.python.layout in (Layout.FROZEN, Layout.PYINSTALLER)
    return archive or bool(reader.open_finders) or reader.is_open(module.name)


def _is_untouched(reader: Reader, module: Module) -> bool:
    """Does a package that is being read ask for a submodule of its own, before code that cannot be read ran in it?"""
    if reader.frames[-1].scope.module is not module or _may_come_from_elsewhere(reader, module):
        return False
    top = module.name.partition(".")[0]
    own = (other for name, other in reader.modules.items() if name.partition(".")[0] == top)
    return not any(other.state is State.OPAQUE for other in own)


def _has_other_build(reader: Reader, module: Module, name: str) -> bool:
    """Is there a native module of that name for another Python? Otherwise native code may still bring the name: the
    functions of `torch._C` put some into torch's own modules.
    """
    return not _may_come_from_elsewhere(reader, module) and any(
        reader.finder.has_other_build(folder, name) for folder in folders_of(reader, module)
    )


def _import_star(reader: Reader, value: Value) -> None:
    if isinstance(value, Known):
        from whyload.startup.known import exported as names_of

        for name, item in names_of(reader, value.name).items():
            bind(reader, name, item)
    if not isinstance(value, ModuleValue):
        return
    module, target = value.module, reader.frame.scope.module
    exported = module.names.get("__all__")
    if module.state is not State.DONE or module.stars:
        target.stars = (*target.stars, module)
    if module.state is State.PASSED:
        return
    if isinstance(exported, (ListValue, tuple)):
        items = reader.items(exported) if isinstance(exported, ListValue) else exported
        names = [name for name in items if isinstance(name, str)]
        for name in names:
            bind(reader, name, module.names[name] if name in module.names else _from_all(reader, module, name))
        return
    for name, item in list(module.names.items()):
        if not name.startswith("_"):
            bind(reader, name, item)


def _from_all(reader: Reader, module: Module, name: str) -> Value:
    below = submodule(reader, module, name)
    return below if below is not None else module_name(reader, module, name)
