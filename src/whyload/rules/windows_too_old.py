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
        return absent(subject, "windows-too-old") if subject.family(Family.API_SET) else None
    if subject.library is None or subject.library.family not in (Family.WINDOWS, Family.WINDOWS_FEATURE):
        return None
    return lacking(subject, "windows-too-old", culprit=subject.symbol.importer)
