"""A Visual C++ runtime DLL is absent for this architecture.

Python brings `vcruntime140.dll` (and `vcruntime140_1.dll`) along, but not the C++ library `msvcp140.dll` and
its kin. A fresh Windows has none of them; they come with the Visual C++ redistributable, which most machines
have because some other program installed it.

What does not help: a lone DLL from a download site. In a virtual environment the pip package `msvc-runtime`
does not help either: the process starts from the base interpreter, and its folder is the one that is
searched.
"""

from __future__ import annotations

from whyload.facts.subjects import Absence
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """The absent library belongs to the Visual C++ runtime."""
    if not absence.family(Family.VC_RUNTIME) or absence.case.is_frozen:
        return None
    return absent(absence, "missing-vc-runtime")
