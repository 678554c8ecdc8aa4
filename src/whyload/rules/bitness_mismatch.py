"""A 64-bit process loads a 32-bit file, or vice versa.

A process loads only files of its own bitness. While searching, the loader skips a file of the other bitness; if
it finds no other file, it reports error 193. On 64-bit Windows the 64-bit system DLLs are in `System32` and the
32-bit ones in `SysWOW64`, contrary to what the names suggest.

## How it looks

- `OSError: [WinError 193] %1 is not a valid Win32 application`
- `ImportError: DLL load failed while importing _x: %1 is not a valid Win32 application.`
- a dialog with `0xc000007b`
- often with a database client, a device vendor's library or an old tool whose folder is in `PATH`

## How to make sure

- `python -c "import struct; print(struct.calcsize('P') * 8)"`: 64 or 32
- `whyload tree FILE` shows the processor of each file; `where NAME.dll` lists the copies on `PATH`

## What to do

1. Install the client, driver or runtime of Python's bitness; both can be installed side by side.
2. If the library exists only as 32-bit: use a 32-bit Python for that program, or run the library in a separate
   process and talk to that.
3. Put the folder with the matching copy first (`os.add_dll_directory`), or move the other one away.

## What not to do

- Copy the DLL into `System32` or `SysWOW64`.
- Register it with `regsvr32`: that is for COM classes and has nothing to do with bitness.

## Sources

- Microsoft: System Error Codes (193); File System Redirector
- docs/loader.md R1.7, R2.32
"""

from __future__ import annotations

from whyload.facts.subjects import UnusableFile
from whyload.facts.unavailable import UnfitModule
from whyload.findings.model import Finding
from whyload.findings.python_builds import other_machine, unfit
from whyload.findings.unusable import unusable, wrong_machine
from whyload.loader.model import FaultKind


def examine(file: UnusableFile | UnfitModule) -> Finding | None:
    """The file found is of another width than the process."""
    if isinstance(file, UnfitModule):
        return _tagged(file)
    if file.fault.kind is not FaultKind.WRONG_MACHINE or file.machine is None:
        return None
    if file.machine.bits == file.case.process.machine.bits:
        return None
    return unusable(file, "bitness-mismatch", wrong_machine(file))


def _tagged(module: UnfitModule) -> Finding | None:
    machine = other_machine(module)
    if machine is None or machine.bits == module.case.process.machine.bits:
        return None
    return unfit(module, "bitness-mismatch")
