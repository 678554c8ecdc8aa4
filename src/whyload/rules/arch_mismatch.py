"""The file is for another processor of the same width (ARM64 and x64).

An x64 Python cannot load an ARM64 library, not even on an ARM64 Windows, and the reverse. Take the package,
or the runtime, of the processor that Python was built for; `python -c "import platform;
print(platform.machine())"` tells which.
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
