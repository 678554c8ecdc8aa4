"""Built for another Python ABI of the same version: debug, free-threaded, or another implementation.

A free-threaded Python (3.13t) and an ordinary one do not share extension modules; neither do a debug and a
release build.
"""

from __future__ import annotations

from whyload.base.machine import PLATFORM_TAGS
from whyload.facts.subjects import Absence, AbsenceKind, OtherPython
from whyload.facts.unavailable import UnfitModule
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.findings.python_builds import other_abi, other_implementation, tag_of, unfit
from whyload.findings.python_use import uses_other
from whyload.remedies.choose import other_build


def examine(subject: Absence | UnfitModule | OtherPython) -> Finding | None:
    """The file imports the DLL of another build of the same Python version, or its name carries the tag of one."""
    if isinstance(subject, UnfitModule):
        return _tagged(subject)
    if isinstance(subject, OtherPython):
        own = subject.case.world.python
        return uses_other(subject, "python-abi-mismatch") if other_abi(own, subject.dll) else None
    return _imports(subject)


def _tagged(module: UnfitModule) -> Finding | None:
    if other_implementation(module.file.name):
        return unfit(module, "python-abi-mismatch")
    tag = tag_of(module.file.name)
    version = module.case.world.python.version
    same = tag is not None and tag.digits == f"{version.major}{version.minor}"
    fits = tag is not None and PLATFORM_TAGS.get(tag.platform) is module.case.process.machine
    if tag is None or not same or not fits or (tag.free_threaded == version.free_threaded and not tag.debug):
        return None
    return unfit(module, "python-abi-mismatch")


def _imports(absence: Absence) -> Finding | None:
    if absence.kind is not AbsenceKind.OTHER_PYTHON or not other_abi(absence.case.world.python, absence.name):
        return None
    owner = absence.case.packages.owner(absence.importer) if absence.importer else None
    remedies = (other_build(owner.distribution, absence.case.world),) if owner else ()
    return absent(absence, "python-abi-mismatch", remedies=remedies)
