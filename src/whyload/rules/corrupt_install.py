"""A file of an installed package is absent, empty, truncated or altered against the package's own RECORD.

Interrupted downloads, full disks, cleaning tools and copied environments leave such files. pip checks only the
name and the version and does not notice it, so the package has to be reinstalled explicitly.

## How it looks

- `ImportError: DLL load failed while importing _x: %1 is not a valid Win32 application.` for a file that is
  empty or truncated
- `ModuleNotFoundError: No module named 'pkg._x'`, although pip says that the package is installed
- `The specified module could not be found.`, after the folder `pkg.libs` was deleted
- folders in `site-packages` that begin with `~` (`~umpy`): an upgrade was interrupted

## How to make sure

- `python -m pip show -f PACKAGE` lists the files; compare their names and sizes with what is there
- `whyload PACKAGE` compares them with `RECORD`
- if only single `.pyd` or `.exe` files are missing, check the security software first (see
  `antivirus-quarantine`)

## What to do

1. `python -m pip install --force-reinstall --no-deps --no-cache-dir PACKAGE==VERSION`
2. First end all programs that use the package: Windows cannot replace files that are loaded.
3. If it happens again: check free disk space and the security software, or create a new environment.

## What not to do

- Copy the missing file from another machine or another version.
- Run `pip install PACKAGE` without `--force-reinstall`: it reports "already satisfied" and repairs nothing.

## Sources

- PyPA: Recording installed projects; pip documentation: pip install (`--force-reinstall`)
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.security import taken_by_defender
from whyload.facts.subjects import Absence, AbsenceKind, BrokenStart, UnusableFile
from whyload.facts.unavailable import GoneFile
from whyload.findings.absence import absent
from whyload.findings.composition import compose, owner_label, plain
from whyload.findings.model import Certainty, Finding, Severity
from whyload.findings.unusable import unusable
from whyload.formats.pe import Kind
from whyload.loader.model import FaultKind
from whyload.remedies.choose import reinstall

CODE = "corrupt-install"
_REMAINS = (Kind.EMPTY, Kind.ZEROS, Kind.PE)
"""What is left of a library after an interrupted write; anything else needs a RECORD that says it was one."""


def examine(subject: Absence | UnusableFile | BrokenStart | GoneFile) -> Finding | None:
    """A recorded file is gone, damaged, or of another length than recorded; who took it is not known."""
    if _taken(subject):
        return None
    if isinstance(subject, Absence):
        return _gone(subject)
    if isinstance(subject, UnusableFile):
        return _damaged(subject)
    if isinstance(subject, GoneFile):
        return _vanished(subject)
    return _altered(subject)


def _taken(subject: Absence | UnusableFile | BrokenStart | GoneFile) -> bool:
    """Then the cause is antivirus-quarantine."""
    if isinstance(subject, Absence):
        path = subject.recorded.path if subject.recorded else None
    else:
        path = subject.entry.path if isinstance(subject, GoneFile) else subject.path
    return path is not None and taken_by_defender(subject.case.world, path) is not None


def _gone(absence: Absence) -> Finding | None:
    if absence.kind is not AbsenceKind.RECORDED or absence.recorded is None or absence.case.is_frozen:
        return None
    owner = owner_label(absence.recorded.owner)
    note = Message(
        en=f"the RECORD of {owner} lists it as `{absence.recorded.path}`, but the file is missing",
        zh=f"{owner} 的 RECORD 列有 `{absence.recorded.path}`，但该文件已不存在",
    )
    remedies = (reinstall(absence.recorded.owner, absence.case.world),)
    culprit = None if absence.importer else absence.recorded.path
    return absent(absence, CODE, notes=(note,), remedies=remedies, culprit=culprit)


_ALONE = Message(
    en="only this file is missing: if it disappears again after a reinstall, security software is the likely reason ("
    "`whyload cause antivirus-quarantine`)",
    zh="只少了这一个文件：如果重装后又不见了，多半是安全软件所为（见 `whyload cause antivirus-quarantine`）",
)


def _vanished(gone: GoneFile) -> Finding:
    owner = gone.entry.owner
    label = gone.case.label(gone.entry.path)
    more = [f"`{entry.path.name}`" for entry in gone.others[:5]]
    notes = (
        (Message(en=f"also missing: {', '.join(more)}", zh=f"同时丢失的还有：{'、'.join(more)}"),)
        if more
        else (_ALONE,)
    )
    return plain(
        gone.case,
        code=CODE,
        headline=Message(
            en=f"`{label}` of {owner_label(owner)} is missing", zh=f"{owner_label(owner)} 的 `{label}` 丢失"
        ),
        culprit=gone.entry.path,
        object_name=gone.entry.path.name,
        certainty=Certainty.LIKELY,
        notes=notes,
        remedies=(reinstall(owner, gone.case.world),),
        severity=Severity.ERROR if gone.is_missed else Severity.WARNING,
    )


def _damaged(file: UnusableFile) -> Finding | None:
    recorded = file.altered or (file.entry is not None and file.content is Kind.UNKNOWN)
    if file.fault.kind is not FaultKind.DAMAGED or not (recorded or file.content in _REMAINS):
        return None
    label = file.case.label(file.path)
    if file.content is Kind.EMPTY:
        headline = Message(en=f"`{label}` is empty", zh=f"`{label}` 是空文件")
    else:
        headline = Message(en=f"`{label}` is damaged: not a valid image", zh=f"`{label}` 已损坏：不是有效的映像文件")
    return unusable(file, CODE, headline)


def _altered(start: BrokenStart) -> Finding | None:
    entry = start.altered
    if entry is None:
        return None
    label = start.case.label(start.path)
    return compose(
        start.case,
        start.load,
        start.fault,
        code=CODE,
        headline=Message(
            en=f"`{label}` is not the file that {owner_label(entry.owner)} installed",
            zh=f"`{label}` 不是 {owner_label(entry.owner)} 安装的那个文件",
        ),
        culprit=start.path,
        object_name=start.path.name,
        remedies=(reinstall(entry.owner, start.case.world),),
        certainty=Certainty.LIKELY,
    )
