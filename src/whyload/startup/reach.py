"""Which modules can lead to native code: the static import graph below a module (loader.md R4.15), explored once.

Every module that matters by itself (an extension module, one with a marker, one that is missing) owns a bit; a module's mask
holds the bits that it can reach. Strongly connected modules share a mask (Tarjan, "Depth-first search and linear graph
algorithms", 1972).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from whyload.base.paths import WinPath
from whyload.startup.finder import FoundModule, ModuleKind
from whyload.startup.scan import ImportLine, Scan
from whyload.startup.standard import extension_modules


@dataclass(slots=True)
class _Visit:
    name: str
    order: int
    low: int
    below: Iterator[str]
    mask: int = 0


@dataclass(slots=True)
class Reach:
    """Masks of modules. `find` looks a module up in given folders; None stands for `sys.path`."""

    find: Callable[[str, tuple[WinPath, ...] | None], FoundModule]
    read: Callable[[WinPath], Scan]
    present: Callable[[str], bool]
    """Is this extension module of the standard library there?"""
    _masks: dict[str, int] = field(default_factory=dict)
    _found: dict[str, FoundModule] = field(default_factory=dict)
    _bits: dict[str, int] = field(default_factory=dict)
    _done: int = 0

    def can_matter(self, found: FoundModule) -> bool:
        """True where importing the module may reach something native that was not loaded yet."""
        mask = self._masks.get(found.name)
        if mask is None:
            self._found.setdefault(found.name, found)
            self._explore(found.name)
            mask = self._masks[found.name]
        return bool(mask & ~self._done)

    def settle(self, name: str) -> None:
        """The module `name` was read or loaded: reaching it again means nothing."""
        self._done |= self._bit(name)

    def reopen(self, name: str) -> None:
        """The module `name` must be loaded again."""
        self._done &= ~self._bit(name)

    @property
    def modules(self) -> int:
        """How many modules were looked at."""
        return len(self._masks)

    def _bit(self, name: str) -> int:
        bit = self._bits.get(name)
        if bit is None:
            bit = self._bits[name] = 1 << len(self._bits)
        return bit

    def _explore(self, root: str) -> None:
        orders: dict[str, _Visit] = {}
        stack: list[str] = []
        path: list[_Visit] = [self._enter(root, orders, stack)]
        while path:
            visit = path[-1]
            child = next(visit.below, None)
            if child is None:
                path.pop()
                if visit.low == visit.order:
                    self._close(visit, stack, orders)
                if path:
                    path[-1].low = min(path[-1].low, visit.low)
                    path[-1].mask |= visit.mask
            elif child in self._masks:
                visit.mask |= self._masks[child]
            elif child in orders:
                visit.low = min(visit.low, orders[child].order)
            else:
                path.append(self._enter(child, orders, stack))

    def _enter(self, name: str, orders: dict[str, _Visit], stack: list[str]) -> _Visit:
        found = self._found[name]
        visit = _Visit(name=name, order=len(orders), low=len(orders), below=iter(()))
        orders[name] = visit
        stack.append(name)
        if found.kind in (ModuleKind.SOURCE, ModuleKind.PACKAGE) and found.file is not None:
            scanned = self.read(found.file)
            if scanned.marked:
                visit.mask |= self._bit(name)
            package = found.name if found.is_package else found.name.rpartition(".")[0]
            visit.below = iter(self._edges(package, scanned.imports, visit))
        else:
            visit.mask |= self._own_bits(found)
        return visit

    def _own_bits(self, found: FoundModule) -> int:
        if found.kind is ModuleKind.STANDARD:
            names = [native for native, _ in extension_modules(found.name) if self.present(native)]
            return sum({self._bit(native) for native in names})
        if found.kind in (ModuleKind.EXTENSION, ModuleKind.BYTECODE, ModuleKind.MISSING):
            return self._bit(found.name)
        return 0

    def _close(self, visit: _Visit, stack: list[str], orders: dict[str, _Visit]) -> None:
        names = []
        while True:
            names.append(stack.pop())
            if names[-1] == visit.name:
                break
        mask = visit.mask
        for name in names:
            mask |= orders[name].mask
        visit.mask = mask
        for name in names:
            self._masks[name] = mask

    def _edges(self, package: str, imports: Iterable[ImportLine], visit: _Visit) -> list[str]:
        names: dict[str, None] = {}
        for line in imports:
            base = absolute(package, line.level, line.module)
            if base is None:
                continue
            found = self._chain(base, names, guarded=line.guarded)
            if found is not None and found.is_package:
                for name in line.names:
                    child = self._lookup(f"{base}.{name}", found.folders) if name != "*" else None
                    if child is not None and child.kind is not ModuleKind.MISSING:
                        names[child.name] = None
        names.pop(visit.name, None)
        return list(names)

    def _chain(self, dotted: str, names: dict[str, None], *, guarded: bool) -> FoundModule | None:
        folders: tuple[WinPath, ...] | None = None
        found: FoundModule | None = None
        parts = dotted.split(".")
        for count in range(1, len(parts) + 1):
            name = ".".join(parts[:count])
            found = self._lookup(name, folders)
            if found.kind is ModuleKind.STANDARD:
                if dotted not in self._found:
                    self._found[dotted] = FoundModule(name=dotted, kind=ModuleKind.STANDARD)
                names[dotted] = None
                return None
            if found.kind is ModuleKind.MISSING and guarded:
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
