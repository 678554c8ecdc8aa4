r"""A CUDA runtime or toolkit library is missing, and the machine has no other version of it.

The display driver does not include these libraries. They come with the CUDA toolkit, with NVIDIA's Python
packages, or inside the CUDA build of a framework. The number in the name is the major version that is needed.

## How it looks

- `Could not load dynamic library 'cudart64_110.dll'; dlerror: cudart64_110.dll not found`
- `FileNotFoundError: Could not find module '...\onnxruntime_providers_cuda.dll' (or one of its dependencies).`
- `LoadLibrary failed with error 126 "" when trying to load "...\onnxruntime_providers_cuda.dll"`, then it falls
  back to the CPU
- Linux: `libcublas.so.12: cannot open shared object file: No such file or directory`

## How to make sure

- `where cudart64_*.dll cublas64_*.dll`; `dir "%CUDA_PATH%\bin"`
- `nvidia-smi` only shows that there is a driver; its "CUDA Version" is the newest that the driver supports, not
  what is installed
- `whyload PACKAGE` names the first missing library

## What to do

1. With pip: install NVIDIA's packages (`nvidia-cuda-runtime-cu12`, `nvidia-cublas-cu12`, ...), or the package's
   own extra (`onnxruntime-gpu[cuda,cudnn]`), or a framework that bundles them.
2. Or install the CUDA toolkit of the major version in the name, then open a new terminal.
3. Without an NVIDIA GPU, or if the CPU is enough: install the CPU build (`onnxruntime`, or `torch` from the
   index `cpu`).

## What not to do

- Download the DLL from a DLL site.
- Rename a library of another version.

## Sources

- NVIDIA: CUDA Installation Guide for Microsoft Windows
- ONNX Runtime documentation: CUDA Execution Provider
"""

from __future__ import annotations

from whyload.facts.subjects import Absence
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """The absent library belongs to the CUDA toolkit."""
    if not absence.family(Family.CUDA) or absence.case.is_frozen:
        return None
    return absent(absence, "missing-cuda-toolkit")
