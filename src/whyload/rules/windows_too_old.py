"""The binary needs a function or an API set that this Windows does not have.

`api-ms-win-…` names are not files: Windows maps each to one of its own DLLs. A name that this Windows does not know means that the binary was built
for a newer one. Do not look for a file of that name."""

from __future__ import annotations

from whyload.facts.subjects import Absence
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """The absent library is an API set."""
    if not absence.family(Family.API_SET) or absence.case.is_frozen:
        return None
    return absent(absence, "windows-too-old")
