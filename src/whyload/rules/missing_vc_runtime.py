"""A Visual C++ runtime DLL is missing for this architecture.

Python includes `vcruntime140.dll` (and `vcruntime140_1.dll`), but not the C++ library `msvcp140.dll` and its
companions. A fresh Windows has none of them; they come with the Visual C++ redistributable, which most machines
have only because another program installed it.

## How it looks

- `ImportError: DLL load failed while importing _x: The specified module could not be found.` on a fresh
  Windows, in a container or on a server
- `Microsoft Visual C++ Redistributable is not installed, this may lead to the DLL load failure.` (torch)
- a dialog: `The code execution cannot proceed because MSVCP140.dll was not found`
- `14001`, `side-by-side configuration is incorrect`: the 2005 or 2008 runtime is missing

## How to make sure

- `where msvcp140.dll vcruntime140_1.dll`
- `whyload PACKAGE` names the DLL and the processor that it is needed for

## What to do

1. Install Microsoft's latest Visual C++ redistributable for Python's processor (x64, x86, ARM64). One
   installation serves all programs.
2. If you may not install it: `python -m pip install msvc-runtime`, in a plain Python, not in a virtual
   environment; in conda `conda install vc14_runtime`.
3. Older names (`msvcp120.dll`, `msvcr110.dll`): install the redistributable of that year as well.

## What not to do

- Download a single DLL from a DLL site: the runtime consists of several files of one version.
- Install `msvc-runtime` in a virtual environment: it does not help, because the process is the base
  interpreter, whose folder is the one that is searched.
- Copy DLLs into `System32`.

## Sources

- Microsoft: Latest supported Visual C++ Redistributable downloads; Determining which DLLs to redistribute
- docs/loader.md R3.16
"""

from __future__ import annotations

from whyload.facts.subjects import Absence
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """The absent library belongs to the Visual C++ runtime."""
    if not absence.family(Family.VC_RUNTIME) or absence.case.is_frozen:
        return None
    return absent(absence, "missing-vc-runtime")
