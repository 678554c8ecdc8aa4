"""An OpenMP runtime is absent.

The loader looked everywhere it looks for this library and an OpenMP runtime that the file imports is in none
of those places.

`libomp140.x86_64.dll` is the LLVM runtime of Visual Studio. It is in no Visual C++ redistributable and may
not be passed on: a package that imports it was built wrongly, and another release of the package is the cure.
`vcomp140.dll` is in the redistributable but not in Windows. `libiomp5md.dll` comes with the package that
needs it or from `intel-openmp`.

What does not help: a lone DLL from a download site, or a copy in System32.
"""

from __future__ import annotations

from whyload.facts.subjects import Absence
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """The absent library is an OpenMP runtime."""
    if not absence.family(Family.OPENMP) or absence.case.is_frozen:
        return None
    return absent(absence, "missing-openmp")
