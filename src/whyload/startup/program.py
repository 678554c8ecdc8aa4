"""The front door of the room: the start-up of a program, read from its source (loader.md sections 3 and 4)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.base.room import with_room
from whyload.base.typing import TYPE_CHECKING, Final
from whyload.startup.compound import COMPOUND
from whyload.startup.definitions import DEFINITIONS
from whyload.startup.execution import Grammar, run_block, run_module
from whyload.startup.expressions import EXPRESSIONS
from whyload.startup.frames import Frame
from whyload.startup.loading import import_dotted
from whyload.startup.model import BoundReached, Limits, ProgramEnd, Startup, Thrown, Watch
from whyload.startup.module_code import read_now
from whyload.startup.modules import Module, State
from whyload.startup.operators import OPERATORS
from whyload.startup.paths import path_file_code
from whyload.startup.pieces import UnparsedRest
from whyload.startup.reader import Reader
from whyload.startup.skeleton import parse
from whyload.startup.statements import STATEMENTS
from whyload.startup.tree import Freezer
from whyload.startup.values import DictValue, ListValue, Scope
from whyload.world.model import Presence, World, read_text

if TYPE_CHECKING:
    from whyload.startup.finder import FoundModule

_KNOWN_HOOKS = ("_distutils_hack", "distutils-precedence")
_GRAMMAR: Final = Grammar(
    expressions={**EXPRESSIONS, **OPERATORS}, statements={**STATEMENTS, **COMPOUND, **DEFINITIONS}
)


def read_import(
    world: World,
    modules: Sequence[str],
    limits: Limits | None = None,
    follow: Callable[[FoundModule], State] | None = None,
    watch: Watch | None = None,
) -> Startup:
    """What `import a; import b` does, in one process.

    `follow` says what to do with a module (see `Reader.treatment`), instead of reading all that can matter.
    """

    def program(reader: Reader) -> None:
        with reader.framed(_main(reader, None)):
            for name in modules:
                reader.line += 1
                import_dotted(reader, name)

    kind = "import" if follow is None else "context"
    return _read(world, (kind, *modules), program, limits, watch, follow)


def read_code(world: World, code: str, limits: Limits | None = None, watch: Watch | None = None) -> Startup:
    """What `python -c CODE` does."""
    return _read(world, ("code", code), lambda reader: _run(reader, code, None), limits, watch)


def read_script(world: World, path: WinPath, limits: Limits | None = None, watch: Watch | None = None) -> Startup:
    """What `python PATH` does. Raises UsageError where there is no such script."""
    file = path if path.is_absolute else world.process.cwd / path.text

    def program(reader: Reader) -> None:
        text = read_text(world.files, file)
        if text is not None:
            _run(reader, text, file)
        elif world.files.presence(file) is Presence.ABSENT:
            raise UsageError(Message(en=f"no such script: {file}", zh=f"没有这个脚本：{file}"))
        else:
            reader.note(file.text, Message(en="the program's source cannot be read", zh="无法读取程序的源码"))
            raise BoundReached

    return _read(world, ("script", file.key), program, limits, watch)


def _main(reader: Reader, file: WinPath | None) -> Frame:
    module = Module(
        "__main__", file, State.RUNNING, names={"__name__": "__main__", "__package__": None, "__doc__": None}
    )
    if file is not None:
        module.names["__file__"] = file.text
    reader.modules["__main__"] = module
    return Frame(Scope(module.names, module))


def _run(reader: Reader, code: str, file: WinPath | None) -> None:
    tree = parse(code)
    if tree is None:
        reader.note(Message(en="the program", zh="程序"), Message(en="its source does not parse", zh="源码无法解析"))
        raise BoundReached
    with reader.framed(_main(reader, file)) as frame:
        frame.scope.module.text = code
        run_module(reader, tree.body)


def _read(
    world: World,
    question: tuple[str, ...],
    program: Callable[[Reader], None],
    limits: Limits | None,
    watch: Watch | None,
    follow: Callable[[FoundModule], State] | None = None,
) -> Startup:
    """The start-up of a question (its kind, then its words): the one that is known already, or what reading shows."""
    if world.readings is None:
        return with_room(lambda: _read_here(world, program, limits, watch, follow))
    from whyload.startup.recorded import question_key

    key = question_key(*question)
    known = world.readings.recall(key)
    if isinstance(known, Startup):
        return known
    startup = with_room(lambda: _read_here(world, program, limits, watch, follow))
    world.readings.keep(key, startup)
    return startup


def _read_here(
    world: World,
    program: Callable[[Reader], None],
    limits: Limits | None,
    watch: Watch | None,
    follow: Callable[[FoundModule], State] | None,
) -> Startup:
    reader = Reader(world, _GRAMMAR, limits, watch)
    reader.follow = follow
    stopped = False
    try:
        try:
            _path_files(reader)
            program(reader)
        except UnparsedRest:  # its beginning does not run either
            reader = Reader(world, _GRAMMAR, limits, watch)
            reader.follow, reader.reads_whole = follow, True
            _path_files(reader)
            program(reader)
    except (Thrown, ProgramEnd):
        pass
    except BoundReached:
        stopped = True
    except RecursionError:
        reader.note(
            Message(en="start-up", zh="启动代码"),
            Message(en="the source is nested too deeply to be read", zh="源码嵌套过深，无法读取"),
        )
        stopped = True
    startup = Startup(events=Freezer().freeze(reader.root), notes=tuple(reader.notes), stopped=stopped)
    reader.release()
    return startup


def _path_files(reader: Reader) -> None:
    """Lines of `.pth` files that are code; an error in one is printed by Python and does not end the start-up."""
    for file, line in path_file_code(reader.world, reader.search_path()):
        if any(hook in line for hook in _KNOWN_HOOKS):
            reader.open_names.add("distutils")
            continue
        tree = parse(line.strip())
        if tree is None:
            continue
        with contextlib.suppress(Thrown), reader.framed(_main(reader, file)):
            run_block(reader, tree.body)
    for module in list(reader.modules.values()):
        if module.name.startswith("__editable__"):
            _editable(reader, module)
        elif module.file is not None and "meta_path" in (reader.sources.text(module.file) or ""):
            reader.open_finders = True
    reader.modules.pop("__main__", None)


def _editable(reader: Reader, module: Module) -> None:
    """An editable installation (setuptools): its finder maps packages to folders elsewhere."""
    if module.state is State.PASSED:
        read_now(reader, module)
    mapping = module.names.get("MAPPING")
    search = reader.attribute("sys.path")
    if not isinstance(mapping, DictValue) or not isinstance(search, ListValue):
        reader.open_finders = True
        return
    folders = [WinPath(path).parent.text for path in mapping.names.values() if isinstance(path, str)]
    reader.store.write(search.cell, "items", (*reader.items(search), *dict.fromkeys(folders)))
    reader.search_changed()
