"""The DLL that is found lacks a function that is imported (Windows error 127, or 182 by ordinal), and no more specific
cause applies.

The two files come from different releases. The report says which copy is used and which package owns it.

## How it looks

- `ImportError: DLL load failed while importing _x: The specified procedure could not be found.`
- `OSError: [WinError 127] The specified procedure could not be found`
- `OSError: [WinError 182] The operating system cannot run %1`
- a dialog: `The procedure entry point NAME could not be located in the dynamic link library FILE`
- ctypes: `AttributeError: function 'name' not found`

## How to make sure

- `whyload PACKAGE` names the function, the copy that lacks it, and other copies on the machine
- `dumpbin /exports FILE` lists the functions of a copy

## What to do

1. Use versions of both packages that belong together; reinstall the one that owns the library.
2. If another copy has the function, make sure that it is found first (see `path-shadowing`).
3. Delete leftovers of an earlier version in the same folder.

## What not to do

- Swap single DLLs between versions.
- Download a "fixed" DLL from the internet.

## Sources

- Microsoft: System Error Codes (127, 182)
- docs/loader.md R1.20 to R1.24, R2.48
"""

from __future__ import annotations

from whyload.facts.subjects import MissingFunction
from whyload.findings.functions import lacking, owner_notes
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family
from whyload.remedies.choose import reinstall


def examine(subject: MissingFunction) -> Finding | None:
    """Neither torch's, nor the runtime's, nor Windows' file, and no better copy is around."""
    owner = subject.library_owner
    runtime = subject.library is not None and subject.library.family is Family.VC_RUNTIME
    if subject.of_torch or subject.has_narrower_cause or runtime or (subject.in_system32 and subject.is_windows):
        return None
    if subject.better is not None:
        return None
    remedies = (reinstall(owner, subject.case.world),) if owner else ()
    return lacking(
        subject,
        "missing-procedure",
        culprit=subject.symbol.library,
        notes=owner_notes(subject),
        remedies=remedies,
    )
