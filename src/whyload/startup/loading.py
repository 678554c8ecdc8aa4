"""Loading of modules by their names: packages first, what native modules import by themselves, and what is missing.

Source: loader.md R3.1, R3.7, R3.9-R3.13; Python reference, "The import system".
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterable

from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.observe.events import ModuleStarted, Raised, Via
from whyload.startup.embedded import CFFI_BACKEND, named_modules
from whyload.startup.execution import run_block
from whyload.startup.finder import FoundModule, ModuleKind
from whyload.startup.frames import Frame
from whyload.startup.habits import imports_of_extension
from whyload.startup.model import Thrown
from whyload.startup.module_code import keep_for_later, play_again, read_module
from whyload.startup.modules import Module, State
from whyload.startup.paths import relative_folders
from whyload.startup.reach import absolute
from whyload.startup.slices import sliced
from whyload.startup.standard import comes_with_python, extension_modules
from whyload.startup.tree import AttemptNode, Clause, Events, LoadNode, UncertainNode, surely_happened
from whyload.startup.values import UNKNOWN, Known, ModuleValue, Scope, Value, new_list
from whyload.world.model import Layout, WorldKind

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.startup.reader import Reader
    from whyload.startup.scan import ImportLine


def has_submodule(reader: Reader, module: Module, name: str) -> bool:
    """Is there a file for the submodule `name` of a package?"""
    if module.search is None:
        return False
    found = reader.finder.find(f"{module.name}.{name}", folders_of(reader, module), top=False)
    return found.kind is not ModuleKind.MISSING


def submodule(reader: Reader, module: Module, name: str) -> Value | None:
    """The submodule `name` of a package, imported; None where there is no file for it."""
    full = f"{module.name}.{name}"
    is_there = full in reader.modules or has_submodule(reader, module, name)
    return import_dotted(reader, full) if is_there else None


def import_dotted(reader: Reader, dotted: str) -> Value:
    """Import `a.b.c` and its parents; the value of the last one. Raises Thrown where a part is missing."""
    parts = dotted.split(".")
    parent: Module | None = None
    there = reader.modules.get(dotted)
    if (
        there is not None and parts[0] not in reader.modules
    ):  # sys.modules is asked for the whole name first (CPython, import.c)
        play_again(reader, there)
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
            play_again(reader, module)
        parent = reader.modules.get(name, module)
    return ModuleValue(parent) if parent is not None else UNKNOWN


def folders_of(reader: Reader, module: Module) -> tuple[WinPath, ...]:
    """Where the submodules of a package are looked for."""
    if module.search is None:
        return ()
    return tuple(reader.absolute(item) for item in reader.items(module.search) if isinstance(item, str))


def _find(reader: Reader, name: str, parent: Module | None) -> FoundModule:
    if parent is None:
        return reader.sys_path.find(name)
    if parent.search is None:
        return FoundModule(name=name, kind=ModuleKind.MISSING, parent_kind=ModuleKind.SOURCE)
    return reader.finder.find(name, folders_of(reader, parent), top=False)


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
        keep_for_later(module, reader.sink[start:])
    elif found.kind is ModuleKind.BYTECODE:
        reader.note(
            found.name,
            Message(
                en=f"only bytecode is there ({found.file}); what it loads is not known",
                zh=f"只有字节码（{found.file}），无法得知它加载什么",
            ),
        )
    elif (state := reader.treatment(found)) is State.RUNNING:
        if reader.follow is not None or not reader.reach.is_plain(found) or not _import_plainly(reader, module, found):
            read_module(reader, module)
    else:
        module.state = state
    return module


def _import_plainly(reader: Reader, module: Module, found: FoundModule) -> bool:
    """Of a module that does nothing else for native code only the imports; the rest when a name of it is asked for.

    False where they cannot be told from the rest.
    """
    imports = reader.sources.scan(found.file).imports if found.file is not None else ()
    conditional = reader.reach.conditional(found)
    part: ast.Module | None = None
    if conditional and found.file is not None:
        always = [line.line for line in imports if not line.guarded]
        part = sliced(reader.sources.text(found.file) or "", always, conditional)
        if part is None:
            return False
    main, start = reader.sink, len(reader.sink)
    reader.emit(ModuleStarted(module=module.name, file=module.file, place=reader.place()))
    with reader.framed(Frame(Scope({**module.names}, module))):
        if part is not None:
            run_block(reader, part.body)
        else:
            _import_each(reader, module, imports)
    module.state = State.PASSED
    keep_for_later(module, main[start:])
    return True


def _import_each(reader: Reader, module: Module, imports: Iterable[ImportLine]) -> None:
    for line in imports:
        base = absolute(module.package, line.level, line.module)
        if base is None or line.guarded:
            continue
        reader.line = line.line
        value = import_dotted(reader, base)
        for name in line.names:
            if isinstance(value, ModuleValue):
                submodule(reader, value.module, name)
            elif extension_modules(f"{base}.{name}", reader.world.python.version):
                import_standard(reader, f"{base}.{name}")


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
    folders = folders_of(reader, parent)
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
        return Message(en="modules inside the program's own archive are not read", zh="不读取程序自带归档中的模块")
    if reader.world.kind is WorldKind.REQUIREMENT and comes_with_python(name, reader.world.python.version):
        return Message(en="a fresh Python has it, but this one does not", zh="Python 本应自带它，而这里没有")
    if parent is None and reader.open_finders:
        return Message(en="a start-up file installs its own import finder", zh="某个启动文件安装了自己的模块查找器")
    return None
