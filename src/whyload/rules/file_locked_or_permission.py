"""The file, or its folder, cannot be opened or mapped.

Access is denied, another program is using the file, or a folder has the library's name. The search stops there
and does not continue.

## How it looks

- `ImportError: DLL load failed while importing _x: Access is denied.` (error 5)
- `[WinError 32] The process cannot access the file because it is being used by another process`
- `PermissionError` while pip installs or removes the package
- Linux: `failed to map segment from shared object: Operation not permitted`, if the file system is mounted
  `noexec`

## How to make sure

- `icacls FILE` shows who may read and execute it; Linux: `ls -l FILE`, `findmnt -T FILE`
- check whether it works as administrator, or after a restart
- Windows Security > Protection history: Controlled folder access, a file in quarantine

## What to do

1. End other programs that use the package (another Python, a notebook, an installer), then try again.
2. Give yourself read and execute permission for the environment's folder, or create an environment in your own
   folder.
3. Linux: use a folder that is not mounted `noexec` (`TMPDIR=/var/tmp pip install ...` for builds).

## What not to do

- Always run Python as administrator.
- Take ownership of `WindowsApps` or of `System32`.

## Sources

- Microsoft: System Error Codes (5, 32)
- docs/loader.md R2.33
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.ending import ReportedError, Unexplained
from whyload.facts.security import taken_by_defender
from whyload.facts.subjects import UnusableFile
from whyload.findings.model import Certainty, Finding
from whyload.findings.said import about_file, file_label
from whyload.findings.unusable import unusable
from whyload.loader.model import FaultKind, Verdict

CODE = "file-locked-or-permission"
_ACCESS_DENIED, _SHARING_VIOLATION = 5, 32


def examine(file: UnusableFile | Unexplained) -> Finding | None:
    """The search stopped at a place that cannot be opened, or Windows said so of a file that is there."""
    if isinstance(file, Unexplained):
        return _said(file.error)
    if file.fault.kind is not FaultKind.DENIED or taken_by_defender(file.case.world, file.path) is not None:
        return None
    label = file.case.label(file.path)
    step = file.fault.bad_step
    folder = step is not None and step.verdict is Verdict.DIRECTORY
    en = f"`{label}` is a folder" if folder else f"`{label}` cannot be opened: access is denied"
    zh = f"`{label}` 是一个目录" if folder else f"无法打开 `{label}`：拒绝访问"
    return unusable(file, CODE, Message(en=en, zh=zh))


def _said(error: ReportedError) -> Finding | None:
    number = error.ending.winerror
    if number not in (_ACCESS_DENIED, _SHARING_VIOLATION) or error.file is None:
        return None
    label = file_label(error)
    if number == _SHARING_VIOLATION:
        headline = Message(en=f"another program is using {label.en}", zh=f"另一个程序正在占用 {label.zh}")
    else:
        headline = Message(en=f"{label.en} cannot be opened: access is denied", zh=f"无法打开 {label.zh}：拒绝访问")
    return about_file(error, CODE, headline, certainty=Certainty.LIKELY)
