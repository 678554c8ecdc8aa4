"""The file, or its folder, cannot be opened or mapped.

Access is denied, another program holds the file, or a folder has the library's name. The search stops at such
a place; it does not go on.
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.subjects import UnusableFile
from whyload.findings.model import Finding
from whyload.findings.unusable import unusable
from whyload.loader.model import FaultKind, Verdict


def examine(file: UnusableFile) -> Finding | None:
    """The search stopped at a place that cannot be opened."""
    if file.fault.kind is not FaultKind.DENIED:
        return None
    label = file.case.label(file.path)
    step = file.fault.bad_step
    folder = step is not None and step.verdict is Verdict.DIRECTORY
    en = f"`{label}` is a folder" if folder else f"`{label}` cannot be opened: access is denied"
    zh = f"`{label}` 是一个文件夹" if folder else f"无法打开 `{label}`：拒绝访问"
    return unusable(file, "file-locked-or-permission", Message(en=en, zh=zh))
