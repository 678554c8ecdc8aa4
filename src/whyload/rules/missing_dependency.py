r"""A dependent library is absent, and none of the families with a cause of their own covers it.

The message of Windows names the file that was asked for, not the one that is absent: the chain shows who wants
it. The absent one may be needed by a library that is needed by a library.

## How it looks

- `ImportError: DLL load failed while importing _x: The specified module could not be found.` (126)
- `FileNotFoundError: Could not find module 'C:\...\x.dll' (or one of its dependencies). Try using the full path
  with constructor syntax.`
- `OSError: cannot load library 'gobject-2.0-0': error 0x7e`
- `ImportError: failed to find libmagic.  Check your installation`

## How to make sure

- `whyload PACKAGE` or `whyload tree FILE`: the name at the end of the chain
- is the file that the message names there at all? If it is, something below it is absent

## What to do

1. Find out what the library belongs to: the report says it where it is known; else look at the documentation of
   the package that needs it.
2. Install that program, or the package that contains it (pip, conda), for the processor of this Python.
3. If it lies in a folder of its own: add the folder in the program (`os.add_dll_directory`).

## What not to do

- Download a DLL of that name from a site that collects DLLs: version, processor and origin are unknown.
- Put it into `System32`, or register it with `regsvr32`.

## Sources

- Microsoft: System Error Codes (126); Dynamic-link library search order
- docs/loader.md R2.46
"""

from __future__ import annotations

from whyload.facts.subjects import Absence, AbsenceKind
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family

_OWN_CAUSE = (
    Family.OPENMP,
    Family.VC_RUNTIME,
    Family.DEBUG_RUNTIME,
    Family.CUDA,
    Family.CUDNN,
    Family.NVIDIA_DRIVER,
    Family.WINDOWS_FEATURE,
    Family.WINDOWS,
    Family.API_SET,
)


def examine(absence: Absence) -> Finding | None:
    """The library is nowhere, and no narrower cause is known."""
    if absence.kind not in (AbsenceKind.PLAIN, AbsenceKind.OTHER_VERSION) or absence.case.is_frozen:
        return None
    if absence.is_unfinished_build or absence.is_sought_at_conda:
        return None
    if absence.library is not None and absence.library.family in _OWN_CAUSE:
        return None
    return absent(absence, "missing-dependency")
