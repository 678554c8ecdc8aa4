"""The reader: one process that is being imagined, its modules, its state and the events seen so far.

Source: loader.md R4.14, R4.15. What R4.1 to R4.10 say of delvewheel's block and of torch needs no code of its own: it
is read from the packages' files.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from whyload.base.dataclass import dataclass, field
from whyload.base.message import Message, Text
from whyload.base.paths import WinPath
from whyload.base.regular import regular
from whyload.base.typing import TypeVar
from whyload.observe.events import DirectoryAdded, EnvironmentChanged, Place, Raised, Reraised, Via
from whyload.startup.finder import Finder, FoundModule
from whyload.startup.looks import Looks
from whyload.startup.model import BoundReached, CallBound, Limits, Note, Thrown, Watch
from whyload.startup.modules import Module, State, has_word, is_closed, lacks_until, words_of
from whyload.startup.paths import python_paths
from whyload.startup.reach import Reach
from whyload.startup.scan import Scan, calls, scan
from whyload.startup.shape import Shape, shape_of
from whyload.startup.standard import extension_modules
from whyload.startup.store import Changes, Store
from whyload.startup.tree import (
    AttemptNode,
    Events,
    Lineage,
    LoadNode,
    Node,
    UncertainNode,
    catches,
    lineage,
)
from whyload.startup.values import (
    MISSING,
    UNKNOWN,
    ErrorValue,
    Fork,
    Known,
    Later,
    ListValue,
    Namespace,
    Scope,
    Value,
    new_list,
)
from whyload.world.model import Environment, Presence, World, read_text

_START_UP = Message(en="start-up", zh="启动代码")

_MAKES_MODULES = regular(
    r"sys\.modules\s*\[[^\]\n]+\]\s*=[^=]|sys\.modules\.(?:setdefault|update)|\bmodules\[[^\]\n]+\]\s*=[^=]|meta_path|extend_path|__path__\s*[+=.]"
)
_WORTH_A_SET = 12
"""Questions for words of a text after which all its words are kept."""
_Leaf = TypeVar("_Leaf", bound=Node)


@dataclass(slots=True)
class Exit:
    """A way out of a loop or function that only one side of a condition takes."""

    flow: int
    value: Value
    sink: Events
    changes: Changes = field(default_factory=dict)
    node: AttemptNode | None = None
    failed: bool = False
    since: int = 0
    """Where the way parted, as a position in the store's memory."""


@dataclass(slots=True)
class Frame:
    """A piece of code that is being read: a module, a class body, a function call."""

    scope: Scope
    exits: list[Exit] = field(default_factory=list)
    globals: frozenset[str] = frozenset()
    nonlocals: frozenset[str] = frozenset()
    yields: list[Value] | None = None
    on_yield: Callable[[Value], None] | None = None
    """What the body of a with statement does at the generator's yield."""
    is_function: bool = False
    line: int = 0
    """Where it stands while an inner frame is read."""
    code: ast.AST | None = None
    """The function."""


class Reader:
    """State of the imagined process; the rooms around it (imports, expressions, statements, natives) work on it."""

    reads_whole = False
    """The outermost module, too, is parsed before its first statement is read."""

    def __init__(self, world: World, limits: Limits | None = None, watch: Watch | None = None) -> None:
        self.world = world
        self.looks = Looks(watch) if watch is not None else None
        self.limits = limits or Limits()
        self.version = (world.python.version.major, world.python.version.minor)
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
        self.spent_in: dict[ast.AST, int] = {}
        """Work in each function, over all its calls."""
        self.long_calls: dict[ast.AST, int] = {}
        """How many calls of a function took much work."""
        self.worth: dict[ast.AST, bool] = {}
        """Functions that were looked at: may calling them matter?"""
        self.shapes: dict[ast.AST, Shape] = {}
        self.follow: Callable[[FoundModule], State] | None = None
        """What to do with a module; None: read all that can matter."""
        self.finder = Finder(world.files, world.python)
        self.search = new_list([path.text for path in python_paths(world)])
        self.store.process = {"environment": world.environment, "cwd": world.process.cwd}
        self.store.write(self.known, "sys.path", self.search)
        self._scans: dict[WinPath, Scan] = {}
        self._texts: dict[WinPath, str] = {}
        self._words: dict[WinPath, frozenset[str]] = {}
        self._closed: dict[WinPath, bool] = {}
        self._asked: dict[WinPath, int] = {}
        self._natives: dict[str, WinPath | None] = {}
        self._tops: dict[str, FoundModule] = {}
        self.reach = self._reach()

    def _reach(self) -> Reach:
        return Reach(
            find=self._find,
            read=self.scan,
            present=lambda name: self.standard_native(name) is not None,
            is_imported=self.modules.__contains__,
            natives=lambda name: tuple(native for native, _ in extension_modules(name, self.world.python.version)),
            lacks=self.lacks,
            lacks_at_all=self.lacks_at_all,
            calls=lambda file, name: calls(self.text(file) or "", name),
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

    def text(self, file: WinPath) -> str | None:
        """A source text; each file is read once."""
        text = self._texts.get(file)
        if text is None:
            text = read_text(self.world.files, file, self.limits.source)
            if text is None:
                return None
            self._texts[file] = text
        return text

    def shape(self, node: ast.AST) -> Shape:
        """What a function's own statements are, as far as its frame depends on it."""
        found = self.shapes.get(node)
        if found is None:
            found = self.shapes[node] = shape_of(node)
        return found

    def release(self) -> None:
        """Reading is over: let go of the syntax trees, which lie in circles, rather than leave them to be found."""
        for module in [*self.modules.values(), *self.failed.values()]:
            module.names.clear()
            module.stars, module.played, module.home = (), (), None
        self.__dict__.clear()

    def mentions(self, file: WinPath | None, name: str) -> bool:
        """Is `name` a word of a source file? True where the file is not known."""
        if file is None:
            return True
        words = self._words.get(file)
        if words is not None:
            return name in words
        text = self.text(file)
        if text is None:
            return True
        asked = self._asked[file] = self._asked.get(file, 0) + 1
        if asked > _WORTH_A_SET:
            self._words[file] = words_of(text)
        return has_word(text, name)

    def scan(self, file: WinPath) -> Scan:
        """The first look at a source file."""
        found = self._scans.get(file)
        if found is None:
            found = self._scans[file] = scan(self.text(file) or "")
            if len(self._scans) > self.limits.modules:
                self.note(
                    Message(en="imports", zh="导入"),
                    Message(
                        en=f"stopped looking through imports after {self.limits.modules} modules",
                        zh=f"查看了 {self.limits.modules} 个模块后停止跟踪导入",
                    ),
                )
                raise BoundReached
        return found

    def search_path(self) -> tuple[WinPath, ...]:
        """`sys.path` of now."""
        value = self.known.get("sys.path", self.search)
        items = value.items if isinstance(value, ListValue) else self.search.items
        return tuple(self.absolute(item) if item else self.cwd for item in items if isinstance(item, str))

    def standard_native(self, name: str) -> WinPath | None:
        """The file of an extension module of the standard library, if it is on `sys.path`."""
        if name not in self._natives:
            self._natives[name] = None
            for folder in self.search_path():
                listing = self.finder.listing(folder)
                spelt = next((listing[name + s] for s, _ in self.finder.suffixes[:2] if name + s in listing), None)
                if spelt is not None:
                    self._natives[name] = folder / spelt
                    break
        return self._natives[name]

    def _find(self, name: str, folders: tuple[WinPath, ...] | None) -> FoundModule:
        return self.find_top(name) if folders is None else self.finder.find(name, folders, top=False)

    def find_top(self, name: str) -> FoundModule:
        """A top-level module on `sys.path`."""
        found = self._tops.get(name)
        if found is None:
            found = self._tops[name] = self.finder.find(name, self.search_path(), top=True)
        return found

    def search_changed(self) -> None:
        """`sys.path` is another one now."""
        self._tops.clear()
        self._natives.clear()
        self.reach.forget()

    def treatment(self, found: FoundModule) -> State:
        """RUNNING: read it; PASSED: read it when a name of it is asked for; OPAQUE: never."""
        if self.follow is not None:
            return self.follow(found)
        return State.RUNNING if self.reach.can_matter(found) else State.PASSED

    def is_open(self, package: str) -> bool:
        """True where a package may hold modules that no file stands for."""
        module = self.modules.get(package) or self.failed.get(package)
        text = self.text(module.file) if module is not None and module.file is not None else ""
        return text is None or _MAKES_MODULES.search(text) is not None

    def lacks(self, file: WinPath | None, name: str) -> bool:
        """True only where a module of that source cannot have `name` by itself."""
        if file is None or self.mentions(file, name):
            return False
        closed = self._closed.get(file)
        if closed is None:
            closed = self._closed[file] = is_closed(self.text(file) or "")
        return closed and not name.startswith("__")

    def lacks_at_all(self, file: WinPath, name: str) -> bool:
        """The same where its own text speaks of `name`, if only to ask for it: `from . import name`."""
        text = self.text(file)
        return text is not None and is_closed(text) and lacks_until(text, name)

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
            self.note(
                _START_UP,
                Message(
                    en=f"stopped reading after {self.limits.events} events",
                    zh=f"读到 {self.limits.events} 个事件后停止",
                ),
            )
            raise BoundReached
        if self.sink.depth > self.limits.nesting:
            self.note(
                _START_UP,
                Message(
                    en=f"stopped reading {self.limits.nesting} conditions deep",
                    zh=f"条件嵌套到 {self.limits.nesting} 层后停止读取",
                ),
            )
            raise BoundReached
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

    def spend(self, amount: int = 1) -> None:
        """Count work."""
        self.work += amount
        if self.work > self.limits.work:
            self.note(
                _START_UP,
                Message(en=f"stopped reading after {self.limits.work} steps", zh=f"读取 {self.limits.work} 步后停止"),
            )
            raise BoundReached
        if self.depth and self.work - self.call_work > self.limits.function_work:
            raise CallBound

    def surely_happened(self, home: Events | None) -> bool:
        """Did what stands in the list `home` surely happen without an error, seen from the current place?"""
        around: set[int] = set()
        here: Events | None = self.sink
        while here is not None:
            around.add(id(here))
            here = here.parent
        while home is not None and id(home) not in around:
            owner = home.owner
            if isinstance(owner, UncertainNode):
                return False
            if isinstance(owner, AttemptNode) and (home is not owner.body or owner.swallows):
                return False
            home = home.parent
        return home is not None

    def guarded(self, name: str) -> int:
        """How many of the try statements around catch an exception of that name."""
        kinds = self.lineage(name)
        return sum(1 for names in self.guards if catches(names, kinds))

    def add_directory(self, path: str) -> None:
        """os.add_dll_directory, its checks included (R2.25, R3.15): a file is accepted, a relative path is not."""
        rooted = path[:1] in ("\\", "/") and path[1:2] not in ("\\", "/")
        target = WinPath(self.world.process.cwd.text[:2] + path) if rooted else WinPath(path)
        if not path or not target.is_absolute:
            raise self.throw("OSError", f"[WinError 87] The parameter is incorrect: {path!r}")
        presence = self.world.files.presence(target)
        if presence is Presence.ABSENT:
            raise self.throw("FileNotFoundError", f"[WinError 2] The system cannot find the file specified: {path!r}")
        self.emit(DirectoryAdded(path=target, place=self.place()))

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

    def join_way(self, way: Exit, apart: frozenset[int] = frozenset()) -> None:
        """The way comes together with the current state again; namespaces in `apart` are left alone."""
        others = {**self.store.changed_since(way.since), **way.changes}
        others = {place: change for place, change in others.items() if place[0] not in apart}
        self.store.join(*(({}, others) if way.failed else (others, {})), way.node)

    def rejoin(self, before: frozenset[Value]) -> None:
        """Ways that parted since `before` come together: which of them was taken is open again."""
        for node in [node for node in self.left if node not in before]:
            self.store.write(self.assumed, node, MISSING)
            self.store.write(self.left, node, MISSING)

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

    def first_names(self, names: Sequence[Value]) -> tuple[str, ...]:
        """Exception names for an except clause: of classes and tuples of classes."""
        found: list[str] = []
        for value in names:
            value = self.plain(value)
            if isinstance(value, tuple):
                found.extend(self.first_names(value))
            elif isinstance(value, Known):
                found.append(value.name.rpartition(".")[2])
            elif (kinds := getattr(value, "lineage", None)) is not None:
                found.append(kinds[0])
        return tuple(found)
