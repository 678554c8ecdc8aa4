"""Who imports an extension module without a net: the modules whose import fails when it does not load.

Only import lines outside every block count (`Scan`); a module behind a `try:`, in a function or loaded on first use is
an optional part of its package.
"""

from __future__ import annotations

from collections.abc import Iterator

from whyload.base.paths import WinPath
from whyload.startup.finder import Finder, FoundModule, ModuleKind
from whyload.startup.reach import absolute
from whyload.startup.recorded import Importer, question_key
from whyload.startup.scan import Scan
from whyload.world.model import World, read_text

_MOST_MODULES = 3000
_TESTS = ("tests", "test", "conftest", "testing")


class Importers:
    """The import graph of packages, as far as it is asked for; every source is looked at once."""

    def __init__(self, world: World, paths: tuple[WinPath, ...]) -> None:
        self._files = world.files
        self._readings = world.readings
        self._finder = Finder(world.files, world.python)
        self._paths = paths
        self._found: dict[str, FoundModule] = {}
        self._scans: dict[WinPath, Scan] = {}
        self._below: dict[str, tuple[str, ...]] = {}

    def of(self, target: str) -> str | None:
        """The module to import that comes to `target`: its outermost package that does, else a module beside it."""
        key = question_key("importer", target)
        known = self._readings.recall(key) if self._readings is not None else None
        if isinstance(known, Importer):
            return known.module
        module = self._of(target)
        if self._readings is not None:
            self._readings.keep(key, Importer(module=module))
        return module

    def _of(self, target: str) -> str | None:
        parts = target.split(".")
        if len(parts) == 1:
            return target
        for count in range(1, len(parts)):
            package = ".".join(parts[:count])
            if self.reaches(package, target):
                return package
        return next((module for module in self._beside(parts) if target in self._imports(module)), None)

    def reaches(self, start: str, target: str) -> bool:
        """Does importing `start` surely import `target`?"""
        waiting, seen = [start], {start}
        top = start.partition(".")[0] + "."
        while waiting and len(seen) < _MOST_MODULES:
            for name in self._imports(waiting.pop()):
                if name == target:
                    return True
                if name not in seen and name.startswith(top):
                    seen.add(name)
                    waiting.append(name)
        return False

    def _beside(self, parts: list[str]) -> Iterator[str]:
        """Modules in the package of the target and in the one above it."""
        for count in (len(parts) - 1, len(parts) - 2):
            package = ".".join(parts[:count])
            found = self._find(package) if package else None
            for folder in found.folders if found is not None else ():
                for name in self._files.listdir(folder):
                    stem = name[:-3]
                    if name.endswith(".py") and stem != "__init__" and not stem.startswith(_TESTS):
                        yield f"{package}.{stem}"

    def _imports(self, module: str) -> tuple[str, ...]:
        known = self._below.get(module)
        if known is None:
            known = self._below[module] = tuple(dict.fromkeys(self._follow(self._find(module))))
        return known

    def _follow(self, found: FoundModule | None) -> Iterator[str]:
        if found is None or found.file is None or found.kind not in (ModuleKind.SOURCE, ModuleKind.PACKAGE):
            return
        package = found.name if found.is_package else found.name.rpartition(".")[0]
        for line in self._scan(found.file).imports:
            base = absolute(package, line.level, line.module)
            if base is None or line.guarded:
                continue
            parts = base.split(".")
            yield from (".".join(parts[:count]) for count in range(1, len(parts) + 1))
            below = self._find(base)
            if below is not None and below.is_package:
                yield from (f"{base}.{name}" for name in line.names)  # modules or not

    def _scan(self, file: WinPath) -> Scan:
        known = self._scans.get(file)
        if known is None:
            known = self._scans[file] = Scan(read_text(self._files, file) or "")
        return known

    def _find(self, name: str) -> FoundModule | None:
        known = self._found.get(name)
        if known is None:
            known = self._found[name] = self._look(name)
        return known if known.kind is not ModuleKind.MISSING else None

    def _look(self, name: str) -> FoundModule:
        parent, _, _ = name.rpartition(".")
        if not parent:
            return self._finder.find(name, self._paths, top=True)
        above = self._find(parent)
        folders = above.folders if above is not None else ()
        return self._finder.find(name, folders, top=False)
