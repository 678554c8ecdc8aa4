"""Built for the same Python version but another ABI: debug, free-threaded, or PyPy.

A free-threaded Python (`cp313t`) and a regular one cannot load each other's modules; the same applies to a
debug Python (`_d`). PyPy has its own interface.

## How it looks

- `ModuleNotFoundError: No module named 'pkg._x'`, although the file `_x.cp313t-win_amd64.pyd` is there
- `Module use of python313t.dll conflicts with this version of Python.`
- `python311_d.dll` is not found
- `ImportError: cannot import name ...` in a debug Python, which looks for `_x_d.pyd`

## How to make sure

- `python -VV`, and `python -c "import sys, sysconfig; print(sysconfig.get_config_var('Py_GIL_DISABLED'),
  hasattr(sys, 'gettotalrefcount'))"`
- the tag in the file's name: `t` for free-threaded, `_d` for debug, `pp310` for PyPy

## What to do

1. Install the package with the interpreter that will use it: `python -m pip install --force-reinstall
   --no-cache-dir PACKAGE`.
2. If there is no wheel for this kind of Python: use a regular Python, or compile the package.

## What not to do

- Rename the file.
- Copy `site-packages` between interpreters.

## Sources

- PEP 425, PEP 3149, PEP 703
- docs/loader.md R3.4, R3.9, R3.12
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
