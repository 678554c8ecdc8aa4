"""A cuDNN library, or one that cuDNN itself needs, is absent.

cuDNN is not part of the CUDA toolkit. The number in the name is its major version: a file built for cuDNN 9
does not load with cuDNN 8.
"""

from __future__ import annotations

from whyload.facts.subjects import Absence
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """The absent library belongs to cuDNN."""
    if not absence.family(Family.CUDNN) or absence.case.is_frozen:
        return None
    return absent(absence, "missing-cudnn")
