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

from whyload.base.message import Message
from whyload.facts.ending import Unexplained
from whyload.facts.subjects import Absence
from whyload.findings.absence import absent
from whyload.findings.model import Certainty, Finding
from whyload.findings.said import said
from whyload.knowledge.libraries import Family
from whyload.knowledge.messages import Said, find_sayings

CODE = "missing-nvidia-driver"


def examine(subject: Absence | Unexplained) -> Finding | None:
    """The absent library belongs to the display driver, or NVIDIA's own libraries say so."""
    if isinstance(subject, Absence):
        return absent(subject, CODE) if subject.family(Family.NVIDIA_DRIVER) else None
    error = subject.error
    if all(saying.kind is not Said.NO_DRIVER for saying in find_sayings(error.ending.text)):
        return None
    headline = Message(en="no NVIDIA display driver is in use", zh="没有可用的 NVIDIA 显示驱动")
    return said(error, CODE, headline, culprit=error.ending.raised_in, certainty=Certainty.LIKELY)
