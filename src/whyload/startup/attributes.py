"""Attributes of values."""

from __future__ import annotations

from whyload.base.typing import TYPE_CHECKING
from whyload.observe.events import Raised, Reraised
from whyload.startup.loading import has_submodule, import_dotted
from whyload.startup.model import Thrown
from whyload.startup.module_code import read_now
from whyload.startup.modules import Module, State, text_lacks
from whyload.startup.scan import imports_inside
from whyload.startup.tree import AttemptNode, Events
from whyload.startup.values import (
    MISSING,
    UNKNOWN,
    Bound,
    BuiltinMethod,
    ClassValue,
    DictValue,
    ErrorClass,
    ErrorValue,
    FileStatus,
    Folder,
    FolderFinder,
    Fork,
    FunctionValue,
    Instance,
    Known,
    LastError,
    Later,
    LibraryFunction,
    LibraryValue,
    ListValue,
    ModuleValue,
    OpenFile,
    PathValue,
    Spec,
    Super,
    Unknown,
    Value,
)
from whyload.startup.variables import module_name
from whyload.startup.words import has_marker

if TYPE_CHECKING:
    from whyload.startup.reader import Reader

_WITH_METHODS = (str, bytes, ListValue, DictValue, Folder, FolderFinder, OpenFile)
_DEEPEST_BASE = 12


def get_attribute(reader: Reader, holder: Value, name: str) -> Value:
    """`holder.name`."""
    if name == "dlopen" and _is_cffi(holder):
        return BuiltinMethod(UNKNOWN, name)
    if isinstance(holder, Later):
        return Later(lambda: get_attribute(reader, reader.settle(holder), name))
    holder = reader.settle(holder)
    if isinstance(holder, Fork):
        if holder.ok is MISSING or holder.failed is MISSING:
            return get_attribute(reader, reader.plain(holder), name)
        return Fork(holder.node, get_attribute(reader, holder.ok, name), get_attribute(reader, holder.failed, name))
    if isinstance(holder, Known):
        from whyload.startup.known import known_attribute

        return known_attribute(reader, f"{holder.name}.{name}")
    if isinstance(holder, ModuleValue):
        return _of_module(reader, holder.module, name)
    if isinstance(holder, Instance):
        return _of_instance(reader, holder, name)
    if isinstance(holder, ClassValue):
        return _of_class(holder, name)
    if isinstance(holder, LibraryValue):
        return library_function(reader, holder, name)
    if isinstance(holder, PathValue):
        from whyload.startup.known.files import path_attribute

        return path_attribute(reader, holder, name)
    if isinstance(holder, _WITH_METHODS):
        return BuiltinMethod(holder, name)
    if isinstance(holder, tuple):
        fields = ("major", "minor", "micro", "releaselevel", "serial")
        return holder[fields.index(name)] if name in fields and len(holder) == 5 else BuiltinMethod(holder, name)
    return _of_other(holder, name)


def _is_cffi(holder: Value) -> bool:
    """May this be an FFI object of cffi, whose own code says nothing of what it opens?"""
    return isinstance(holder, Later) or (isinstance(holder, Instance) and holder.kind.module.name.startswith("cffi"))


def _of_other(holder: Value, name: str) -> Value:
    if isinstance(holder, ErrorValue):
        return _of_error(holder, name)
    if isinstance(holder, Spec):
        return _of_spec(holder, name)
    if isinstance(holder, Super):
        return _of_bases(holder, name)
    if isinstance(holder, FileStatus):
        return holder.size if name == "st_size" else UNKNOWN
    if isinstance(holder, Unknown) and name in ("dlopen", "load_library"):
        return BuiltinMethod(holder, name)
    if isinstance(holder, ErrorClass) and name in ("__name__", "__qualname__"):
        return holder.lineage[0]
    if isinstance(holder, FunctionValue):
        return {"__name__": holder.name, "__module__": holder.module.name}.get(name, UNKNOWN)
    return UNKNOWN


def _of_module(reader: Reader, module: Module, name: str) -> Value:
    if module.state is State.PASSED and name in ("__name__", "__file__", "__path__"):
        return module.names.get(name, UNKNOWN)
    if module.state is State.PASSED:
        _check_program(reader, module, name)
        below = reader.modules.get(f"{module.name}.{name}")
        if below is not None:
            return ModuleValue(below)
        if not _gives_late(reader, module, name):
            return Later(lambda: module_name(reader, module, name), module, name=name)
        read_now(reader, module)
    if name == "__dict__":
        return DictValue(module.names, partial=module.state is not State.DONE)
    if module.stars and name not in module.names and f"{module.name}.{name}" not in reader.modules:
        return Later(lambda: module_name(reader, module, name))
    value = module_name(reader, module, name)
    if value is UNKNOWN and isinstance(fallback := module.names.get("__getattr__"), FunctionValue):
        return _by_fallback(reader, fallback, name)
    if value is UNKNOWN and module.surely_lacks(name):
        if f"{module.name}.{name}" in reader.open_names or reader.is_open(module.name):
            return UNKNOWN
        if reader.frame.scope.module.name != "__main__" and has_submodule(reader, module, name):
            # a module that was passed by may have imported it
            return import_dotted(reader, f"{module.name}.{name}")
        raise reader.throw("AttributeError", f"module {module.name!r} has no attribute {name!r}", module=module.name)
    return value


def _gives_late(reader: Reader, module: Module, name: str) -> bool:
    """May a module that was passed by import something to give the name (PEP 562)?"""
    text = reader.sources.text(module.file) if module.file is not None else None
    if text is None or "def __getattr__" not in text or _is_dunder(name):
        return False
    return has_marker(text) or imports_inside(text, "__getattr__")


def _by_fallback(reader: Reader, fallback: FunctionValue, name: str) -> Value:
    """PEP 562: what the module's own `__getattr__` gives, often a submodule that is imported late."""
    from whyload.startup.calls import call
    from whyload.startup.conditions import Flow, read_side

    result: list[Value] = []

    def run() -> Flow:
        result.append(call(reader, fallback, [name], {}))
        return Flow.NEXT

    if _is_dunder(name):
        return UNKNOWN
    side = read_side(reader, run, Events(reader.sink))
    if side.thrown is not None:
        return UNKNOWN  # the name may be one that the reader did not see
    reader.sink.extend(side.events)
    reader.store.apply(side.changes)
    return result[0]


def _by_own_lookup(reader: Reader, instance: Instance, fallback: FunctionValue, name: str) -> Value:
    """What the class's own `__getattr__` gives; an AttributeError of it says nothing: the name may be one that the
    reader did not see.
    """
    from whyload.startup.calls import call

    sink = reader.sink
    try:
        return call(reader, fallback, [instance, name], {})
    except Thrown as error:
        if "AttributeError" not in error.lineage:
            raise
        reader.sink = sink
        if sink and isinstance(sink[-1], (Raised, Reraised)):
            sink.pop()
        return UNKNOWN


def _check_program(reader: Reader, module: Module, name: str) -> None:
    """The program itself asks a module that was passed by for a name that it cannot have."""
    text = reader.sources.text(module.file) if module.file is not None else None
    if reader.frame.scope.module.name != "__main__" or text is None or reader.is_open(module.name):
        return
    is_there = f"{module.name}.{name}" in reader.modules or name in module.names
    if not is_there and text_lacks(text, name):
        raise reader.throw("AttributeError", f"module {module.name!r} has no attribute {name!r}", module=module.name)


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def find_in_class(kind: Value, name: str, depth: int = 0) -> Value:
    """A name in a class or its bases, depth first; MISSING where no base of the source has it."""
    if not isinstance(kind, ClassValue) or depth > _DEEPEST_BASE:
        return MISSING
    value = kind.names.get(name, MISSING)
    if value is not MISSING:
        return value
    for base in kind.bases:
        value = find_in_class(base, name, depth + 1)
        if value is not MISSING:
            return value
    return MISSING


def _of_instance(reader: Reader, instance: Instance, name: str) -> Value:
    from whyload.startup.calls import call

    value = instance.names.get(name, MISSING)
    if value is not MISSING:
        return value
    found = find_in_class(instance.kind, name)
    if isinstance(found, FunctionValue):
        if {"property", "cached_property"} & set(found.decorators):
            return call(reader, found, [instance], {})
        if "staticmethod" in found.decorators:
            return found
        return Bound(instance.kind if "classmethod" in found.decorators else instance, found)
    if found is not MISSING:
        return found
    if name == "__class__":
        return instance.kind
    fallback = find_in_class(instance.kind, "__getattr__")
    if isinstance(fallback, FunctionValue) and not _is_dunder(name):
        return _by_own_lookup(reader, instance, fallback, name)
    return BuiltinMethod(UNKNOWN, name) if name in ("dlopen", "load_library") else UNKNOWN


def defining_class(kind: Value, code: object, depth: int = 0) -> ClassValue | None:
    """The class, or the base of it, in whose body that function stands."""
    if not isinstance(kind, ClassValue) or depth > _DEEPEST_BASE:
        return None
    if any(isinstance(value, FunctionValue) and value.node is code for value in kind.names.values()):
        return kind
    return next((found for base in kind.bases if (found := defining_class(base, code, depth + 1))), None)


def _of_bases(holder: Super, name: str) -> Value:
    for base in holder.kind.bases:
        found = find_in_class(base, name)
        if isinstance(found, FunctionValue):
            return found if "staticmethod" in found.decorators else Bound(holder.receiver, found)
        if found is not MISSING:
            return found
    return UNKNOWN


def _of_class(kind: ClassValue, name: str) -> Value:
    found = find_in_class(kind, name)
    if isinstance(found, FunctionValue) and "classmethod" in found.decorators:
        return Bound(kind, found)
    if found is MISSING:
        return {"__name__": kind.name, "__module__": kind.module.name}.get(name, UNKNOWN)
    return found


def _of_error(error: ErrorValue, name: str) -> Value:
    if name in ("winerror", "errno") and "OSError" in error.lineage and error.node is not None:
        return LastError(error.node) if name == "winerror" else UNKNOWN
    if name == "name" and error.module is not None:
        return error.module
    if name in ("msg", "message") and error.text is not None:
        return error.text
    if name == "strerror":
        return error.text if error.text is not None else "…"
    if name == "args" and error.text is not None:
        return (error.text,)
    return BuiltinMethod(error, name) if name in ("with_traceback", "add_note") else UNKNOWN


def _of_spec(spec: Spec, name: str) -> Value:
    if name == "origin":
        return spec.origin
    if name == "name":
        return spec.name
    if name == "submodule_search_locations":
        from whyload.startup.values import new_list

        return None if spec.locations is None else new_list(spec.locations)
    return UNKNOWN


def library_function(reader: Reader, library: LibraryValue, name: str) -> Value:
    """A function of a library: the library must have it."""
    own = library.names.get(name, MISSING)
    if own is not MISSING:
        return own
    if name == "_name":
        return library.name
    if name.startswith("_") and (name in ("_handle", "_FuncPtr", "_func_flags_") or _is_dunder(name)):
        return UNKNOWN
    load = library.load
    if load is not None and name not in load.symbols and _is_needed(reader, library):
        load.symbols.append(name)
    return LibraryFunction(library, name)


def _is_needed(reader: Reader, library: LibraryValue) -> bool:
    load = library.load
    if load is None or reader.guarded("AttributeError") > load.guards:
        return False
    here = reader.sink
    while here is not load.home:
        if not isinstance(here.owner, AttemptNode) or here is not here.owner.body or here.parent is None:
            return False
        here = here.parent
    return True
