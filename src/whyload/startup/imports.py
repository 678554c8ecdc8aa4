"""Import statements: which modules run, which native modules load.

Source: loader.md R3.1, R3.9-R3.13, R4.15; Python reference, "The import system".
"""

from __future__ import annotations

import ast
import contextlib
import itertools
from collections.abc import Iterable

from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.observe.events import ModuleStarted, Raised, Reraised, Via
from whyload.startup.conditions import Flow
from whyload.startup.embedded import CFFI_BACKEND, named_modules
from whyload.startup.execution import run_block, run_module
from whyload.startup.finder import FoundModule, ModuleKind
from whyload.startup.frames import Frame
from whyload.startup.habits import imports_of_extension
from whyload.startup.model import BoundReached, Thrown
from whyload.startup.modules import Module, State
from whyload.startup.paths import relative_folders
from whyload.startup.reach import absolute
from whyload.startup.scan import Scan
from whyload.startup.standard import comes_with_python, extension_modules
from whyload.startup.tree import AttemptNode, Clause, Events, LoadNode, Node, UncertainNode, surely_happened
from whyload.startup.values import UNKNOWN, Known, Later, ListValue, ModuleValue, Scope, Value, new_list
from whyload.startup.variables import bind, module_name
from whyload.world.model import Layout, WorldKind

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
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
        below = _submodule(reader, module, name)
        if below is None and reader.sources.lacks(module.file, name) and not _may_come_from_elsewhere(reader, module):
            raise _cannot_import(reader, module, name)
        return below if below is not None else Later(lambda: module_name(reader, module, name), module, name=name)
    if name in module.names and module.state is not State.OPAQUE:
        known = module_name(reader, module, name)
        if isinstance(known, ModuleValue) and known.module.name == f"{module.name}.{name}":
            _play_again(reader, known.module)
        return known
    below = _submodule(reader, module, name)
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
        reader.finder.has_other_build(folder, name) for folder in _folders(reader, module)
    )


def has_submodule(reader: Reader, module: Module, name: str) -> bool:
    """Is there a file for the submodule `name` of a package?"""
    if module.search is None:
        return False
    found = reader.finder.find(f"{module.name}.{name}", _folders(reader, module), top=False)
    return found.kind is not ModuleKind.MISSING


def _submodule(reader: Reader, module: Module, name: str) -> Value | None:
    full = f"{module.name}.{name}"
    if full in reader.modules:
        return import_dotted(reader, full)
    if module.search is None:
        return None
    found = reader.finder.find(full, _folders(reader, module), top=False)
    return None if found.kind is ModuleKind.MISSING else import_dotted(reader, full)


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
    below = _submodule(reader, module, name)
    return below if below is not None else module_name(reader, module, name)


def import_dotted(reader: Reader, dotted: str) -> Value:
    """Import `a.b.c` and its parents; the value of the last one. Raises Thrown where a part is missing."""
    parts = dotted.split(".")
    parent: Module | None = None
    there = reader.modules.get(dotted)
    if (
        there is not None and parts[0] not in reader.modules
    ):  # sys.modules is asked for the whole name first (CPython, import.c)
        _play_again(reader, there)
        return ModuleValue(there)
    for count in range(1, len(parts) + 1):
        name = ".".join(parts[:count])
        module = reader.modules.get(name)
        if module is None:
            found = _find(reader, name, parent)
            if found.kind is ModuleKind.STANDARD:
                import_standard(reader, dotted)
                return Known(dotted)
            module = _load(reader, found, parent)
            if parent is not None:
                reader.store.write(parent.names, parts[count - 1], ModuleValue(module))
        else:
            _play_again(reader, module)
        parent = reader.modules.get(name, module)
    return ModuleValue(parent) if parent is not None else UNKNOWN


def _folders(reader: Reader, module: Module) -> tuple[WinPath, ...]:
    if module.search is None:
        return ()
    return tuple(reader.absolute(item) for item in reader.items(module.search) if isinstance(item, str))


def _find(reader: Reader, name: str, parent: Module | None) -> FoundModule:
    if parent is None:
        return reader.sys_path.find(name)
    if parent.search is None:
        return FoundModule(name=name, kind=ModuleKind.MISSING, parent_kind=ModuleKind.SOURCE)
    return reader.finder.find(name, _folders(reader, parent), top=False)


def import_standard(reader: Reader, name: str) -> None:
    """A module of the standard library: its extension modules load, where they are there."""
    for native, needed in extension_modules(name, reader.world.python.version):
        file = reader.sys_path.extension(native)
        home = reader.native_homes.get(native)
        if file is None or (home is not None and surely_happened(home, reader.sink)):
            continue
        reader.reach.settled.add(native)
        if needed:
            load_extension(reader, native, file)
            reader.native_homes[native] = reader.sink
            continue
        node = AttemptNode(reader.sink)
        node.clauses.append(Clause(("ImportError",), Events(reader.sink, node)))
        reader.emit(node)
        main, reader.sink = reader.sink, node.body
        load_extension(reader, native, file)
        reader.sink = main
        reader.native_homes[native] = main


def load_extension(reader: Reader, name: str, file: WinPath) -> LoadNode:
    """The load of an extension module (R3.1); R3.7: by a relative path where the entry of `sys.path` is relative."""
    flags = 0x1100 if reader.version >= (3, 8) else 0x8
    folders = relative_folders(reader.world).items()
    asked = next(
        (f"{part}\\{file.relative_to(folder)}" for folder, part in folders if file.is_below(folder)), file.text
    )
    return reader.load(asked, Via.IMPORT, flags, module=name)


def _load(reader: Reader, found: FoundModule, parent: Module | None) -> Module:
    if found.kind is ModuleKind.MISSING:
        return _missing(reader, found, parent)
    module = Module(found.name, found.file, State.OPAQUE)
    module.names.update(
        {"__name__": found.name, "__package__": found.name if found.is_package else found.name.rpartition(".")[0]}
    )
    if found.is_package:
        module.search = new_list([folder.text for folder in found.folders])
        module.names["__path__"] = module.search
    if found.file is not None:
        module.names["__file__"] = found.file.text
    reader.modules[found.name] = module
    module.home = reader.sink
    if found.kind is ModuleKind.NAMESPACE:
        module.state = State.DONE
    elif found.kind is ModuleKind.EXTENSION and found.file is not None:
        reader.reach.settled.add(found.name)
        start = len(reader.sink)
        load_extension(reader, found.name, found.file)
        for other in imports_of_extension(found.name):
            import_dotted(reader, other)
        if reader.follow is None:
            _import_embedded(reader, found.name, found.file)
        module.played = tuple(node for node in reader.sink[start:] if _counts(node))
    elif found.kind is ModuleKind.BYTECODE:
        reader.note(
            found.name,
            Message(
                en=f"only bytecode is there ({found.file}); what it loads is not known",
                zh=f"只有字节码（{found.file}），无法得知它加载什么",
            ),
        )
    elif (state := reader.treatment(found)) is State.RUNNING:
        if reader.follow is None and reader.reach.is_plain(found):
            scan = reader.sources.scan(found.file) if found.file is not None else Scan((), False)
            _import_plainly(reader, module, scan)
        else:
            read_module(reader, module)
    else:
        module.state = state
    return module


def _import_plainly(reader: Reader, module: Module, scan: Scan) -> None:
    """Of a module that does nothing else for native code only the imports; the rest when a name of it is asked for."""
    main, start = reader.sink, len(reader.sink)
    reader.emit(ModuleStarted(module=module.name, file=module.file, place=reader.place()))
    with reader.framed(Frame(Scope(module.names, module))):
        for line in scan.imports:
            base = absolute(module.package, line.level, line.module)
            if base is None or line.guarded:
                continue
            reader.line = line.line
            value = import_dotted(reader, base)
            for name in line.names:
                if isinstance(value, ModuleValue):
                    _submodule(reader, value.module, name)
                elif extension_modules(f"{base}.{name}", reader.world.python.version):
                    import_standard(reader, f"{base}.{name}")
    module.state = State.PASSED
    module.played = tuple(node for node in main[start:] if _counts(node))


def _import_embedded(reader: Reader, name: str, file: WinPath) -> None:
    """The modules that an extension module names in its own file.

    Those of its own package it almost surely imports while it is initialised, and cannot do without (so does what cffi
    generated with `_cffi_backend`); others load, but the import may not depend on them.
    """
    own = name.partition(".")[0]
    packages = dict.fromkeys([own, *(other.partition(".")[0] for other in reader.reach.settled if "." in other)])
    for other in named_modules(reader.world.files, file, packages):
        if other in reader.modules:
            continue
        if _is_needed(reader, own, other):
            _import_likely(reader, other)
        elif _is_extension(reader, other):
            _import_uncertain(reader, f"{name} names {other}", other)


def _is_needed(reader: Reader, own: str, other: str) -> bool:
    """Is it `_cffi_backend`, or a native module, of this Python or another, in a package that is imported already?"""
    if other == CFFI_BACKEND:
        return True
    package, _, last = other.rpartition(".")
    parent = reader.modules.get(package)
    if parent is None or other.partition(".")[0] != own:
        return False
    folders = _folders(reader, parent)
    found = reader.finder.find(other, folders, top=False)
    return found.kind is ModuleKind.EXTENSION or any(reader.finder.has_other_build(item, last) for item in folders)


def _import_likely(reader: Reader, other: str) -> None:
    before, reader.is_guessing = reader.is_guessing, True
    try:
        import_dotted(reader, other)
    finally:
        reader.is_guessing = before


def _import_uncertain(reader: Reader, condition: str, other: str) -> None:
    node = UncertainNode(condition, Events(reader.sink))
    reader.emit(node)
    main, reader.sink = reader.sink, node.body
    with contextlib.suppress(Thrown):
        import_dotted(reader, other)
    reader.sink = main


def _is_extension(reader: Reader, name: str) -> bool:
    """Does the name lead to an extension module, its packages taken as they lie on disk?"""
    parts = name.split(".")
    found = reader.sys_path.find(parts[0])
    for count in range(2, len(parts) + 1):
        if not found.is_package:
            return False
        found = reader.finder.find(".".join(parts[:count]), found.folders, top=False)
    return found.kind is ModuleKind.EXTENSION


def _missing(reader: Reader, found: FoundModule, parent: Module | None) -> Module:
    text = f"No module named {found.name!r}"
    if parent is not None and parent.search is None:
        text += f"; {parent.name!r} is not a package"
    reason = _why_unsure(reader, found.name, parent)
    if reason is None:
        raise reader.throw("ModuleNotFoundError", text, module=found.name)
    node = UncertainNode(reason.en, Events(reader.sink))
    node.body.append(Raised(exception="ModuleNotFoundError", text=text, module=found.name, place=reader.place()))
    reader.emit(node)
    if parent is None or parent.search is not None:
        reader.note(found.name, reason, is_gap=False)
    module = Module(found.name, None, State.OPAQUE, search=new_list(()))
    module.home = reader.sink
    reader.modules[found.name] = module
    return module


def _why_unsure(reader: Reader, name: str, parent: Module | None) -> Message | None:
    if name in reader.open_names or (parent is not None and reader.is_open(parent.name)):
        return Message(en="its package creates modules at run time", zh="它所属的包在运行时生成模块")
    if parent is not None and parent.state in (State.OPAQUE, State.PASSED) and parent.search is not None:
        unread = Message(en="its package was not read", zh="它所属的包未被读取")
        return unread if parent.state is State.OPAQUE else None
    if parent is not None and parent.state is State.OPAQUE:
        return Message(en="its parent is a native module", zh="它的上级是原生模块")
    if reader.world.python.layout in (Layout.FROZEN, Layout.PYINSTALLER):
        return Message(en="modules inside the program's own archive are not read", zh="程序自带归档中的模块不读取")
    if reader.world.kind is WorldKind.REQUIREMENT and comes_with_python(name, reader.world.python.version):
        return Message(en="a fresh Python has it, but this one does not", zh="Python 本应自带它，而这里没有")
    if parent is None and reader.open_finders:
        return Message(en="a start-up file installs its own import finder", zh="某个启动文件安装了自己的模块查找器")
    return None


def read_module(reader: Reader, module: Module) -> None:
    """Read the code of a module as it runs."""
    from whyload.startup.skeleton import is_no_python

    file = module.file
    text = reader.sources.text(file) if file is not None else None
    if text is None:
        reader.note(module.name, Message(en=f"its source is not known ({file})", zh=f"其源码未知（{file}）"))
        return
    body = _body(reader, text)
    if body is None and is_no_python(text, reader.version):
        reader.modules.pop(module.name, None)
        raise reader.throw("SyntaxError", f"invalid syntax ({file})")
    if body is None:
        reader.note(module.name, Message(en=f"its source does not parse ({file})", zh=f"其源码无法解析（{file}）"))
        return
    if reader.import_depth >= reader.limits.import_depth:
        reader.note(module.name, Message(en="stopped following imports at this depth", zh="导入层数过深，不再继续跟踪"))
        return
    start, main, line = len(reader.sink), reader.sink, reader.line
    reader.emit(ModuleStarted(module=module.name, file=file, place=reader.place()))
    module.text, module.state = text, State.RUNNING
    reader.import_depth += 1
    depth, reader.depth = reader.depth, 0
    spent = reader.work - reader.call_work
    guards = len(reader.guards)
    try:
        with reader.framed(Frame(Scope(module.names, module))):
            if reader.import_depth == 1 and main is reader.root:
                run_module(reader, body)
            else:
                run_block(reader, body)
        module.state = State.DONE
    except Thrown:
        module.state = State.FAILED
        reader.modules.pop(module.name, None)
        reader.failed[module.name] = module
        raise
    except RecursionError:
        reader.note(module.name, Message(en="its code is nested too deeply to be read", zh="其代码嵌套过深，无法读取"))
        module.state = State.OPAQUE
    except BoundReached:
        module.state = State.OPAQUE
        raise
    finally:
        reader.import_depth -= 1
        reader.depth, reader.line = depth, line
        reader.call_work = reader.work - spent
        del reader.guards[guards:]
        reader.sink = main
        module.played = tuple(node for node in main[start:] if _counts(node))


def _body(reader: Reader, text: str) -> Iterable[ast.stmt] | None:
    """The statements of a module, those of the outermost one parsed as they are reached; None: it does not parse."""
    if reader.import_depth or reader.sink is not reader.root or reader.reads_whole:
        from whyload.startup.skeleton import parse

        tree = parse(text)
        return tree.body if tree is not None else None
    from whyload.startup.pieces import UnparsedRest, statements

    found = statements(text)
    try:
        first = next(found, None)
    except UnparsedRest:
        return None
    return itertools.chain(() if first is None else (first,), found)


def _counts(node: Node) -> bool:
    """Is it worth playing again: a load, or an error on its way?"""
    if isinstance(node, AttemptNode):
        ends = (node.body, node.orelse, *(clause.handler for clause in node.clauses))
        return any(
            isinstance(item, LoadNode) or (isinstance(item, AttemptNode) and _counts(item))
            for end in ends
            for item in end
        )
    return isinstance(node, (LoadNode, Raised, Reraised))


def read_now(reader: Reader, module: Module) -> None:
    """Read a module that was passed by, because a value of it is asked for."""
    module.state = State.OPAQUE
    position = reader.store.position
    try:
        read_module(reader, module)
    except Thrown:
        reader.modules[module.name] = module
        module.state = State.OPAQUE
    reader.store.settle(position, module.names)


def _play_again(reader: Reader, module: Module) -> None:
    if module.state is State.RUNNING or not module.played or surely_happened(module.home, reader.sink):
        return
    module.home = reader.sink
    for node in module.played:
        reader.emit(node)
