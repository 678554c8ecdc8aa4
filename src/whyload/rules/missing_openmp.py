r"""An OpenMP runtime is missing.

The file imports an OpenMP runtime that is in none of the places the loader searches.

`libomp140.x86_64.dll` is the LLVM runtime of Visual Studio. It is not part of any Visual C++ redistributable
and may not be redistributed: a package that imports it was built wrongly, and the remedy is another release of
the package. `vcomp140.dll` is in the redistributable but not in Windows. `libiomp5md.dll` comes with the
package that needs it or from `intel-openmp`.

## How it looks

- `OSError: [WinError 126] The specified module could not be found. Error loading "...\torch\lib\fbgemm.dll" or
  one of its dependencies.` (torch 2.4.0)
- `ImportError: DLL load failed while importing _x: The specified module could not be found.`
- Linux: `libgomp.so.1: cannot open shared object file: No such file or directory`; macOS: `Library not loaded:
  @rpath/libomp.dylib`

## How to make sure

- `whyload PACKAGE` names the runtime and the file that imports it
- `where libomp140*.dll vcomp140.dll libiomp5md.dll`

## What to do

1. `libomp140.x86_64.dll`: upgrade the package (torch 2.4.0: `python -m pip install torch==2.4.1`).
2. `vcomp140.dll`: install the Visual C++ redistributable.
3. `libiomp5md.dll`: `python -m pip install intel-openmp`, or reinstall the package that should bundle it.
4. Linux: install the system package `libgomp1` (Debian) or `libgomp`; macOS: `brew install libomp`.

## What not to do

- Download a single DLL from a DLL site, or copy one into System32.
- Rename one runtime as another: their functions differ.

## Sources

- Microsoft: OpenMP in Visual C++ (/openmp:llvm)
- pytorch/pytorch issue 131662
"""

from __future__ import annotations

from whyload.facts.subjects import Absence
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """The absent library is an OpenMP runtime."""
    if not absence.family(Family.OPENMP) or absence.case.is_frozen:
        return None
    return absent(absence, "missing-openmp")
