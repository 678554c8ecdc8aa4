"""importlib, pkgutil and running code: the ways of importing other than the import statement."""

from __future__ import annotations

from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.startup.attempts import exception_names
from whyload.startup.execution import run_block
from whyload.startup.finder import ModuleKind
from whyload.startup.frames import Frame
from whyload.startup.imports import import_name
from whyload.startup.known.table import Table, argument, path_text, register
from whyload.startup.loading import import_dotted, load_extension
from whyload.startup.module_code import read_module
from whyload.startup.modules import Module, State
from whyload.startup.reach import absolute
from whyload.startup.standard import is_standard
from whyload.startup.values import (
    UNKNOWN,
    DictValue,
    FolderFinder,
    Known,
    ListValue,
    ModuleValue,
    Scope,
    Spec,
    Suppress,
    Value,
    new_list,
)
from whyload.world.model import Presence

if TYPE_CHECKING:
    from whyload.startup.reader import Reader

TABLE: Table = {}


@register(TABLE, "importlib.import_module")
def _import_module(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    name = reader.plain(argument(args, keywords, 0, "name"))
    package = reader.plain(argument(args, keywords, 1, "package", None))
    if not isinstance(name, str) or not name.strip("."):
        return UNKNOWN
    level = len(name) - len(name.lstrip("."))
    full = absolute(package if isinstance(package, str) else "", level, name[level:])
    return UNKNOWN if full is None else import_dotted(reader, full)


@register(TABLE, "builtins.__import__", "importlib.__import__")
def _import(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    name = reader.plain(argument(args, keywords, 0, "name"))
    level = reader.plain(argument(args, keywords, 4, "level", 0))
    names = reader.plain(argument(args, keywords, 3, "fromlist", ()))
    if not isinstance(name, str) or not isinstance(level, int):
        return UNKNOWN
    full = absolute(reader.frame.scope.module.package, level, name)
    if not full:
        return UNKNOWN
    value = import_dotted(reader, full)
    items = reader.items(names) if isinstance(names, ListValue) else names if isinstance(names, tuple) else ()
    for item in items:
        if isinstance(item, str) and item != "*":
            import_name(reader, value, item)
    if items or level:
        return value
    top = reader.modules.get(full.partition(".")[0])
    return ModuleValue(top) if top is not None else Known(full.partition(".")[0])


@register(TABLE, "importlib.util.find_spec", "importlib.find_loader", "pkgutil.find_loader", "pkgutil.get_loader")
def _find_spec(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    name = reader.plain(argument(args, keywords, 0, "name"))
    package = reader.plain(argument(args, keywords, 1, "package", None))
    if not isinstance(name, str) or not name:
        return UNKNOWN
    level = len(name) - len(name.lstrip("."))
    full = absolute(package if isinstance(package, str) else "", level, name[level:])
    if full is None or reader.open_finders or full in reader.open_names:
        return UNKNOWN
    if is_standard(full, reader.world.python.version):
        return Spec(full, "built-in", None)
    parent = full.rpartition(".")[0]
    if parent:
        value = import_dotted(reader, parent)
        if not isinstance(value, ModuleValue) or value.module.search is None:
            return UNKNOWN
        folders = tuple(reader.absolute(item) for item in reader.items(value.module.search) if isinstance(item, str))
        found = reader.finder.find(full, folders, top=False)
    else:
        found = reader.sys_path.find(full)
    if found.kind is ModuleKind.MISSING:
        return None
    locations = tuple(folder.text for folder in found.folders) if found.is_package else None
    return Spec(full, found.file.text if found.file is not None else None, locations)


@register(TABLE, "importlib.machinery.FileFinder")
def _folder_finder(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    path = path_text(reader, argument(args, keywords, 0, "path"))
    return UNKNOWN if path is None else FolderFinder(path)


def find_in_folder(reader: Reader, path: str, args: list[Value]) -> Value:
    """`FileFinder(path, …).find_spec(name)`, whatever kinds of modules it was made for."""
    name = reader.plain(args[0]) if args else UNKNOWN
    if not isinstance(name, str) or not name:
        return UNKNOWN
    found = reader.finder.find(name, (reader.absolute(path),), top=False)
    if found.kind is ModuleKind.MISSING:
        return None
    return Spec(name, found.file.text if found.file is not None else None, None)


@register(
    TABLE, "importlib.util.spec_from_file_location", "imp.load_dynamic", "importlib.machinery.ExtensionFileLoader"
)
def _spec_from_file(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    name = reader.plain(argument(args, keywords, 0, "name"))
    path = path_text(reader, argument(args, keywords, 1, "location", keywords.get("path", UNKNOWN)))
    return Spec(name, path, None) if isinstance(name, str) and path is not None else UNKNOWN


@register(TABLE, "importlib.util.module_from_spec", "importlib._bootstrap._load")
def _module_from_spec(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:

    spec = reader.plain(args[0]) if args else UNKNOWN
    if not isinstance(spec, Spec) or spec.origin is None or reader.presence(spec.origin) is not Presence.FILE:
        return UNKNOWN
    file = reader.absolute(spec.origin)
    module = Module(spec.name, file, State.OPAQUE, names={"__name__": spec.name, "__file__": file.text})
    if file.suffix == ".pyd":
        load_extension(reader, spec.name, file)
    elif file.suffix == ".py":
        read_module(reader, module)
    return ModuleValue(module)


@register(TABLE, "pkgutil.extend_path")
def _extend_path(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    path, name = reader.plain(argument(args, keywords, 0, "path")), reader.plain(argument(args, keywords, 1, "name"))
    if not isinstance(path, ListValue) or not isinstance(name, str):
        return path
    items = list(reader.items(path))
    known = {item.lower() for item in items if isinstance(item, str)}
    parent = reader.modules.get(name.rpartition(".")[0])
    roots = reader.search_path()
    if parent is not None and parent.search is not None:
        roots = tuple(reader.absolute(item) for item in reader.items(parent.search) if isinstance(item, str))
    last = name.rpartition(".")[2]
    for root in roots:
        listing = reader.finder.listing(root)
        folder = root / last
        if last in listing and folder.key not in known and "__init__.py" in reader.finder.listing(folder):
            items.append(folder.text)
    reader.store.write(path.cell, "items", tuple(items))
    return path


@register(TABLE, "builtins.exec")
def _exec(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    from whyload.startup.skeleton import parse

    code = reader.plain(args[0]) if args else UNKNOWN
    tree = parse(code) if isinstance(code, str) else None
    module = reader.frame.scope.module
    if tree is None or reader.depth >= reader.limits.depth:
        place = reader.where()
        reader.note(
            Message(en="code generated at run time", zh="运行时生成的代码"),
            Message(en=f"exec at {place}", zh=f"{place} 处的 exec"),
        )
        return None
    global_names = reader.plain(args[1]) if len(args) > 1 else None
    local_names = reader.plain(args[2]) if len(args) > 2 else global_names
    scope = reader.frame.scope if len(args) == 1 else Scope({}, module)
    if isinstance(global_names, DictValue) and global_names.names is not module.names:
        module = Module(module.name, module.file, State.RUNNING, names=global_names.names)
    if isinstance(local_names, DictValue):
        scope = Scope(local_names.names, module)
    reader.depth += 1
    try:
        with reader.framed(Frame(scope)):
            run_block(reader, tree.body)
    finally:
        reader.depth -= 1
    return None


@register(TABLE, "builtins.compile")
def _compile(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return argument(args, keywords, 0, "source")


@register(TABLE, "runpy.run_path")
def _run_path(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    place = reader.where()
    reader.note(
        Message(en="a program that the program runs", zh="程序中启动的另一个程序"),
        Message(en=f"runpy at {place}", zh=f"{place} 处的 runpy"),
    )
    return UNKNOWN


@register(TABLE, "asyncio.run", "asyncio.loop.run_until_complete", "asyncio.wait_for")
def _run_coroutine(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    from whyload.startup.calls import run_coroutine

    return run_coroutine(reader, argument(args, keywords, 0, "main"))


@register(TABLE, "asyncio.gather", "asyncio.create_task", "asyncio.ensure_future")
def _run_coroutines(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    """Tasks, taken to be awaited as soon as they are made."""
    from whyload.startup.calls import run_coroutine

    for item in args:
        run_coroutine(reader, item)
    return UNKNOWN


@register(TABLE, "asyncio.get_event_loop", "asyncio.new_event_loop", "asyncio.get_running_loop")
def _event_loop(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return Known("asyncio.loop")


@register(TABLE, "contextlib.suppress")
def _suppress(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return Suppress(exception_names(reader, args) or ("?",))


@register(TABLE, "importlib.reload", "importlib.invalidate_caches")
def _reload(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    return args[0] if args else None


@register(TABLE, "copy.copy", "copy.deepcopy")
def _copy(reader: Reader, args: list[Value], keywords: dict[str, Value]) -> Value:
    value = reader.plain(args[0]) if args else UNKNOWN
    if isinstance(value, ListValue):
        return new_list(reader.items(value), is_set=value.is_set)
    return DictValue(dict(value.names), value.partial) if isinstance(value, DictValue) else value
