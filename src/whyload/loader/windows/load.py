"""One load call from the name to the state of the process afterwards (loader.md 2.9, 6.2)."""

from __future__ import annotations

from whyload.base.dataclass import dataclass, field
from whyload.base.errors import FormatError
from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.knowledge.windows_names import is_windows_dll
from whyload.loader.model import (
    BAD_IMAGE,
    NOT_FOUND,
    OK,
    EdgeKind,
    LoadTree,
    MissingSymbol,
    Node,
    Status,
    Step,
    Verdict,
)
from whyload.loader.windows.arguments import AS_DATA, DEPENDENT_FLAGS, DONT_RESOLVE, NameKind, normalise
from whyload.loader.windows.damage import damage
from whyload.loader.windows.directories import SearchFolder, search_list
from whyload.loader.windows.doubts import import_doubt, unbound_doubt
from whyload.loader.windows.faults import find_faults
from whyload.loader.windows.process import Module, Process
from whyload.loader.windows.resolve import Resolution, resolve

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.formats.pe import Image

_DEEPEST = 300
"""Levels of imports; real packages have a dozen."""
_DEEP = 50
"""The level from which on more room is wanted than an ordinary stack gives; nearly nothing comes there."""
_LAST_WITH_ASSEMBLIES = 10
"""Linkers before that of Visual Studio 2010 ask for their C runtime as a side-by-side assembly."""


@dataclass(slots=True)
class Draft:
    """A node while its load is under way."""

    name: str
    edge: EdgeKind
    importer: WinPath | None
    steps: tuple[Step, ...]
    status: Status
    path: WinPath | None = None
    image: Image | None = None
    fresh: bool = False
    stand_in: bool = False
    folders: tuple[SearchFolder, ...] = ()
    symbol_count: int = 0
    by_ordinal: bool = False
    children: list[Draft] = field(default_factory=list)
    delayed: list[Node] = field(default_factory=list)
    missing_symbols: list[MissingSymbol] = field(default_factory=list)
    initialiser_fails: bool = False

    def freeze(self) -> Node:
        """The finished node."""
        return Node(
            name=self.name,
            edge=self.edge,
            steps=self.steps,
            status=self.status,
            importer=self.importer,
            path=self.path,
            fresh=self.fresh,
            contents_known=self.image is not None,
            symbol_count=self.symbol_count,
            by_ordinal=self.by_ordinal,
            children=tuple(child.freeze() for child in self.children),
            delayed=tuple(self.delayed),
            missing_symbols=tuple(self.missing_symbols),
            initialiser_fails=self.initialiser_fails,
        )


class Call:
    """State of one load call: the list computed once (R2.23), the files mapped by it, doubts."""

    def __init__(self, process: Process, flags: int) -> None:
        self.process = process
        self.flags = flags
        self.fresh: list[Draft] = []
        self.by_path: dict[str, Draft] = {}
        self.uncertain: dict[Message, None] = {}
        self.cut = False
        """Part of the tree was not followed."""
        self.all_mapped = True
        """No file is absent or unusable: only then does the loader come to functions and forwarders (R2.46)."""
        self._delay_folders: tuple[SearchFolder, ...] | None = None

    def doubt(self, reason: Message | None) -> None:
        """Note, once, why the answer may be wrong."""
        if reason is not None:
            self.uncertain[reason] = None

    def request(
        self,
        name: str,
        edge: EdgeKind,
        importer: WinPath | None,
        folders: tuple[SearchFolder, ...],
        *,
        count: int = 0,
        depth: int = 0,
    ) -> Draft:
        """Load `name` as a dependency: R2.8 applies to it as if it were loaded by its bare name (R2.9)."""
        argument = normalise(name, 0, self.process.cwd)
        found = resolve(self.process, argument, folders, importer)
        if found.path is None and importer is not None:
            self.doubt(import_doubt(self.process.images.open(importer).image, importer, name))
        draft = self.draft(argument.text, edge, importer, found)
        draft.symbol_count = count
        self.follow(draft, found, folders, depth)
        return draft

    def draft(self, name: str, edge: EdgeKind, importer: WinPath | None, found: Resolution) -> Draft:
        """A node for what was found."""
        self.doubt(found.assumed)
        return Draft(name=name, edge=edge, importer=importer, steps=found.steps, status=found.status, path=found.path)

    def follow(self, draft: Draft, found: Resolution, folders: tuple[SearchFolder, ...], depth: int) -> None:
        """Map the file and load what it imports, depth first (R2.46)."""
        if found.status or found.path is None:
            return
        opened = self.process.images.open(found.path)
        draft.image, draft.stand_in = opened.image, opened.stand_in
        if found.module is not None:
            return
        self.process.add(found.path)
        draft.fresh = True
        self.fresh.append(draft)
        self.by_path[found.path.key] = draft
        if (
            draft.image is None
            or draft.image.is_il_only
            or is_part_of_windows(self.process, found.path, draft.stand_in)
        ):
            return
        if self.process.sees_other_tables(draft.image):
            self.doubt(
                Message(
                    en=f"{found.path.name} is ARM64X: what it imports in an x64 process is not examined",
                    zh=f"{found.path.name} 是 ARM64X 文件：它在 x64 进程中的导入未作检查",
                )
            )
            self.cut = True
            return
        if draft.image.linker_version[0] < _LAST_WITH_ASSEMBLIES:  # R2.44
            self.doubt(unbound_doubt(draft.image, found.path))
        try:
            draft.folders = self.own_folders(draft.image, found.path, folders)
            self.imports(draft, draft.image, found.path, depth)
        except FormatError as error:  # a table outside the image: reading it is an access violation in the loader
            self.refuse(draft, found.path, error)

    def refuse(self, draft: Draft, path: WinPath, error: FormatError) -> None:
        """The file was taken and turns out to be no valid image."""
        step = Step(
            kind=draft.steps[-1].kind,
            rule="R2.32",
            verdict=Verdict.DAMAGED,
            place=str(path.parent),
            path=path,
            detail=damage(error),
        )
        draft.steps = (*draft.steps, step)
        draft.status, draft.image = BAD_IMAGE, None

    def own_folders(self, image: Image, path: WinPath, folders: tuple[SearchFolder, ...]) -> tuple[SearchFolder, ...]:
        """R2.24: a module's DependentLoadFlags replace the caller's list for its own imports."""
        config = image.load_config()
        flags = config.dependent_load_flags if config else 0
        return search_list(self.process, flags, path.parent) if flags & DEPENDENT_FLAGS else folders

    def imports(self, draft: Draft, image: Image, path: WinPath, depth: int) -> None:
        """R1.4: a program that is loaded as a library gets none of its imports."""
        if image.is_dll:
            self.imports_of_program(draft, image, path, depth)

    def imports_of_program(self, draft: Draft, image: Image, path: WinPath, depth: int = 0) -> None:
        """Load the import table in its order, in a thread with room where it goes deep."""
        if depth >= _DEEPEST:
            self.doubt(
                Message(
                    en=f"imports are followed {_DEEPEST} levels deep; those of {path.name} go deeper",
                    zh=f"导入最多跟踪 {_DEEPEST} 层，而 {path.name} 的导入更深",
                )
            )
            self.cut = True
        elif depth == _DEEP:
            from whyload.base.room import with_room

            with_room(lambda: self.import_table(draft, image, path, depth))
        else:
            self.import_table(draft, image, path, depth)

    def import_table(self, draft: Draft, image: Image, path: WinPath, depth: int) -> None:
        """R1.16: a descriptor that imports nothing loads nothing."""
        for entry in image.imports():
            if not entry.is_unused:
                draft.children.append(
                    self.request(
                        self.process.import_name(entry.name),
                        EdgeKind.IMPORT_TABLE,
                        path,
                        draft.folders,
                        count=entry.symbol_count,
                        depth=depth + 1,
                    )
                )
        for entry in image.delay_imports():
            draft.delayed.append(self.delayed(self.process.import_name(entry.name), path, entry.symbol_count))
        for gap in image.incomplete:
            self.doubt(
                Message(
                    en=f"{path.name}: the {gap.table.value} could not be read completely",
                    zh=f"{path.name}：{gap.table.value} 未能读完",
                )
            )

    def delayed(self, name: str, importer: WinPath, count: int) -> Node:
        """R2.52: a delay import is looked for with flags 0, at the first call and not now."""
        if self._delay_folders is None:
            self._delay_folders = search_list(self.process, 0, None)
        found = resolve(self.process, normalise(name, 0, self.process.cwd), self._delay_folders, importer)
        return Node(
            name=name,
            edge=EdgeKind.DELAY_IMPORT,
            importer=importer,
            steps=found.steps,
            status=found.status,
            path=found.path,
            symbol_count=count,
        )


def is_part_of_windows(process: Process, path: WinPath, stand_in: bool) -> bool:
    """True for Windows' own DLLs in System32: they are taken as whole and are not followed."""
    return path.parent == process.system32 and (stand_in or is_windows_dll(path.name))


def load(process: Process, name: str, flags: int) -> LoadTree:
    """LoadLibraryExW(name, NULL, flags): changes `process` as Windows would; a failed call leaves it as it was."""
    call = Call(process, flags)
    before = len(process.modules)
    argument = normalise(name, flags, process.cwd)
    # R2.40: the folder of the name as it was given; links are not resolved before
    top = argument.path.parent if argument.kind is NameKind.FULL and argument.path else None
    folders = search_list(process, flags, top)
    found = resolve(process, argument, folders, None)
    root = call.draft(argument.text, EdgeKind.REQUEST, None, found)
    if flags & AS_DATA:
        pass  # mapped as data: no module, no imports
    elif flags & DONT_RESOLVE:
        _map_alone(process, found)
    else:
        call.follow(root, found, folders, 0)
        _bind(call, root)
    return _finish(call, root, before)


def load_program(process: Process, name: str) -> LoadTree:
    """The start of a program: its imports with the standard search; the process keeps what was loaded (R3.2)."""
    call = Call(process, 0)
    before = len(process.modules)
    argument = normalise(name, 0, process.cwd)
    folders = search_list(process, 0, None)
    path = argument.path or process.application
    process.forget_file(path)
    found = resolve(process, argument, folders, None)
    root = call.draft(argument.text, EdgeKind.REQUEST, None, found)
    root.folders = folders
    call.follow(root, found, folders, 0)
    if root.image is not None and not root.image.is_dll and not root.status:
        call.imports_of_program(root, root.image, path)
    _bind(call, root)
    return _finish(call, root, before)


def _bind(call: Call, root: Draft) -> None:
    from whyload.loader.windows.symbols import bind

    call.all_mapped = not find_faults(root.freeze())
    bind(call)


def _map_alone(process: Process, found: Resolution) -> None:
    if not found.status and found.path is not None and found.module is None:
        process.add(found.path)


def _finish(call: Call, root: Draft, before: int) -> LoadTree:
    process = call.process
    frozen = root.freeze()
    faults = find_faults(frozen)
    status = faults[0].status if faults else OK  # R2.47: the code of a dependency is that of the whole call
    if root.status and not faults:
        status = root.status or NOT_FOUND
    if status:
        process.forget(before)
    return LoadTree(
        root=frozen,
        flags=call.flags,
        status=status,
        faults=faults,
        modules=tuple(module.path for module in process.modules),
        uncertain=tuple(call.uncertain),
        cut=call.cut,
    )


def start(process: Process) -> None:
    """What is in the process before the program runs: the image, its imports, Python's DLLs (R3.1, R3.2)."""
    process.add(process.application)
    for name in ("ntdll.dll", "kernel32.dll", "kernelbase.dll"):
        process.add(process.system32 / name)
    image = process.images.open(process.application).image
    call = Call(process, 0)
    folders = search_list(process, 0, None)
    try:
        names = [entry.name for entry in image.imports() if not entry.is_unused] if image else []
    except FormatError:
        names = []
    python = process.world.python
    for name in [*names, python.dll, "python3.dll", "vcruntime140.dll", "ucrtbase.dll"]:
        if process.loaded_name(name) is None:
            call.request(name, EdgeKind.IMPORT_TABLE, process.application, folders)


def preload(process: Process) -> tuple[LoadTree, ...]:
    """Load what the world's description says is in the process already."""
    return tuple(load(process, item.file, item.flags) for item in process.world.process.preload)


__all__ = ["Call", "Draft", "Module", "load", "preload", "start"]
