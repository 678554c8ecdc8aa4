"""Which native files an environment has, and how Python would come to them.

The folders of `sys.path` in which packages lie are walked once; the interpreter's own modules (`DLLs`, or the program's
folder of an embeddable Python) are taken from their folder alone. Names of modules and their suffixes: loader.md
R3.9 to R3.13.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whyload.base.dataclass import dataclass, field
from whyload.base.enumeration import Enum
from whyload.base.paths import WinPath
from whyload.startup.finder import ModuleKind, suffixes
from whyload.world.model import FileView, Layout, Presence, World

_DEEPEST = 14
MOST_FOLDERS = 30_000
"""A large environment has a tenth of them; more is a tree of data that lies on `sys.path`, or a loop of links."""
_NATIVE = (".pyd", ".dll", ".so")
_FILES = frozenset(
    {
        *(".py", ".pyc", ".pyi", ".pyx", ".pxd", ".pyd", ".dll", ".so", ".exe", ".lib", ".h", ".hpp", ".cuh", ".c"),
        *(".cpp", ".cu", ".txt", ".md", ".rst", ".json", ".toml", ".cfg", ".typed", ".html", ".js", ".css", ".png"),
        *(".svg", ".npz", ".npy", ".csv", ".gz", ".xml", ".yml", ".yaml", ".cmake", ".mat", ".dat", ".pickle", ".ttf"),
        *(".f", ".f90", ".qm", ".qml", ".ui", ".tmpl", ".sav", ".data"),
    }
)
"""A name that ends so is taken for a file without asking."""
_SKIPPED = frozenset({"__pycache__", "node_modules", ".git", ".hg", ".svn"})
_TESTS = frozenset({"tests", "test", "testing", "_tests", "testdata", "examples", "benchmarks"})


class Role(Enum):
    """How a native file is come by."""

    MODULE = "module"
    """An extension module that this Python sees."""
    UNSEEN = "unseen"
    """One whose name has the tag of another Python or system, without a fitting one beside it."""
    LIBRARY = "library"
    """Any other library."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeFile:
    """One native file; `module` is its dotted name where it is an extension module."""

    path: WinPath
    role: Role
    root: WinPath
    """The folder of `sys.path` that it lies below."""
    module: str = ""
    package: str = ""
    """The outermost package with an `__init__` that it lies in; its own module where there is none."""
    is_test: bool = False


@dataclass(slots=True)
class Survey:
    """The native files of an environment by package, and how many folders were walked."""

    groups: dict[tuple[str, str], list[NativeFile]] = field(default_factory=dict)
    """By (folder of `sys.path`, package), folders in the order of `sys.path`."""
    folders: int = 0
    is_cut: bool = False
    """There were more folders than are looked through."""
    _names: dict[str, NativeFile] = field(default_factory=dict)

    def named(self, name: str) -> NativeFile | None:
        """The first file of a base name."""
        if not self._names:
            for file in reversed(self.files):
                self._names[file.path.name.lower()] = file
        return self._names.get(name.lower())

    @property
    def files(self) -> list[NativeFile]:
        """All of them."""
        return [file for group in self.groups.values() for file in group]


def survey(world: World, paths: Iterable[WinPath]) -> Survey:
    """Walk the environment. `paths` is `sys.path`."""
    found = Survey()
    walker = _Walker(world, found)
    roots = _roots(world, tuple(paths))
    for root in roots:
        inner = [other for other in roots if other != root and other.is_below(root)]
        walker.walk(root, deep=not _is_interpreters_own(world, root), inner=inner)
    return found


def bare_packages(world: World, paths: Iterable[WinPath], found: Survey) -> Iterator[tuple[str, tuple[WinPath, ...]]]:
    """Packages and modules without native files of their own, each with the sources that lie directly in it."""
    own = {package.partition(".")[0].lower() for _, package in found.groups}
    for root in _roots(world, tuple(paths)):
        if _is_interpreters_own(world, root):
            continue
        for name in world.files.listdir(root):
            stem = name.removesuffix(".py")
            if not stem.isidentifier() or stem.lower() in own:
                continue
            if stem != name:
                yield stem, (root / name,)
                continue
            sources = tuple(root / name / file for file in world.files.listdir(root / name) if file.endswith(".py"))
            if any(file.name == "__init__.py" for file in sources):
                yield name, sources


def _roots(world: World, paths: tuple[WinPath, ...]) -> tuple[WinPath, ...]:
    """Folders of `sys.path` to look through: neither the current folder nor the standard library."""
    python = world.python
    left_out = {world.process.cwd, python.base_prefix / "Lib"}
    if python.layout is not Layout.EMBED:
        left_out |= {python.base_prefix, python.prefix}
    script = world.run.script if world.run else None
    if script is not None:
        left_out.add((world.process.cwd / str(script)).parent)
    kept = (path for path in paths if path not in left_out)
    return tuple(dict.fromkeys(path for path in kept if world.files.presence(path) is Presence.DIRECTORY))


def _is_interpreters_own(world: World, folder: WinPath) -> bool:
    base = world.python.base_prefix
    return folder in (base, base / "DLLs")


class _Walker:
    def __init__(self, world: World, found: Survey) -> None:
        self._files: FileView = world.files
        self._found = found
        self._suffixes = [s for s, kind in suffixes(world.python) if kind is ModuleKind.EXTENSION]
        self._root = WinPath("C:\\")
        self._inner: frozenset[WinPath] = frozenset()

    def walk(self, root: WinPath, *, deep: bool, inner: Iterable[WinPath]) -> None:
        """Everything below one folder of `sys.path`, without the folders of `sys.path` that lie in it."""
        self._root, self._inner = root, frozenset(inner)
        self._folder(root, (), "", deep=deep, test=False)

    def _folder(self, folder: WinPath, parts: tuple[str, ...], package: str, *, deep: bool, test: bool) -> None:
        if self._found.folders >= MOST_FOLDERS:
            self._found.is_cut = True
            return
        names = self._files.listdir(folder)
        self._found.folders += 1
        lower = {name.lower() for name in names}
        if parts and not package and "__init__.py" in lower:
            package = ".".join(parts)
        natives = [name for name in names if name.lower().endswith(_NATIVE)]
        for native in self._natives(folder, natives, parts, package, test=test):
            key = (self._root.key, native.package or self._owner_folder(native))
            self._found.groups.setdefault(key, []).append(native)
        if not deep or len(parts) >= _DEEPEST:
            return
        for name in names:
            if self._is_folder(folder, name):
                inside = test or name.lower() in _TESTS
                self._folder(folder / name, (*parts, name), package, deep=True, test=inside)

    def _is_folder(self, folder: WinPath, name: str) -> bool:
        lower = name.lower()
        _, dot, suffix = lower.rpartition(".")
        if lower in _SKIPPED or lower.endswith((".dist-info", ".egg-info")) or (dot and f".{suffix}" in _FILES):
            return False
        path = folder / name
        return path not in self._inner and self._files.presence(path) is Presence.DIRECTORY

    def _owner_folder(self, native: NativeFile) -> str:
        """Libraries that lie in no package: `numpy.libs` and the like, by their first folder."""
        return native.path.relative_to(self._root).partition("\\")[0].lower()

    def _natives(
        self, folder: WinPath, names: list[str], parts: tuple[str, ...], package: str, *, test: bool
    ) -> Iterator[NativeFile]:
        seen = {name: self._stem(name) for name in names}
        stems = {stem for stem in seen.values() if stem is not None}
        for name, stem in seen.items():
            path, first = folder / name, name.partition(".")[0]
            if stem is not None and "." not in stem and all(part.isidentifier() for part in (*parts, stem)):
                module, role = ".".join((*parts, stem)), Role.MODULE
            elif _is_tagged(name) and first not in stems:
                module, role = ".".join((*parts, first)), Role.UNSEEN
            elif name.lower().endswith(".dll"):
                module, role = "", Role.LIBRARY
            else:
                continue
            yield NativeFile(
                path=path, role=role, root=self._root, module=module, package=package or module, is_test=test
            )

    def _stem(self, name: str) -> str | None:
        """What precedes the suffix of an extension module; None where Python does not see one in the name."""
        lower = name.lower()
        return next((name[: -len(suffix)] for suffix in self._suffixes if lower.endswith(suffix)), None)


def _is_tagged(name: str) -> bool:
    """`x.cp310-win_amd64.pyd`, `x.cpython-311-x86_64-linux-gnu.so`: an extension module of some other Python."""
    _, _, tag = name.lower().partition(".")
    return tag.startswith(("cp3", "cp2", "cpython-", "pypy3", "pp3")) and tag.endswith((".pyd", ".so"))
