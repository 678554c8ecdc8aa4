"""Built for another Python ABI of the same version: debug, free-threaded, or another implementation.

A free-threaded Python (3.13t) and an ordinary one do not share extension modules; neither do a debug and a release build.
"""

from __future__ import annotations

from whyload.facts.subjects import Absence, AbsenceKind
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.findings.python_builds import other_abi
from whyload.remedies.choose import other_build


def examine(absence: Absence) -> Finding | None:
    """The file imports the DLL of another build of the same Python version."""
    if absence.kind is not AbsenceKind.OTHER_PYTHON or not other_abi(absence.case.world.python, absence.name):
        return None
    owner = absence.case.packages.owner(absence.importer) if absence.importer else None
    remedies = (other_build(owner.distribution, absence.case.world),) if owner else ()
    return absent(absence, "python-abi-mismatch", remedies=remedies)
