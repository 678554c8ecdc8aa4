"""A 32-bit file in a 64-bit process, or the reverse.

A process loads only files of its own width. In a search the loader goes on past such a file; if it finds no
other, it reports error 193. On 64-bit Windows the 64-bit system DLLs lie in `System32` and the 32-bit ones in
`SysWOW64`, against what the names suggest.
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
