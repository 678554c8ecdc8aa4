"""A Visual C++ runtime DLL is absent for this architecture.

Python brings `vcruntime140.dll` (and `vcruntime140_1.dll`) along, but not the C++ library `msvcp140.dll` and
its kin. A fresh Windows has none of them; they come with the Visual C++ redistributable, which most machines
have because some other program installed it.

## How it looks

- `ImportError: DLL load failed while importing _x: The specified module could not be found.` on a fresh
  Windows, in a container, on a server
- `Microsoft Visual C++ Redistributable is not installed, this may lead to the DLL load failure.` (torch)
- a dialog: `The code execution cannot proceed because MSVCP140.dll was not found`
- `14001`, `side-by-side configuration is incorrect`: a runtime of 2005 or 2008

## How to make sure

- `where msvcp140.dll vcruntime140_1.dll`
- `whyload PACKAGE` names the DLL and the processor

## What to do

1. Install the newest Visual C++ redistributable of Microsoft for the processor of Python (x64, x86, ARM64). One
   installation serves all programs.
2. Without rights to install: `python -m pip install msvc-runtime`, for a plain Python, not for a virtual
   environment; in conda `conda install vc14_runtime`.
3. Older names (`msvcp120.dll`, `msvcr110.dll`): the redistributable of that year, beside the new one.

## What not to do

- A lone DLL from a download site: the runtime is several files of one version.
- In a virtual environment the pip package `msvc-runtime` does not help: the process starts from the base
  interpreter, and its folder is the one that is searched.
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
