"""The DLL that is found lacks a function that is imported (Windows error 127, or 182 by ordinal), and no
narrower cause fits.

The two files come from different releases. The report says which copy was taken and which package owns it.
"""

from __future__ import annotations

from whyload.facts.packages import normalised
from whyload.facts.subjects import MissingFunction
from whyload.findings.functions import lacking
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family
from whyload.remedies.choose import reinstall

_NARROWER = (Family.VC_RUNTIME, Family.WINDOWS, Family.WINDOWS_FEATURE)


def examine(subject: MissingFunction) -> Finding | None:
    """Neither torch's, nor the runtime's, nor Windows' file, and no better copy is around."""
    owner = subject.library_owner
    if subject.better is not None or (subject.library is not None and subject.library.family in _NARROWER):
        return None
    if owner is not None and normalised(owner.distribution) == "torch" and subject.importer_owner != owner:
        return None
    remedies = (reinstall(owner.distribution, owner.version, subject.case.world),) if owner else ()
    return lacking(subject, "missing-procedure", culprit=subject.symbol.library, remedies=remedies)
