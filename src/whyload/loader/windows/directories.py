"""The folders that one load call searches, in order (loader.md 2.4).

Source: Microsoft, "Dynamic-link library search order", "LoadLibraryExW", "SetDllDirectoryW", "AddDllDirectory".
"""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.typing import TYPE_CHECKING
from whyload.loader.model import StepKind
from whyload.loader.windows.arguments import (
    ALTERED_SEARCH_PATH,
    SEARCH_APPLICATION_DIR,
    SEARCH_DEFAULT_DIRS,
    SEARCH_DLL_LOAD_DIR,
    SEARCH_FLAGS,
    SEARCH_SYSTEM32,
    SEARCH_USER_DIRS,
)

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.loader.windows.process import Process


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFolder:
    """One folder of the list, with the rule that put it there."""

    kind: StepKind
    folder: WinPath
    rule: str


def search_list(process: Process, flags: int, top: WinPath | None) -> tuple[SearchFolder, ...]:
    """The list of one load call; `top` is the folder of the library named in the call by its full path (R2.23)."""
    mask = flags & SEARCH_FLAGS
    if not mask and process.default_directories:
        mask = process.default_directories  # R2.26: SetDefaultDllDirectories
    if mask:
        return tuple(_restricted(process, mask, top))
    if process.packaged:
        return tuple(_packaged(process, top if flags & ALTERED_SEARCH_PATH else None))
    return tuple(_standard(process, top if flags & ALTERED_SEARCH_PATH else None))


def _restricted(process: Process, mask: int, top: WinPath | None) -> list[SearchFolder]:
    """Any LOAD_LIBRARY_SEARCH flag: neither CWD nor the Windows folder nor PATH (R2.20)."""
    folders = []
    if mask & SEARCH_DLL_LOAD_DIR and top is not None:
        folders.append(SearchFolder(kind=StepKind.TOP_DIR, folder=top, rule="R2.23"))
    if mask & (SEARCH_APPLICATION_DIR | SEARCH_DEFAULT_DIRS):
        folders.append(SearchFolder(kind=StepKind.APP_DIR, folder=process.application_folder, rule="R2.22"))
    if mask & (SEARCH_USER_DIRS | SEARCH_DEFAULT_DIRS):
        # R2.21: the folder added last is searched first, SetDllDirectory's comes after all of them.
        added = [SearchFolder(kind=StepKind.USER_DIR, folder=path, rule="R2.21") for path in reversed(process.added)]
        folders += added + _set_directory(process)
    if mask & (SEARCH_SYSTEM32 | SEARCH_DEFAULT_DIRS):
        folders.append(SearchFolder(kind=StepKind.SYSTEM32, folder=process.system32, rule="R2.20"))
    return folders


def _packaged(process: Process, top: WinPath | None) -> list[SearchFolder]:
    """R2.56: a packaged process (Store Python) knows neither CWD nor PATH nor the Windows folder."""
    kind = StepKind.TOP_DIR if top is not None else StepKind.APP_DIR
    return [
        SearchFolder(kind=kind, folder=top or process.application_folder, rule="R2.56"),
        SearchFolder(kind=StepKind.SYSTEM32, folder=process.system32, rule="R2.56"),
    ]


def _set_directory(process: Process) -> list[SearchFolder]:
    if not process.set_directory:
        return []
    return [SearchFolder(kind=StepKind.SDD, folder=process.absolute(process.set_directory), rule="R2.21")]


def _standard(process: Process, top: WinPath | None) -> list[SearchFolder]:
    """The standard list; with LOAD_WITH_ALTERED_SEARCH_PATH `top` replaces the application's folder (R2.19)."""
    if top is not None:
        first = SearchFolder(kind=StepKind.TOP_DIR, folder=top, rule="R2.19")
    else:
        first = SearchFolder(kind=StepKind.APP_DIR, folder=process.application_folder, rule="R2.8")
    current = [SearchFolder(kind=StepKind.CWD, folder=process.cwd, rule="R2.8")]
    if process.set_directory is not None or not process.cwd_is_searched:
        current = []  # SetDllDirectory takes the current folder out
    folders = [first, *_set_directory(process)]
    if not process.safe_search:
        folders, current = folders + current, []
    folders += [
        SearchFolder(kind=StepKind.SYSTEM32, folder=process.system32, rule="R2.8"),
        SearchFolder(kind=StepKind.SYSTEM16, folder=process.windir / "System", rule="R2.8"),
        SearchFolder(kind=StepKind.WINDOWS, folder=process.windir, rule="R2.8"),
        *current,
    ]
    return folders + [SearchFolder(kind=StepKind.PATH, folder=path, rule="R2.28") for path in process.path_folders()]
