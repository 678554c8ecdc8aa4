"""A debug C runtime is imported. It may not be redistributed: the binary was built wrongly.

`vcruntime140d.dll`, `msvcp140d.dll`, `ucrtbased.dll` and similar files exist only where Visual Studio is
installed. A package that needs them was built in the Debug configuration. Likewise, `python311_d.dll` is the
DLL of a debug build of Python.

## How it looks

- `ImportError: DLL load failed while importing _x: The specified module could not be found.` everywhere except
  on the developer's machine
- a dialog: `VCRUNTIME140D.dll was not found`

## How to make sure

- `whyload tree FILE`, or `dumpbin /dependents FILE`: a name of the runtime with a `d` before `.dll`

## What to do

1. Use another release of the package, and report the fault to its maintainers.
2. In your own code: build the Release configuration (`--config Release`, `/MD` instead of `/MDd`), also of the
   libraries that it links.
3. If you need debug symbols, use RelWithDebInfo, which keeps the release runtime.

## What not to do

- Copy debug DLLs from another machine: the licence forbids it, and mixed runtimes corrupt memory.
- Install Visual Studio on every machine just to run the program.

## Sources

- Microsoft: Redistributing Visual C++ Files ("You can't redistribute debug versions"); /MD, /MT, /LD
"""

from __future__ import annotations

from whyload.facts.subjects import Absence
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """The absent library is a debug runtime."""
    if not absence.family(Family.DEBUG_RUNTIME) or absence.case.is_frozen:
        return None
    return absent(absence, "missing-debug-runtime")
