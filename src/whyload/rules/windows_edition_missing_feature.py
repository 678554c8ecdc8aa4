"""A DLL that is an optional part of Windows is absent.

N editions lack Media Foundation until the Media Feature Pack is installed; Server Core and its container
images lack Media Foundation, OpenGL and Video for Windows. Copying the DLL from another Windows does not
help: it needs the rest of the feature.
"""

from __future__ import annotations

from whyload.facts.subjects import Absence
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """The absent library belongs to Windows."""
    if not absence.family(Family.WINDOWS_FEATURE, Family.WINDOWS) or absence.needs_newer_windows:
        return None
    return absent(absence, "windows-edition-missing-feature")
