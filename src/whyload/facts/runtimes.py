"""C++ runtimes that were found, fit, and are too old for the code that uses them.

Source: microsoft/STL, VS 2022 17.10 changelog (constexpr constructor of std::mutex); see knowledge/vcruntime.py.
"""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.typing import TYPE_CHECKING
from whyload.facts.ownership import of_conda_and_pip
from whyload.knowledge.vcruntime import constexpr_mutex_toolset, runtime_needed
from whyload.loader.model import INIT_FAILED, Fault, FaultKind, Node

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.base.versions import FileVersion
    from whyload.facts.case import Case
    from whyload.formats.pe import Image
    from whyload.loader.windows.playback import PlayedLoad

RUNTIME = "msvcp140.dll"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeTooOld:
    """A file built with a newer toolset got an older `msvcp140.dll`."""

    case: Case
    load: PlayedLoad
    fault: Fault
    runtime: WinPath
    importer: WinPath
    found: FileVersion
    needed: tuple[int, int]
    right: WinPath | None
    """A newer copy in System32 that was not taken."""
    ends_the_run: bool = True
    """The program cannot live without it."""

    @property
    def of_conda_and_pip(self) -> bool:
        """The runtime is conda's, the file that needs a newer one came from pip, or the reverse."""
        return of_conda_and_pip(self.case.packages.owner(self.runtime), self.case.packages.owner(self.importer))


def old_runtimes(case: Case) -> list[RuntimeTooOld]:
    """The first such file of each load that succeeds as far as files decide."""
    found: list[RuntimeTooOld] = []
    for load in case.playback.loads:
        if not load.tree.status:
            found += _pairs(case, load)[:1]
    return found


def needed_runtime(image: Image) -> tuple[int, int] | None:
    """The version of `msvcp140.dll` that a file surely needs; None where any will do, or that is not sure."""
    if image.linker_version < constexpr_mutex_toolset():
        return None
    names = [s.name for entry in image.imports() if entry.name.lower() == RUNTIME for s in entry.symbols() if s.name]
    need = runtime_needed(image.linker_version, names)
    return need.version if need is not None and need.certain else None


def _pairs(case: Case, load: PlayedLoad) -> list[RuntimeTooOld]:
    return [item for node, above in _with_chain(load.tree.root, ()) for item in _check(case, load, node, above)]


def _with_chain(node: Node, above: tuple[Node, ...]) -> list[tuple[Node, tuple[Node, ...]]]:
    chain = (*above, node)
    found = [(node, chain)]
    for child in node.children:
        found += _with_chain(child, chain)
    return found


def _check(case: Case, load: PlayedLoad, node: Node, chain: tuple[Node, ...]) -> list[RuntimeTooOld]:
    image = case.process.images.open(node.path).image if node.fresh and node.path else None
    needed = needed_runtime(image) if image is not None else None
    if needed is None or node.path is None:
        return []
    child = next((item for item in node.children if item.name.lower() == RUNTIME and item.path), None)
    if child is None or child.path is None:
        return []
    version = _version(case, child.path)
    if version is None or version[:2] >= needed:
        return []
    fault = Fault(kind=FaultKind.INIT_FAILED, node=child, chain=(*chain, child), status=INIT_FAILED)
    return [
        RuntimeTooOld(
            case=case,
            load=load,
            fault=fault,
            runtime=child.path,
            importer=node.path,
            found=version,
            needed=needed,
            right=_newer(case, child.path, needed),
        )
    ]


def _version(case: Case, path: WinPath) -> FileVersion | None:
    image = case.process.images.open(path).image
    if image is None and path.parent == case.process.system32:
        return case.world.system.vc_runtime  # known by the profile
    return image.file_version() if image else None


def _newer(case: Case, wrong: WinPath, needed: tuple[int, int]) -> WinPath | None:
    path = case.process.system32 / wrong.name
    version = _version(case, path) if path != wrong else None
    return path if version is not None and version[:2] >= needed else None
