"""Built for another Python version.

A module for Python 3.10 links to `python310.dll` and has `cp310` in its name. Another version either ignores it
or loads a second Python into the process. Only modules that use the stable ABI (`abi3`, linked to
`python3.dll`) work in later versions.

## How it looks

- `ModuleNotFoundError: No module named 'pkg._x'`, although a file of that name with another tag is there
- `ImportError: DLL load failed while importing _x: The specified module could not be found.`, because there is
  no `python310.dll`
- `ImportError: Module use of python310.dll conflicts with this version of Python.`
- after Python was upgraded, or with a `PYTHONPATH` that points to another version's `site-packages`

## How to make sure

- compare `python -VV` with the tag in the file's name
- `python -c "import sys; print(sys.path)"`: look for a folder of another version

## What to do

1. Install the package with the interpreter that will use it: `python -m pip install --force-reinstall
   --no-cache-dir PACKAGE`.
2. Remove `PYTHONPATH`, or leftovers of the other version.
3. If the package has no wheel for this version yet: use a Python version that it supports.

## What not to do

- Rename the file, or copy `python310.dll` beside it: two interpreters in one process lead to crashes.

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
        en=f"this Python is {version}; the file was built for the Python of `{absence.name}`",
        zh=f"当前 Python 是 {version}；该文件是为 `{absence.name}` 对应的 Python 版本构建的",
    )
    owner = absence.case.packages.owner(absence.importer) if absence.importer else None
    remedies = (other_build(owner.distribution, absence.case.world),) if owner else ()
    return absent(absence, "python-version-mismatch", notes=(note,), remedies=remedies)
