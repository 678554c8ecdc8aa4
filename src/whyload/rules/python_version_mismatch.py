"""Built for another Python version.

A compiled extension module fits one version of Python (or, with the stable ABI, that version and later ones).
A file name with a tag such as `.cp310-win_amd64.pyd` is not even considered by another Python; one without a
tag is loaded and then asks for the DLL of its own Python.
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.subjects import Absence, AbsenceKind, OtherPython
from whyload.facts.unavailable import UnfitModule
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.findings.python_builds import other_abi, tag_of, unfit
from whyload.findings.python_use import uses_other
from whyload.remedies.choose import other_build


def examine(subject: Absence | UnfitModule | OtherPython) -> Finding | None:
    """The file imports the DLL of another Python version, or its name carries the tag of one."""
    if isinstance(subject, UnfitModule):
        return _tagged(subject)
    if isinstance(subject, OtherPython):
        own = subject.case.world.python
        return None if other_abi(own, subject.dll) else uses_other(subject, "python-version-mismatch")
    return _imports(subject)


def _tagged(module: UnfitModule) -> Finding | None:
    tag = tag_of(module.file.name)
    version = module.case.world.python.version
    if tag is None or tag.digits == f"{version.major}{version.minor}":
        return None
    return unfit(module, "python-version-mismatch")


def _imports(absence: Absence) -> Finding | None:
    if absence.kind is not AbsenceKind.OTHER_PYTHON or other_abi(absence.case.world.python, absence.name):
        return None
    version = absence.case.world.python.version
    note = Message(
        en=f"this Python is {version}; the file was built for the one of `{absence.name}`",
        zh=f"当前 Python 是 {version}；该文件是为 `{absence.name}` 所属的版本构建的",
    )
    owner = absence.case.packages.owner(absence.importer) if absence.importer else None
    remedies = (other_build(owner.distribution, absence.case.world),) if owner else ()
    return absent(absence, "python-version-mismatch", notes=(note,), remedies=remedies)
