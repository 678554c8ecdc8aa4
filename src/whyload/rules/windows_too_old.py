"""The binary needs a function or an API set that this Windows does not have.

`api-ms-win-…` names are not files: Windows maps each of them to one of its own DLLs. If this Windows does not
know the name, the binary was built for a newer Windows. Do not look for a file of that name.

## How it looks

- `api-ms-win-core-path-l1-1-0.dll` is missing: Python 3.9 and later on Windows 7
- `api-ms-win-crt-runtime-l1-1-0.dll` is missing: Windows 7 or 8 without the Universal CRT update
- `The specified procedure could not be found.` (127), for a function of `kernel32.dll`, `dxgi.dll` and the like
- `dxcore.dll` is missing: onnxruntime 1.22.0 on Windows 10 before 2004

## How to make sure

- `winver`: version and build
- `whyload PACKAGE` names the function or the API set

## What to do

1. Update Windows; the last Python for Windows 7 is 3.8, and for Windows 8.1 it is 3.12.
2. Or use the last release of the package that supports this Windows.
3. Windows 7 and 8: install the Universal CRT update KB2999226.

## What not to do

- Download `api-ms-win-*.dll` files: on Windows 10 and later, what is missing is never such a file.
- Copy DLLs from a newer Windows.

## Sources

- Microsoft: Windows API sets; Universal CRT deployment
- Python documentation: Using Python on Windows (supported versions)
- docs/loader.md R2.12 to R2.15
"""

from __future__ import annotations

from whyload.facts.subjects import Absence, MissingFunction
from whyload.findings.absence import absent
from whyload.findings.functions import lacking
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(subject: Absence | MissingFunction) -> Finding | None:
    """The absent library is an API set, or a DLL of Windows lacks the function."""
    if isinstance(subject, Absence):
        newer = subject.family(Family.WINDOWS, Family.WINDOWS_FEATURE) and subject.needs_newer_windows
        return absent(subject, "windows-too-old") if newer or subject.family(Family.API_SET) else None
    if not subject.in_system32 or not subject.is_windows or subject.has_narrower_cause:
        return None
    return lacking(subject, "windows-too-old", culprit=subject.symbol.importer)
