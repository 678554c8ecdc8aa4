"""The file is for another operating system.

An ELF file (Linux) or a Mach-O file (macOS) cannot be loaded by Windows, and a Windows file cannot be loaded by
them. It has nothing to do with 32 or 64 bits, although the message is the same.

## How it looks

- `OSError: [WinError 193] %1 is not a valid Win32 application`, for a file named `.so` or `.dylib`
- `site-packages` that was copied from Linux, WSL, a container or a Mac
- Linux: `invalid ELF header`, for a `.dll` or a `.dylib`

## How to make sure

- `whyload tree FILE` says what it is; on Linux `file FILE`

## What to do

1. Install the package on the system that will use it. Never copy environments between systems.
2. If the package has no build for this system: use WSL or a Linux container, or another package (`bitsandbytes`
   before 0.43 had none for Windows).
3. A folder that Windows and WSL share needs two environments.

## What not to do

- Rename `.so` to `.dll` or `.pyd`.

## Sources

- Microsoft: System Error Codes (193); PE Format
- PEP 425 (platform tags)
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.subjects import UnusableFile
from whyload.facts.unavailable import UnfitModule
from whyload.findings.model import Finding
from whyload.findings.python_builds import unfit
from whyload.findings.unusable import unusable
from whyload.formats.pe import Kind
from whyload.loader.model import FaultKind

_SYSTEMS = {Kind.ELF: "Linux", Kind.MACH_O: "macOS"}


def examine(file: UnusableFile | UnfitModule) -> Finding | None:
    """The content is an ELF or Mach-O image."""
    if isinstance(file, UnfitModule):
        return _module(file)
    if file.fault.kind is not FaultKind.DAMAGED or file.altered or file.content not in _SYSTEMS:
        return None
    system, label = _SYSTEMS[file.content], file.case.label(file.path)
    headline = Message(en=f"`{label}` is a file for {system}", zh=f"`{label}` 是 {system} 文件")
    return unusable(file, "wrong-platform-binary", headline)


def _module(module: UnfitModule) -> Finding | None:
    """A `.so` is never a module on Windows (R3.9)."""
    return unfit(module, "wrong-platform-binary") if module.file.suffix == ".so" else None
