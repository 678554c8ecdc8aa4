"""Which modules can lead to native code: the import graph below a module, as far as it is not imported yet.

Source: loader.md R4.15.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from whyload.base.dataclass import dataclass, field
from whyload.base.typing import TYPE_CHECKING
from whyload.startup.finder import FoundModule, ModuleKind

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.startup.scan import ImportLine, Scan


@dataclass(slots=True)
class Reach:
    """Answers whether importing a module can matter. `find` takes None for `sys.path`."""

    find: Callable[[str, tuple[WinPath, ...] | None], FoundModule]
    read: Callable[[WinPath], Scan]
    present: Callable[[str], bool]
    """Is this extension module of the standard library there?"""
    is_imported: Callable[[str], bool]
    natives: Callable[[str], tuple[str, ...]]
    """The extension modules that a module of the standard library loads."""
    lacks: Callable[[WinPath | None, str], bool] = lambda file, name: False
    """True where the module of that file cannot have the name by itself: it does not speak of it."""
    lacks_at_all: Callable[[WinPath, str], bool] = lambda file, name: False
    """The same for a module that speaks of the name, if only to ask for it."""
    settled: set[str] = field(default_factory=set)
    """Native modules that are loaded: reaching them again means nothing."""
    passed: set[str] = field(default_factory=set)
    """Modules from which nothing native can be reached."""
    calls: Callable[[WinPath, str], bool] = lambda file, name: False
    """Does the module of that file call a function of that name?"""
    is_own: Callable[[str], bool] = lambda name: False
    """Is it a module that comes with Python?"""
    _found: dict[str, FoundModule] = field(default_factory=dict)
    _edges: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _ways: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def can_matter(self, found: FoundModule) -> bool:
        """True where importing the module may reach something native that was not loaded yet."""
        name = found.name
        if name in self.passed:
            return False
        self._found.setdefault(name, found)
        way = self._ways.get(name)
        if way is not None and self._is_target(way[-1]) and not any(map(self.is_imported, way[:-1])):
            return True
        if self._is_target(name):
            return True
        visited: set[str] = {name}
        path: list[tuple[str, list[str]]] = [(name, self._below(name))]
        while path:
            children = path[-1][1]
            if not children:
                path.pop()
                continue
            child = children.pop()
            if child in visited or child in self.passed or self.is_imported(child):
                continue
            if self._is_target(child):
                names = (*(step for step, _ in path), child)
                for index in range(len(path)):
                    self._ways[names[index]] = names[index:]
                return True
            visited.add(child)
            path.append((child, self._below(child)))
        self.passed |= visited
        return False

    def is_plain(self, found: FoundModule) -> bool:
        """True where all that importing the module can do for native code is to import modules of the standard library
        and, in any case, other such modules.
        """
        waiting, visited = [found.name], {found.name}
        while waiting:
            name = waiting.pop()
            kind = self._found[name].kind
            if kind is ModuleKind.STANDARD or (kind is ModuleKind.EXTENSION and self.is_own(name)):
                continue
            if kind not in (ModuleKind.SOURCE, ModuleKind.PACKAGE, ModuleKind.NAMESPACE) or self._is_target(name):
                return False
            if self.conditional(self._found[name]) is None:
                return False
            below = [each for each in self._below(name) if each not in visited and not self.is_imported(each)]
            visited.update(below)
            waiting += [each for each in below if each not in self.passed]
        return True

    def conditional(self, found: FoundModule) -> tuple[int, ...] | None:
        """The lines of imports in blocks on which something native depends that comes with Python; None where something
        else does.
        """
        if found.file is None:
            return ()
        package = found.name if found.is_package else found.name.rpartition(".")[0]
        lines: list[int] = []
        for line in self.read(found.file).imports:
            if line.names == ("*",):
                return None
            if not line.guarded:
                continue
            names: dict[str, None] = {}
            self._follow(package, line, names, found.file)
            others = [name for name in names if name not in self.passed and not self.is_imported(name)]
            if not all(self._found[name].kind is ModuleKind.STANDARD or self.is_own(name) for name in others):
                return None
            if any(map(self._is_target, others)):
                lines.append(line.line)
        return tuple(lines)

    def forget(self) -> None:
        """The search path changed: look everything up again."""
        self._found.clear()
        self._edges.clear()
        self._ways.clear()
        self.passed.clear()

    @property
    def modules(self) -> int:
        """How many modules were looked at."""
        return len(self._edges)

    def _is_target(self, name: str) -> bool:
        found = self._found[name]
        if found.kind in (ModuleKind.SOURCE, ModuleKind.PACKAGE) and found.file is not None:
            return self.read(found.file).marked or self._calls_a_loader(found)
        if found.kind is ModuleKind.STANDARD:
            return any(native not in self.settled and self.present(native) for native in self.natives(name))
        if found.kind in (ModuleKind.EXTENSION, ModuleKind.BYTECODE):
            return name not in self.settled
        return found.kind is ModuleKind.MISSING

    def _calls_a_loader(self, found: FoundModule) -> bool:
        """It calls a function of a module that it imports, and that function may load or import."""
        file, below = found.file, (self._found[name] for name in self._below(found.name))
        files = (other.file for other in below if other.kind in (ModuleKind.SOURCE, ModuleKind.PACKAGE))
        return file is not None and any(
            self.calls(file, name) for other in files if other is not None for name in self.read(other).loaders
        )

    def _below(self, name: str) -> list[str]:
        edges = self._edges.get(name)
        if edges is None:
            edges = self._edges[name] = tuple(self._explore(self._found[name]))
        return list(edges)

    def _explore(self, found: FoundModule) -> Iterable[str]:
        if found.kind not in (ModuleKind.SOURCE, ModuleKind.PACKAGE) or found.file is None:
            return ()
        package = found.name if found.is_package else found.name.rpartition(".")[0]
        names: dict[str, None] = {}
        for line in self.read(found.file).imports:
            self._follow(package, line, names, found.file)
        names.pop(found.name, None)
        return reversed(names)

    def _follow(self, package: str, line: ImportLine, names: dict[str, None], file: WinPath) -> None:
        base = absolute(package, line.level, line.module)
        if base is None:
            return
        found = self._chain(base, names, guarded=line.guarded)
        if found is not None and found.is_package:
            for name in line.names:
                child = self._lookup(f"{base}.{name}", found.folders) if name != "*" else None
                if child is None:
                    continue
                if child.kind is not ModuleKind.MISSING or (not line.guarded and self._is_lacking(found, name, file)):
                    names[child.name] = None

    def _is_lacking(self, package: FoundModule, name: str, asking: WinPath) -> bool:
        """`from package import name` cannot go well: neither is there such a submodule nor such a name."""
        if package.kind is not ModuleKind.PACKAGE or package.file is None:
            return False
        by_itself = package.file == asking
        return self.lacks_at_all(package.file, name) if by_itself else self.lacks(package.file, name)

    def _chain(self, dotted: str, names: dict[str, None], *, guarded: bool) -> FoundModule | None:
        folders: tuple[WinPath, ...] | None = None
        found: FoundModule | None = None
        parts = dotted.split(".")
        for count in range(1, len(parts) + 1):
            name = ".".join(parts[:count])
            found = self._lookup(name, folders)
            if found.kind is ModuleKind.STANDARD:
                self._found.setdefault(dotted, FoundModule(name=dotted, kind=ModuleKind.STANDARD))
                names[dotted] = None
                return None
            if found.kind is ModuleKind.MISSING and (guarded or self.is_imported(name)):
                return None
            names[name] = None
            if not found.is_package:
                return found
            folders = found.folders
        return found

    def _lookup(self, name: str, folders: tuple[WinPath, ...] | None) -> FoundModule:
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = self.find(name, folders)
        return found


def absolute(package: str, level: int, module: str) -> str | None:
    """The absolute name of a (relative) import; None where it leads out of the top-level package."""
    if not level:
        return module or None
    parts = package.split(".") if package else []
    if level > len(parts):
        return None
    kept = parts[: len(parts) - level + 1]
    return ".".join([*kept, module] if module else kept)
