"""Extension modules that were compiled with NumPy 1.x and meet NumPy 2.

Source: NumPy, "NumPy 2.0 migration guide" and `__multiarray_api.h`: code compiled with 1.16 to 1.26 imports
`numpy.core._multiarray_umath` by that name only, code compiled with 2.x asks for `numpy._core._multiarray_umath` first;
code compiled with 1.15 or earlier imports `numpy.core.multiarray`, as Python code may do too, and checks the ABI.
"""

from __future__ import annotations

import re

from whyload.base.bytesource import ByteSource, positions
from whyload.base.dataclass import dataclass
from whyload.base.regular import regular
from whyload.base.typing import TYPE_CHECKING
from whyload.observe.events import Via

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.facts.case import Case
    from whyload.loader.windows.playback import PlayedLoad

_OLD, _NEW = b"numpy.core._multiarray_umath", b"numpy._core._multiarray_umath"
_OLDEST, _ABI_CHECK = b"\0numpy.core.multiarray\0", b"module compiled against ABI version"
NAMES = (_OLD, _NEW, _OLDEST, _ABI_CHECK)
"""What is looked for in the contents of an extension module."""
_LOOKED_AT = 3
"""Modules of one package that are read; those of one build are all alike."""
_INFO = regular(r"numpy-(\d+)\.[^-]*\.dist-info", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltForOldNumpy:
    """An extension module of NumPy 1.x that was loaded while NumPy 2 is installed."""

    case: Case
    load: PlayedLoad
    path: WinPath
    installed: str
    """Version of NumPy."""
    ends_the_run: bool = True
    """False where the program may live without it."""


def built_for_old_numpy(case: Case) -> list[BuiltForOldNumpy]:
    """Every such module that the run loaded, in order."""
    if "numpy" not in case.playback.modules:
        return []
    installed = installed_numpy(case)
    if installed is None or int(installed.partition(".")[0]) < 2:
        return []
    found: list[BuiltForOldNumpy] = []
    looked_at: dict[str, int] = {}
    for load in case.playback.loads:
        path, package = load.tree.root.path, (load.event.module or "").partition(".")[0]
        if load.event.via is not Via.IMPORT or load.tree.status or path is None or package in ("", "numpy"):
            continue
        looked_at[package] = looked_at.get(package, 0) + 1
        source = case.world.files.source(path) if looked_at[package] <= _LOOKED_AT else None
        if source is not None and _is_old(source):
            found.append(BuiltForOldNumpy(case=case, load=load, path=path, installed=installed))
    return found


def installed_numpy(case: Case) -> str | None:
    """Version of the first NumPy on `sys.path`, by the name of its folder of metadata."""
    for folder in case.paths:
        for name in case.world.files.listdir(folder):
            if _INFO.fullmatch(name):
                return name.split("-")[1].removesuffix(".dist")
    return None


def _is_old(source: ByteSource) -> bool:
    try:
        there = positions(source, NAMES).keys()
    except OSError:
        return False
    return _NEW not in there and (_OLD in there or {_OLDEST, _ABI_CHECK} <= there)
