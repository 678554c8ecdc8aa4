"""The display driver does not support the CUDA version in use.

Each CUDA version needs a driver of at least a certain version. The driver is part of neither the CUDA toolkit
nor any Python package. A newer driver runs older CUDA programs; an older driver does not run newer ones.

## How it looks

- `RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please update your GPU
  driver ...` (11040 means that the driver supports CUDA 11.4)
- `CUDA driver version is insufficient for CUDA runtime version` (`cudaErrorInsufficientDriver`, 35)
- `CUDA_ERROR_UNSUPPORTED_PTX_VERSION`, `the provided PTX was compiled with an unsupported toolchain`
- `torch.cuda.is_available()` is `False` although the NVIDIA GPU works

## How to make sure

- `nvidia-smi`: the first lines show the driver version and the highest CUDA version that it supports
- `python -c "import torch; print(torch.version.cuda)"`: the CUDA version that torch was built for

## What to do

1. Install the latest driver for the GPU from NVIDIA, the computer's manufacturer or Windows Update, then
   restart.
2. If the driver cannot be changed (a shared server, an old GPU): use a build of the package for an older CUDA
   (for torch, for example, the index `cu118` instead of `cu126`).

## What not to do

- Install another CUDA toolkit: the toolkit is not what is too old, and torch from pip does not use it.
- Copy `nvcuda.dll` or `libcuda.so.1` from another machine: it has to match the kernel part of the driver.

## Sources

- NVIDIA: CUDA Compatibility; CUDA Toolkit Release Notes (table of driver versions)
- PyTorch: torch/csrc/cuda/Module.cpp (text of the message)
"""

from __future__ import annotations

import re

from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.facts.case import Case
from whyload.facts.cuda_here import cuda_here
from whyload.facts.ending import ReportedError
from whyload.facts.subjects import MissingFunction
from whyload.findings.cuda_choice import builds_for_driver
from whyload.findings.functions import lacking
from whyload.findings.model import Finding
from whyload.findings.said import said
from whyload.knowledge.cuda import Toolkit, toolkit_of_build
from whyload.knowledge.libraries import Family
from whyload.remedies.choose import by_hand, newer_driver
from whyload.remedies.model import Remedy

CODE = "driver-too-old"
_SAID = regular(
    r"The NVIDIA driver on your system is too old \(found version (\d+)\)"
    r"|CUDA driver version is insufficient for CUDA runtime version"
    r"|cudaErrorInsufficientDriver|CUDA_ERROR_UNSUPPORTED_PTX_VERSION"
    r"|provided PTX was compiled with an unsupported toolchain"
)


def examine(subject: ReportedError | MissingFunction) -> Finding | None:
    """CUDA said so; or a library of the driver lacks a function."""
    if isinstance(subject, MissingFunction):
        if subject.library is None or subject.library.family is not Family.NVIDIA_DRIVER:
            return None
        return lacking(subject, CODE, culprit=subject.symbol.library, remedies=_remedies(subject.case, None))
    match = _SAID.search(subject.ending.text)
    if match is None:
        return None
    supported = f"{int(match[1]) // 1000}.{int(match[1]) % 1000 // 10}" if match[1] else None
    return said(
        subject,
        CODE,
        Message(
            en=f"the NVIDIA driver (`nvcuda.dll`) is too old{f': it supports CUDA {supported}' if supported else ''}",
            zh=f"NVIDIA 驱动（`nvcuda.dll`）太旧{f'：它支持 CUDA {supported}' if supported else ''}",
        ),
        object_name="nvcuda.dll",
        notes=_driver(subject),
        remedies=_remedies(subject.case, supported),
    )


def _remedies(case: Case, supported: str | None) -> tuple[Remedy, ...]:
    """The driver that the CUDA of the installed torch needs, or a build that the driver runs."""
    here = cuda_here(case.world, case.packages)
    runs = supported or here.driver_cuda
    torch = case.packages.distribution("torch")
    toolkit = _toolkit(torch.version) if torch is not None else None
    builds = tuple(builds_for_driver(case.world, case.packages, runs))
    return (_driver_remedy(here.driver, runs, toolkit), *(builds or (_ANY_BUILD,)))


def _driver_remedy(driver: str | None, runs: str | None, toolkit: Toolkit | None) -> Remedy:
    if toolkit is None:
        return _NEWEST
    return newer_driver(driver, runs, toolkit[0], toolkit)


def _toolkit(version: str) -> Toolkit | None:
    local = re.search(r"\+(cu\d{2,4})\b", version)
    return toolkit_of_build(local[1]) if local else None


_NEWEST = by_hand(
    "newer-driver",
    "install the latest NVIDIA driver for this GPU, then restart",
    "安装适用于本显卡的最新 NVIDIA 驱动，然后重启",
)
_ANY_BUILD = by_hand(
    "older-cuda-build", "or use a build of the package for an older CUDA", "或换用面向较旧 CUDA 的构建"
)


def _driver(error: ReportedError) -> tuple[Message, ...]:
    nvidia = error.case.world.measured.nvidia
    if nvidia is None or nvidia.version is None:
        return ()
    return (
        Message(
            en=f"driver {nvidia.version} supports CUDA up to {nvidia.cuda or '?'}",
            zh=f"驱动版本为 {nvidia.version}，最高支持 CUDA {nvidia.cuda or '?'}",
        ),
    )
