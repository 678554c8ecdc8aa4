"""The DLL that is found lacks a function that is imported (Windows error 127, or 182 by ordinal), and no
narrower cause fits.

The two files come from different releases. The report says which copy was taken and which package owns it.
"""

from __future__ import annotations

from whyload.facts.subjects import MissingFunction
from whyload.findings.functions import lacking
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family
from whyload.remedies.choose import reinstall


def examine(subject: MissingFunction) -> Finding | None:
    """Neither torch's, nor the runtime's, nor Windows' file, and no better copy is around."""
    owner = subject.library_owner
    runtime = subject.library is not None and subject.library.family is Family.VC_RUNTIME
    if subject.of_torch or subject.has_narrower_cause or runtime or (subject.in_system32 and subject.is_windows):
        return None
    if subject.better is not None and not subject.in_system32:
        return None
    remedies = (reinstall(owner.distribution, owner.version, subject.case.world, owner.installer),) if owner else ()
    return lacking(subject, "missing-procedure", culprit=subject.symbol.library, remedies=remedies)
