"""The reader: one process that is being imagined, its modules, its state and the events seen so far.

Source: loader.md R4.14, R4.15. What R4.1 to R4.10 say of delvewheel's block and of torch needs no code of its own: it
is read from the packages' files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from whyload.base.message import Message, Text
from whyload.base.paths import WinPath
from whyload.base.typing import NoReturn, TypeVar
from whyload.observe.events import EnvironmentChanged, Place, Raised, Reraised, Via
from whyload.startup.execution import Grammar
from whyload.startup.finder import Finder, FoundModule, SysPath
from whyload.startup.frames import Frame
from whyload.startup.functions import Functions
from whyload.startup.looks import Looks
from whyload.startup.model import BoundReached, CallBound, Limits, Note, Thrown, Watch
from whyload.startup.modules import Module, State, lacks_until
from whyload.startup.paths import python_paths
from whyload.startup.reach import Reach
from whyload.startup.sources import Sources
from whyload.startup.standard import extension_modules, is_standard
from whyload.startup.store import Store
from whyload.startup.tree import AttemptNode, Events, Lineage, LoadNode, Node, catches, lineage
from whyload.startup.values import MISSING, UNKNOWN, ErrorValue, Fork, Later, ListValue, Namespace, Value, new_list
from whyload.startup.words import calls
from whyload.world.model import Environment, Presence, World

_Leaf = TypeVar("_Leaf", bound=Node)


class Reader:
    """State of the imagined process; the rooms around it (imports, expressions, statements, natives) work on it."""

    reads_whole = False
    """The outermost module, too, is parsed before its first statement is read."""

    def __init__(
        self, world: World, grammar: Grammar, limits: Limits | None = None, watch: Watch | None = None
    ) -> None:
        self.world: World = world
        self.grammar = grammar
        self.looks = Looks(watch) if watch is not None else None
        self.limits = limits or Limits()
        self.version: tuple[int, int] = (world.python.version.major, world.python.version.minor)
        self.store = Store()
        self.root = Events()
        self.sink = self.root
        self.modules: dict[str, Module] = {}
        self.notes: dict[Note, None] = {}
        self.error_classes: dict[str, Lineage] = {}
        self.handling: list[ErrorValue] = []
        self.guards: list[tuple[str, ...]] = []
        """What the except clauses around the current place catch, outermost first."""
        self.assumed: Namespace = {}
        """How an attempt ended, as far as the current place depends on it."""
        self.left: Namespace = {}
        """Attempts of which one end went another way (return, break, continue) that comes back later."""
        self.continued = 0
        """How often an earlier attempt was continued."""
        self.known: Namespace = {}
        self.frames: list[Frame] = []
        self.line = 0
        self.depth = 0
        self.work = 0
        self.call_work = 0
        self.events = 0
        self.loads = 0
        self.has_gaps = False
        """Something before the current place was not read."""
        self.is_guessing = False
        """What is being imported is likely, not sure, to be imported here."""
        self.open_finders = False
        """A module finder of another kind is installed: what is not found may still be there."""
        self.open_names: set[str] = set()
        """Modules that the program makes itself (`sys.modules[name] = …`)."""
        self.failed: dict[str, Module] = {}
        self.native_homes: dict[str, Events] = {}
        self.import_depth = 0
        self.functions = Functions()
        self.follow: Callable[[FoundModule], State] | None = None
        """What to do with a module; None: read all that can matter."""
        self.sources = Sources(world.files, self.limits, self.note)
        self.finder: Finder = Finder(world.files, world.python)
        self.sys_path = SysPath(self.finder, self.search_path)
        self.search = new_list([path.text for path in python_paths(world)])
        self.store.process = {"environment": world.environment, "cwd": world.process.cwd}
        self.store.write(self.known, "sys.path", self.search)
        self._folders: tuple[tuple[Value, ...], WinPath, tuple[WinPath, ...]] = (), self.cwd, ()
        """The folders of `sys.path`, and what they were made of."""
        self.reach = self._reach()

    def _reach(self) -> Reach:
        return Reach(
            find=self._find,
            read=self.sources.scan,
            present=lambda name: self.sys_path.extension(name) is not None,
            is_imported=self.modules.__contains__,
            natives=lambda name: tuple(native for native, _ in extension_modules(name, self.world.python.version)),
            lacks=self.sources.lacks,
            lacks_at_all=self.sources.lacks_at_all,
            calls=lambda file, name: calls(self.sources.text(file) or "", name),
            is_own=lambda name: is_standard(name, self.world.python.version),
        )

    # ---- the machine ----

    @property
    def environment(self) -> Environment:
        """The environment of now."""
        return self.store.process["environment"]  # type: ignore[no-any-return]

    @property
    def cwd(self) -> WinPath:
        """The current folder of now."""
        return self.store.process["cwd"]  # type: ignore[no-any-return]

    def set_variable(self, name: str, value: str | None) -> None:
        """The program sets or removes a variable; `value` may hold unknown parts as the empty text."""
        if self.environment.get(name) == value:
            return
        self.emit(EnvironmentChanged(name=name, value=value))
        self.store.write(self.store.process, "environment", self.environment.with_value(name, value))

    def is_variable_known(self, name: str) -> bool:
        """True where the absence of a variable is knowledge: all of PATH is, or nothing was said of the environment."""
        return "PATH" in self.environment or bool(len(self.environment))

    def absolute(self, path: str) -> WinPath:
        """A path as Windows would make it absolute."""
        given = WinPath(path)
        return given if given.is_absolute else self.cwd / path

    def presence(self, path: str) -> Presence:
        """What stands at a path of the program."""
        return self.world.files.presence(self.absolute(path)) if path and "\0" not in path else Presence.ABSENT

    def release(self) -> None:
        """Reading is over: let go of the syntax trees, which lie in circles, rather than leave them to be found."""
        for module in [*self.modules.values(), *self.failed.values()]:
            module.names.clear()
            module.stars, module.played, module.home = (), (), None
        self.__dict__.clear()

    def search_path(self) -> tuple[WinPath, ...]:
        """`sys.path` of now."""
        value = self.known.get("sys.path", self.search)
        items = value.items if isinstance(value, ListValue) else self.search.items
        if self._folders[0] is not items or self._folders[1] is not self.cwd:
            folders = tuple(self.absolute(item) if item else self.cwd for item in items if isinstance(item, str))
            self._folders = items, self.cwd, folders
        return self._folders[2]

    def _find(self, name: str, folders: tuple[WinPath, ...] | None) -> FoundModule:
        return self.sys_path.find(name) if folders is None else self.finder.find(name, folders, top=False)

    def search_changed(self) -> None:
        """`sys.path` is another one now."""
        self.sys_path.forget()
        self.reach.forget()

    def treatment(self, found: FoundModule) -> State:
        """RUNNING: read it; PASSED: read it when a name of it is asked for; OPAQUE: never."""
        if self.follow is not None:
            return self.follow(found)
        return State.RUNNING if self.reach.can_matter(found) else State.PASSED

    def is_open(self, package: str) -> bool:
        """True where a package may hold modules that no file stands for."""
        module = self.modules.get(package) or self.failed.get(package)
        return module is not None and module.file is not None and self.sources.makes_modules(module.file)

    def lacks_so_far(self, module: Module, name: str) -> bool:
        """True only where a module that is still being read cannot have `name` yet."""
        for frame in reversed(self.frames):
            if frame.scope.names is module.names:
                line = self.line if frame is self.frames[-1] else frame.line
                return not module.stars and lacks_until(module.text, name, line)
        return False

    def where(self) -> str:
        """The current place, for a note."""
        place = self.place()
        return "the program" if place is None or place.file is None else f"{place.file}:{place.line}"

    # ---- events ----

    def place(self) -> Place | None:
        """The line that is being read."""
        if not self.frames:
            return None
        return Place(file=self.frames[-1].scope.module.file, line=self.line)

    def emit(self, node: _Leaf) -> _Leaf:
        """Something happens."""
        self.events += 1
        if self.events > self.limits.events:
            most = self.limits.events
            self._stop(Message(en=f"stopped reading after {most} events", zh=f"读到 {most} 个事件后停止"))
        if self.sink.depth > self.limits.nesting:
            most = self.limits.nesting
            self._stop(Message(en=f"stopped reading {most} conditions deep", zh=f"条件嵌套到 {most} 层后停止读取"))
        self.sink.append(node)
        return node

    def look(self) -> None:
        """A place where nothing is half done: has the program failed already?"""
        if self.looks is not None:
            self.looks.look(self.root, self.work, self.loads)

    def load(self, name: str, via: Via, flags: int, module: str | None = None) -> LoadNode:
        """A library is asked for."""
        self.loads += 1
        return self.emit(
            LoadNode(
                name=name,
                via=via,
                flags=flags,
                module=module,
                place=self.place(),
                home=self.sink,
                guards=self.guarded("AttributeError"),
                is_likely=self.is_guessing or self.has_gaps,
            )
        )

    def throw(self, name: str, text: str, module: str | None = None, kinds: Lineage | None = None) -> Thrown:
        """The exception to raise for an error of the program, its event being recorded: `raise reader.throw(…)`."""
        kinds = kinds or self.lineage(name)
        if self.handling and name != "SystemExit":
            self.emit(Reraised(text=text or None, exception=kinds[0]))
        else:
            self.emit(Raised(exception=kinds[0], text=text, module=module, place=self.place()))
        return Thrown(kinds, text, module)

    def lineage(self, name: str) -> Lineage:
        """The exception class of that name and what it derives from."""
        return self.error_classes.get(name) or lineage(name)

    def note(self, what: Text, why: Text, *, is_gap: bool = True) -> None:
        """Something is not analysed; a gap is what may have changed the process for all that comes after it."""
        self.has_gaps = self.has_gaps or is_gap
        self.notes.setdefault(Note(what=what, why=why))

    def _stop(self, why: Text) -> NoReturn:
        self.note(Message(en="start-up", zh="启动代码"), why)
        raise BoundReached

    def spend(self, amount: int = 1) -> None:
        """Count work."""
        self.work += amount
        if self.work > self.limits.work:
            most = self.limits.work
            self._stop(Message(en=f"stopped reading after {most} steps", zh=f"读取 {most} 步后停止"))
        if self.depth and self.work - self.call_work > self.limits.function_work:
            raise CallBound

    def guarded(self, name: str) -> int:
        """How many of the try statements around catch an exception of that name."""
        kinds = self.lineage(name)
        return sum(1 for names in self.guards if catches(names, kinds))

    # ---- values ----

    def settle(self, value: Value) -> Value:
        """A value with what is assumed here applied and what was put off worked out."""
        for _ in range(64):
            if isinstance(value, Later):
                if value.result is MISSING:
                    value.result = UNKNOWN
                    value.result = value.work()
                value = value.result
            elif isinstance(value, Fork) and isinstance(ok := self._outcome(value.node), bool):
                value = value.ok if ok else value.failed
            else:
                return value
        return UNKNOWN

    def _outcome(self, node: AttemptNode) -> Value:
        value = self.assumed.get(node, MISSING)
        return self._outcome_of(value) if isinstance(value, Fork) else value

    def _outcome_of(self, value: Fork) -> Value:
        """An outcome that is known only where another attempt ended one way."""
        for _ in range(8):
            ok = self.assumed.get(value.node)
            if not isinstance(ok, bool):
                return MISSING
            found = value.ok if ok else value.failed
            if not isinstance(found, Fork):
                return found
            value = found
        return MISSING

    def plain(self, value: Value) -> Value:
        """A settled value; of one that depends on an attempt, the side where that succeeded."""
        value = self.settle(value)
        while isinstance(value, Fork):
            value = self.settle(value.ok if value.ok is not MISSING else value.failed)
        return UNKNOWN if value is MISSING else value

    def items(self, value: ListValue) -> tuple[Value, ...]:
        """The items of a list, where they depend on an attempt those of its success."""
        items = self.plain(value.cell["items"])
        return items if isinstance(items, tuple) else ()

    @property
    def frame(self) -> Frame:
        """The code that is being read."""
        return self.frames[-1]

    @contextmanager
    def framed(self, frame: Frame) -> Iterator[Frame]:
        """Read in another frame."""
        line = self.line
        if self.frames:
            self.frames[-1].line = line
        self.frames.append(frame)
        try:
            yield frame
        finally:
            self.frames.pop()
            self.line = line

    def attribute(self, dotted: str) -> Value:
        """What the program stored under a name of the standard library (`sys.OpenCV_LOADER = True`), else MISSING."""
        return self.known.get(dotted, MISSING)
