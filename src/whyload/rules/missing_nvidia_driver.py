"""A library that only the display driver installs is absent.

`nvcuda.dll`, `nvml.dll` and their like (`libcuda.so.1` on Linux) come with NVIDIA's driver, in no package and
in no toolkit.

## How it looks

- `ImportError: DLL load failed`, for a module that is linked to CUDA, on a machine without an NVIDIA card
- `Could not load dynamic library 'nvcuda.dll'`, `failed call to cuInit: UNKNOWN ERROR (303)`
- Linux and containers: `libcuda.so.1: cannot open shared object file: No such file or directory`

## How to make sure

- `nvidia-smi` is found and shows the card
- Device Manager > Display adapters
- in a container: was it started with the GPU (`docker run --gpus all`, the NVIDIA Container Toolkit)?

## What to do

1. With an NVIDIA card: install its driver, from NVIDIA or from the maker of the computer; restart.
2. Without one: the build of the package for the CPU (or for DirectML, ROCm, ...).
3. Container: start it with the GPU; the driver belongs to the host, not into the image. WSL: the driver for
   Windows is enough.

## What not to do

- Copy `nvcuda.dll` from another machine: it belongs to the kernel part of the driver.
- Install the CUDA toolkit for it: it contains no driver library (on Linux only a stub for linking).

## Sources

- NVIDIA: CUDA Installation Guide; CUDA on WSL User Guide; NVIDIA Container Toolkit
"""

from __future__ import annotations

from whyload.facts.subjects import Absence
from whyload.findings.absence import absent
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family


def examine(absence: Absence) -> Finding | None:
    """The absent library belongs to the display driver."""
    if not absence.family(Family.NVIDIA_DRIVER):
        return None
    return absent(absence, "missing-nvidia-driver")
