r"""Only another major version of the needed CUDA library is there.

The major version is part of the name: `cublas64_11.dll` and `cublas64_12.dll` are different libraries, and
neither can replace the other; renaming a file does not help. Use the build of the package for the installed
CUDA, or install the CUDA version that the package was built for.

## How it looks

- `Could not locate cublas64_12.dll. Please make sure it is in your library path!`
- onnxruntime: `LoadLibrary failed with error 126 "" when trying to load "...\onnxruntime_providers_cuda.dll"`,
  then it falls back to the CPU
- `ImportError: DLL load failed while importing NAME_cuda`, after the toolkit or torch was upgraded
- `The detected CUDA version (12.0) mismatches the version that was used to compile PyTorch (11.7).`
- Linux: `libcublas.so.11: cannot open shared object file: No such file or directory`

## How to make sure

- `python -c "import torch; print(torch.version.cuda)"`, `nvcc --version`, and the numbers in the file names in
  the toolkit's `bin` folder
- `whyload PACKAGE` names the needed library and the version that is there
- the CUDA version that `nvidia-smi` shows is the newest that the driver supports, not what is installed

## What to do

1. Use the build of the package for the CUDA version that you have: for torch the index of that name (`cu118`,
   `cu126`), for onnxruntime-gpu the release listed in its documentation's version table.
2. Or install the CUDA libraries of the needed major version with pip (`nvidia-cublas-cu12`) or the toolkit;
   different versions can be installed side by side.
3. If it is your own extension: rebuild it with a toolkit of the same major version as torch's.

## What not to do

- Rename or link one version as the other.
- Install a newer display driver: the problem is the libraries, not the driver.

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
