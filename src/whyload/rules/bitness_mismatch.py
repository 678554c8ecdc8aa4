"""A 32-bit file in a 64-bit process, or the reverse.

A process loads only files of its own width. In a search the loader goes on past such a file; if it finds no
other, it reports error 193. On 64-bit Windows the 64-bit system DLLs lie in `System32` and the 32-bit ones in
`SysWOW64`, against what the names suggest.

## How it looks

- `OSError: [WinError 193] %1 is not a valid Win32 application`
- `ImportError: DLL load failed while importing _x: %1 is not a valid Win32 application.`
- a dialog with `0xc000007b`
- often with a database client, a device's library or an old tool, whose folder stands in `PATH`

## How to make sure

- `python -c "import struct; print(struct.calcsize('P') * 8)"`: 64 or 32
- `whyload tree FILE` says what each file is for; `where NAME.dll` lists the copies on `PATH`

## What to do

1. Install the client, driver or runtime of the width that Python has; both widths can be installed beside each
   other.
2. Where the library exists in 32 bits only: use a 32-bit Python for that program, or talk to it from a process
   of its own.
3. Put the folder with the fitting copy first (`os.add_dll_directory`), or take the other one out of the way.

## What not to do

- Copy the DLL into `System32` or `SysWOW64`.
- Register it with `regsvr32`: that is for COM classes and changes nothing about its width.

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
