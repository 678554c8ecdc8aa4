"""A cuDNN of another major version is there instead of the one needed.

The major version is part of the name: `cudnn64_8.dll` does not stand in for `cudnn64_9.dll`. The package says
which one it was built for.
"""

from __future__ import annotations

from whyload.facts.subjects import Absence, AbsenceKind
from whyload.findings.absence import other_version
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """Another version of the wanted cuDNN library is around."""
    if absence.kind is not AbsenceKind.OTHER_VERSION or absence.other is None or absence.library is None:
        return None
    if absence.case.is_frozen:
        return None
    if absence.library.family is not Family.CUDNN:
        return None
    return other_version(absence, absence.other, "wrong-cudnn-version")
