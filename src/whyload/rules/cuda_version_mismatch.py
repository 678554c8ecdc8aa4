"""A CUDA library of another major version is there instead of the one needed.

The major version is part of the name: `cublas64_11.dll` and `cublas64_12.dll` are different libraries, and
neither stands in for the other. Renaming a file does not help. Take the build of the package for the
installed CUDA, or install the CUDA that the package was built for.
"""

from __future__ import annotations

from whyload.facts.subjects import Absence, AbsenceKind
from whyload.findings.absence import other_version
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """Another version of the wanted CUDA library is around."""
    if absence.kind is not AbsenceKind.OTHER_VERSION or absence.other is None or absence.library is None:
        return None
    if absence.case.is_frozen:
        return None
    if absence.library.family is not Family.CUDA:
        return None
    return other_version(absence, absence.other, "cuda-version-mismatch")
