"""A dependent library is absent, and none of the families with a cause of their own covers it.

The message of Windows names the file that was asked for, not the one that is absent: the chain shows who wants it.
"""

from __future__ import annotations

from whyload.facts.subjects import Absence, AbsenceKind
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family

_OWN_CAUSE = (
    Family.OPENMP,
    Family.VC_RUNTIME,
    Family.DEBUG_RUNTIME,
    Family.CUDA,
    Family.CUDNN,
    Family.NVIDIA_DRIVER,
    Family.WINDOWS_FEATURE,
    Family.WINDOWS,
    Family.API_SET,
)


def examine(absence: Absence) -> Finding | None:
    """The library is nowhere, and no narrower cause is known."""
    if absence.kind not in (AbsenceKind.PLAIN, AbsenceKind.OTHER_VERSION) or absence.case.is_frozen:
        return None
    if absence.is_unfinished_build:
        return None
    if absence.library is not None and absence.library.family in _OWN_CAUSE:
        return None
    return absent(absence, "missing-dependency")
