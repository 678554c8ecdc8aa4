"""A CUDA runtime or toolkit library is absent, and no other version of it is around.

The display driver does not bring these libraries. They come with the CUDA toolkit, with NVIDIA's packages on
the index, or inside the CUDA build of a framework. The number in the name is the major version that is
needed.
"""

from __future__ import annotations

from whyload.facts.subjects import Absence
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """The absent library belongs to the CUDA toolkit."""
    if not absence.family(Family.CUDA) or absence.case.is_frozen:
        return None
    return absent(absence, "missing-cuda-toolkit")
