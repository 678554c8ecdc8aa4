"""A debug C runtime is imported.

The file was built as Debug. Debug runtimes exist only with Visual Studio and may not be passed on: the cure
is a Release build, or an official wheel.
"""

from __future__ import annotations

from whyload.facts.subjects import Absence
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """The absent library is a debug runtime."""
    if not absence.family(Family.DEBUG_RUNTIME) or absence.case.is_frozen:
        return None
    return absent(absence, "missing-debug-runtime")
