"""A module that the program imports, and how far it was read."""

from __future__ import annotations

import ast
import re

from whyload.base.dataclass import dataclass, field
from whyload.base.enumeration import Enum
from whyload.base.regular import regular
from whyload.base.typing import TYPE_CHECKING
from whyload.startup.words import places_of

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.startup.skeleton import Bodies
    from whyload.startup.tree import Events, Node
    from whyload.startup.values import ListValue, Namespace


class State(Enum):
    """How far a module was read."""

    RUNNING = "its code is being read"
    DONE = "read"
    PASSED = "imported without reading: nothing native can be reached from it"
    OPAQUE = "imported, its names are not known"
    FAILED = "its import raised"


_OPEN_NAMESPACE = regular(
    r"__getattr__|globals\(|setattr\(|exec\(|sys\.modules|__dict__|vars\(|import\s+\*|locals\(|__class__"
)


_UNSEEN = regular(r"__getattr__|globals\(|setattr\(|exec\(|sys\.modules|__dict__|vars\(|locals\(|__class__")


@dataclass(slots=True, eq=False)
class Module:
    """One entry of `sys.modules`."""

    name: str
    file: WinPath | None
    state: State
    names: Namespace = field(default_factory=dict)
    search: ListValue | None = None
    """`__path__` of a package."""
    text: str = ""
    stars: tuple[Module, ...] = ()
    """Modules whose names were all imported and are not known one by one."""
    home: Events | None = None
    """The list that its events stand in."""
    bodies: Bodies = field(default_factory=dict)
    """Of its functions that were not called yet."""
    played: tuple[Node, ...] = ()
    """What its import did, to be played again where the first time may have failed."""

    @property
    def is_package(self) -> bool:
        """True where it can have submodules."""
        return self.search is not None

    @property
    def package(self) -> str:
        """The package that relative imports start from."""
        return self.name if self.is_package else self.name.rpartition(".")[0]

    def surely_lacks(self, name: str) -> bool:
        """True only where its whole source was read and cannot define `name` in any way."""
        return self.state is State.DONE and bool(self.text) and text_lacks(self.text, name)


def lacks_until(text: str, name: str, line: int | None = None) -> bool:
    """True only where nothing in the first lines of a module (in all of them) binds `name` or could do so unseen.

    `from . import name` binds nothing by itself: it asks for what is there.
    """
    from whyload.startup.skeleton import parse

    if _UNSEEN.search("\n".join(text.split("\n")[:line])):
        return False
    tree = parse(text)
    return tree is not None and name not in _bound(tree, line)


def _bound(tree: ast.Module, line: int | None) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if line is not None and getattr(node, "lineno", 0) > line:
            continue
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Import):
            names.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not (node.level and node.module is None):
            names.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.update(alias.asname for alias in node.names if alias.asname not in (None, alias.name))
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
    return names


def text_lacks(text: str, name: str) -> bool:
    """True only where a module of that source cannot have `name`: it is nowhere in it, and nothing there is dynamic."""
    return not (name.startswith("__") and name.endswith("__")) and is_closed(text) and not has_word(text, name)


def is_closed(text: str) -> bool:
    """True where nothing in a module's source gives it names that do not stand in it."""
    return _OPEN_NAMESPACE.search(text) is None


_BETWEEN_WORDS = {code: " " for code in range(128) if chr(code) != "_" and not chr(code).isalnum()}


def words_of(text: str) -> frozenset[str]:
    """Every word of a source text."""
    if text.isascii():  # several times as fast as the expression
        return frozenset(text.translate(_BETWEEN_WORDS).split())
    return frozenset(re.findall(r"\w+", text))


def has_word(text: str, name: str) -> bool:
    """Does `name` stand in the text by itself?"""
    return next(places_of(text, name), None) is not None
