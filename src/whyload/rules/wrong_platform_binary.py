"""A file for another operating system.

A Linux `.so` or a macOS `.dylib` was put where Windows looks for a DLL, most often because packages of
another system were copied over.
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
    headline = Message(en=f"`{label}` is a file for {system}", zh=f"`{label}` 是 {system} 的文件")
    return unusable(file, "wrong-platform-binary", headline)


def _module(module: UnfitModule) -> Finding | None:
    """A `.so` is never a module on Windows (R3.9)."""
    return unfit(module, "wrong-platform-binary") if module.file.suffix == ".so" else None
