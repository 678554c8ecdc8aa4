"""A library that only the display driver installs is absent.

No package and no toolkit has it. On a machine without an NVIDIA GPU take the CPU build of the package."""

from __future__ import annotations

from whyload.facts.subjects import Absence
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """The absent library belongs to the display driver."""
    if not absence.family(Family.NVIDIA_DRIVER):
        return None
    return absent(absence, "missing-nvidia-driver")
