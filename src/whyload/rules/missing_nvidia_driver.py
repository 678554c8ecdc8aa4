"""A library that only the display driver installs is missing.

`nvcuda.dll`, `nvml.dll` and similar files (`libcuda.so.1` on Linux) come with NVIDIA's driver; no Python
package and no CUDA toolkit contains them.

## How it looks

- `ImportError: DLL load failed`, for a module linked to CUDA, on a machine without an NVIDIA GPU
- `Could not load dynamic library 'nvcuda.dll'`, `failed call to cuInit: UNKNOWN ERROR (303)`
- Linux and containers: `libcuda.so.1: cannot open shared object file: No such file or directory`

## How to make sure

- `nvidia-smi` runs and lists the GPU
- Device Manager > Display adapters
- in a container: check that it was started with the GPU (`docker run --gpus all`, NVIDIA Container Toolkit)

## What to do

1. With an NVIDIA GPU: install its driver from NVIDIA or the computer's manufacturer, then restart.
2. Without one: install the CPU build of the package (or the one for DirectML, ROCm, ...).
3. Container: start it with the GPU; the driver belongs on the host, not in the image. WSL: the Windows driver
   is enough.

## What not to do

- Copy `nvcuda.dll` from another machine: it has to match the kernel part of the driver.
- Install the CUDA toolkit to get it: the toolkit contains no driver library (on Linux only a stub for linking).

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
    headline = Message(en="no NVIDIA display driver is in use", zh="没有正在使用的 NVIDIA 显卡驱动")
    return said(error, CODE, headline, culprit=error.ending.raised_in, certainty=Certainty.LIKELY)
