"""Built for another Python version.

A module of Python 3.10 links `python310.dll` and has `cp310` in its name. Another version does not see it, or
loads a second Python beside itself. Only modules of the stable ABI (`abi3`, linked to `python3.dll`) work in
later versions.

## How it looks

- `ModuleNotFoundError: No module named 'pkg._x'`, although a file of that name with another tag lies there
- `ImportError: DLL load failed while importing _x: The specified module could not be
  found.`, because `python310.dll` is not there
- `ImportError: Module use of python310.dll conflicts with this version of Python.`
- after Python was upgraded, or a `PYTHONPATH` leads into another version's `site-packages`

## How to make sure

- `python -VV`, and the tag in the file's name
- `python -c "import sys; print(sys.path)"`: a folder of another version

## What to do

1. Install the package with this interpreter: `python -m pip install --force-reinstall --no-cache-dir PACKAGE`.
2. Remove `PYTHONPATH`, or leftovers of the other version.
3. If the package has no wheel for this version yet: use the version that it supports.

## What not to do

- Rename the file, or copy `python310.dll` beside it: two interpreters in one process crash.

## Sources

- PEP 425, PEP 3149; CPython: Python/dynload_win.c
- docs/loader.md R3.4, R3.9 to R3.12
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
