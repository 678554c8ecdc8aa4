r"""A CUDA runtime or toolkit library is absent, and no other version of it is around.

The display driver does not bring these libraries. They come with the CUDA toolkit, with NVIDIA's packages on
the index, or inside the CUDA build of a framework. The number in the name is the major version that is needed.

## How it looks

- `Could not load dynamic library 'cudart64_110.dll'; dlerror: cudart64_110.dll not found`
- `FileNotFoundError: Could not find module '...\onnxruntime_providers_cuda.dll' (or one of its dependencies).`
- `LoadLibrary failed with error 126 "" when trying to load "...\onnxruntime_providers_cuda.dll"`, then it goes
  on with the CPU
- Linux: `libcublas.so.12: cannot open shared object file: No such file or directory`

## How to make sure

- `where cudart64_*.dll cublas64_*.dll`; `dir "%CUDA_PATH%\bin"`
- `nvidia-smi` only shows that there is a driver; its "CUDA Version" is what the driver can do
- `whyload PACKAGE` names the first library that is absent

## What to do

1. With pip: NVIDIA's packages (`nvidia-cuda-runtime-cu12`, `nvidia-cublas-cu12`, ...), or the package's own
   extra (`onnxruntime-gpu[cuda,cudnn]`), or a framework that brings them along.
2. Or the CUDA toolkit of the major version in the name, then open a new shell.
3. Without an NVIDIA card, or if the CPU is enough: the build for the CPU (`onnxruntime`, `torch` of the index
   `cpu`).

## What not to do

- Take the DLL from a download site.
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
