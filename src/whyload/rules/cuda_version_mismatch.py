r"""A CUDA library of another major version is there instead of the one needed.

The major version is part of the name: `cublas64_11.dll` and `cublas64_12.dll` are different libraries, and
neither stands in for the other. Renaming a file does not help. Take the build of the package for the installed
CUDA, or install the CUDA that the package was built for.

## How it looks

- `Could not locate cublas64_12.dll. Please make sure it is in your library path!`
- onnxruntime: `LoadLibrary failed with error 126 "" when trying to load "...\onnxruntime_providers_cuda.dll"`,
  then it goes on with the CPU
- `ImportError: DLL load failed while importing NAME_cuda`, after the toolkit or torch was upgraded
- `The detected CUDA version (12.0) mismatches the version that was used to compile PyTorch (11.7).`
- Linux: `libcublas.so.11: cannot open shared object file: No such file or directory`

## How to make sure

- `python -c "import torch; print(torch.version.cuda)"`, `nvcc --version`, and the numbers in the names in the
  toolkit's `bin`
- `whyload PACKAGE` names the wanted library and the other version that is there
- the CUDA version that `nvidia-smi` shows is what the driver can do, not what is installed

## What to do

1. Take the build of the package for the CUDA that is there: for torch the index of that name (`cu118`,
   `cu126`), for onnxruntime-gpu the release that the table of its documentation names.
2. Or install the CUDA libraries of the wanted major version beside the others, with pip (`nvidia-cublas-cu12`)
   or the toolkit: versions do not disturb each other.
3. An extension of your own: build it again with the toolkit whose major version is torch's.

## What not to do

- Rename or link one version as the other.
- Install a newer display driver: this concerns the libraries, not the driver.

## Sources

- NVIDIA: CUDA Compatibility; CUDA Installation Guide for Microsoft Windows
- ONNX Runtime documentation: CUDA Execution Provider (table of versions)
- PyTorch: torch/utils/cpp_extension.py (text of the message)
"""

from __future__ import annotations

from whyload.facts.subjects import Absence, AbsenceKind
from whyload.findings.absence import other_version
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """Another version of the wanted CUDA library is around."""
    if absence.kind is not AbsenceKind.OTHER_VERSION or absence.other is None or absence.library is None:
        return None
    if absence.case.is_frozen:
        return None
    if absence.library.family is not Family.CUDA:
        return None
    return other_version(absence, absence.other, "cuda-version-mismatch")
