"""Two OpenMP runtimes of one family in one process.

Source: data/libraries.toml (vendors); LLVM's runtime registers itself under one name for the whole process, whatever
file it comes from, and ends the process when it finds another one there (OMP: Error #15).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from whyload.base.dataclass import dataclass
from whyload.base.regular import regular
from whyload.base.typing import TYPE_CHECKING
from whyload.knowledge.libraries import Family, identify

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.facts.case import Case

_CLASHING = frozenset({"intel", "llvm"})
_STUBS = "libiompstubs"
"""Intel's library without threads, which registers nothing."""
_MANGLED = regular(r"-[0-9a-f]{8,64}(?=\.dll$)", re.IGNORECASE)
"""What delvewheel adds to a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoOpenMp:
    """Two copies that clash, in the order in which they were loaded."""

    case: Case
    first: WinPath
    second: WinPath


def clashing_openmp(case: Case, files: Iterable[WinPath]) -> TwoOpenMp | None:
    """The first two clashing runtimes among loaded files, of two packages: one that brings two has been tried so."""
    found = [path for path in files if _clashes(path, case)]
    for second in found[1:]:
        owner = case.packages.owner(second)
        if owner is None or owner != case.packages.owner(found[0]):
            return TwoOpenMp(case=case, first=found[0], second=second)
    return None


def _clashes(path: WinPath, case: Case) -> bool:
    name = _MANGLED.sub("", path.name)
    if name.lower().startswith(_STUBS):
        return False
    library = identify(name, case.process.machine)
    return library is not None and library.family is Family.OPENMP and library.vendor in _CLASHING
