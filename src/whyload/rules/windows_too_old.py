"""The binary needs a function or an API set that this Windows does not have.

`api-ms-win-…` names are not files: Windows maps each to one of its own DLLs. A name that this Windows does
not know means that the binary was built for a newer one. Do not look for a file of that name.
"""

from __future__ import annotations

from whyload.facts.subjects import Absence, MissingFunction
from whyload.findings.absence import absent
from whyload.findings.functions import lacking
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(subject: Absence | MissingFunction) -> Finding | None:
    """The absent library is an API set, or a DLL of Windows lacks the function."""
    if isinstance(subject, Absence):
        newer = subject.family(Family.WINDOWS, Family.WINDOWS_FEATURE) and subject.needs_newer_windows
        return absent(subject, "windows-too-old") if newer or subject.family(Family.API_SET) else None
    if not subject.in_system32 or not subject.is_windows or subject.has_narrower_cause:
        return None
    return lacking(subject, "windows-too-old", culprit=subject.symbol.importer)
