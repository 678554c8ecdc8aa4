"""The file is for another processor of the same bitness (ARM64 and x64).

An x64 Python cannot load an ARM64 library, not even on Windows for ARM64, and an ARM64 Python cannot load an
x64 library. On macOS the same applies to `arm64` and `x86_64` (Rosetta).

## How it looks

- `ImportError: DLL load failed while importing _x: %1 is not a valid Win32
  application.` (error 193), or `OSError: [WinError 193]`
- when several folders are searched, the file is skipped, and the message is `The specified module could not be
  found.` (126)
- macOS: `(mach-o file, but is an incompatible architecture (have 'x86_64', need 'arm64'))`

## How to make sure

- `python -c "import platform; print(platform.machine())"`: the processor that this Python was built for
- `whyload tree FILE` shows the processor of the file; on macOS `file FILE`, `lipo -archs FILE`

## What to do

1. Install the package with the Python that will use it: `python -m pip install --force-reinstall --no-cache-dir
   PACKAGE`.
2. On an ARM64 machine without wheels for ARM64: install the x64 Python; both Windows and macOS run it.
3. For a runtime (`vcruntime140.dll`, a CUDA library): install the one for Python's processor, not the
   machine's.

## What not to do

- Copy `site-packages` from a machine with another processor.
- Rename the file, or change its header.

## Sources

- Microsoft: PE Format (Machine Types); Arm64EC and Arm64X; System Error Codes (193)
- docs/loader.md R1.7, R2.32 to R2.34
"""

from __future__ import annotations

from whyload.facts.subjects import UnusableFile
from whyload.facts.unavailable import UnfitModule
from whyload.findings.model import Finding
from whyload.findings.python_builds import other_machine, unfit
from whyload.findings.unusable import unusable, wrong_machine
from whyload.loader.model import FaultKind


def examine(file: UnusableFile | UnfitModule) -> Finding | None:
    """The file found is for another processor of the same width, or for one that is not known."""
    if isinstance(file, UnfitModule):
        return _tagged(file)
    if file.fault.kind is not FaultKind.WRONG_MACHINE:
        return None
    if file.machine is not None and file.machine.bits != file.case.process.machine.bits:
        return None
    return unusable(file, "arch-mismatch", wrong_machine(file))


def _tagged(module: UnfitModule) -> Finding | None:
    machine = other_machine(module)
    if machine is None or machine.bits != module.case.process.machine.bits:
        return None
    return unfit(module, "arch-mismatch")
