"""The display driver does not support the CUDA version in use.

Each CUDA version needs a driver of at least a certain version. The driver is not part of the CUDA toolkit nor
of a Python package. A newer driver runs older CUDA programs, an older one does not run newer programs.

## How it looks

- `RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please update your GPU
  driver ...` (11040 means that the driver supports CUDA 11.4)
- `CUDA driver version is insufficient for CUDA runtime version` (`cudaErrorInsufficientDriver`, 35)
- `CUDA_ERROR_UNSUPPORTED_PTX_VERSION`, `the provided PTX was compiled with an unsupported toolchain`
- `torch.cuda.is_available()` is `False` on a machine with a working NVIDIA card

## How to make sure

- `nvidia-smi`: at the top stand the version of the driver and the highest CUDA version that it supports
- `python -c "import torch; print(torch.version.cuda)"`: the CUDA version that torch was built for

## What to do

1. Install the newest driver for the card from NVIDIA, from the maker of the computer, or with Windows Update;
   restart.
2. Where the driver cannot be changed (a shared server, an old card): take the build of the package for an older
   CUDA (for torch the index `cu118` instead of `cu126`, say).

## What not to do

- Install another CUDA toolkit: the toolkit is not what is too old, and pip's torch does not use it.
- Copy `nvcuda.dll` or `libcuda.so.1` from another machine: it belongs to the kernel part of the driver.

## Sources

- NVIDIA: CUDA Compatibility; CUDA Toolkit Release Notes (table of driver versions)
- PyTorch: torch/csrc/cuda/Module.cpp (text of the message)
"""
