"""A file of an installed package was removed, emptied or blocked by security software.

Virus scanners distrust rare, unsigned, freshly downloaded programs, and most native modules of Python packages
are exactly that. The scanner deletes the file, moves it into quarantine, or blocks access to it. pip checks
only names and versions, so it still considers the package complete.

## How it looks

- `ModuleNotFoundError: No module named 'pkg._module'` or `ImportError: cannot import name ...`, although the
  same package works on other machines
- `OSError: [WinError 225] Operation did not complete successfully because the file contains a virus or
  potentially unwanted software.`
- one `.pyd`, `.dll` or `.exe` that `RECORD` lists is missing, while the rest of the package is there

## How to make sure

- Windows Security > Virus & threat protection > Protection history, or in PowerShell `Get-MpThreatDetection`:
  they name the file and the time. Other products have a list called "quarantine" or "history".
- `python -m pip show -f PACKAGE` lists the files that should be there.

## What to do

1. Check what was reported: if you mistyped the package's name, you may have installed malware.
2. Restore the file from quarantine and allow it, or ask the administrator of the machine to do so.
3. Then reinstall: `python -m pip install --force-reinstall --no-deps --no-cache-dir PACKAGE==VERSION`.
4. Report the false positive to the vendor, so that other users are spared.

## What not to do

- Turn the scanner off permanently, or exclude a whole drive.
- Download the single DLL from a DLL site: that file may really be malicious.
- Reinstall without allowing the file first: it is soon removed again.

## Sources

- Microsoft: System Error Codes (225); Get-MpThreatDetection
- PyPA: Recording installed projects (`RECORD`)
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.base.paths import WinPath
from whyload.facts.case import Case
from whyload.facts.ending import ReportedError
from whyload.facts.security import taken_by_defender, threat_name
from whyload.facts.subjects import Absence, AbsenceKind, UnusableFile
from whyload.facts.unavailable import GoneFile
from whyload.findings.absence import absent
from whyload.findings.composition import plain
from whyload.findings.model import Certainty, Finding
from whyload.findings.said import about_file, file_label
from whyload.findings.unusable import unusable
from whyload.remedies.choose import by_hand, reinstall
from whyload.remedies.model import Remedy

CODE = "antivirus-quarantine"
_VIRUS_INFECTED = 225


def examine(subject: ReportedError | Absence | GoneFile | UnusableFile) -> Finding | None:
    """Windows said so (error 225), or Defender's history names the file that is gone or cannot be opened."""
    if isinstance(subject, ReportedError):
        return _refused(subject)
    if isinstance(subject, Absence):
        return _absent(subject)
    if isinstance(subject, GoneFile):
        return _gone(subject)
    note = _history(subject.case, subject.path)
    if note is None:
        return None
    label = subject.case.label(subject.path)
    headline = Message(
        en=f"`{label}` was removed or blocked by security software", zh=f"`{label}` 被安全软件删除或拦截"
    )
    return unusable(subject, CODE, headline, notes=(note,), remedies=_remedies(subject.case, subject.path))


def _refused(error: ReportedError) -> Finding | None:
    if error.ending.winerror != _VIRUS_INFECTED:
        return None
    label = file_label(error)
    headline = Message(en=f"security software blocks {label.en}", zh=f"安全软件拦截了 {label.zh}")
    return about_file(error, CODE, headline, remedies=_remedies(error.case, error.file))


def _absent(absence: Absence) -> Finding | None:
    recorded = absence.recorded
    if absence.kind is not AbsenceKind.RECORDED or recorded is None or absence.case.is_frozen:
        return None
    note = _history(absence.case, recorded.path)
    if note is None:
        return None
    culprit = None if absence.importer else recorded.path
    remedies = _remedies(absence.case, recorded.path)
    return absent(absence, CODE, notes=(note,), remedies=remedies, culprit=culprit)


def _gone(gone: GoneFile) -> Finding | None:
    path = gone.entry.path
    note = _history(gone.case, path)
    if note is None:
        return None
    label = gone.case.label(path)
    return plain(
        gone.case,
        code=CODE,
        headline=Message(en=f"`{label}` was removed by security software", zh=f"`{label}` 被安全软件删除"),
        culprit=path,
        object_name=path.name,
        certainty=Certainty.PROVED,
        notes=(note,),
        remedies=_remedies(gone.case, path),
    )


def _history(case: Case, path: WinPath) -> Message | None:
    event = taken_by_defender(case.world, path)
    if event is None:
        return None
    name, time = threat_name(event), event.time.partition(".")[0]
    en, zh = (f" as `{name}`", f"，判定为 `{name}`") if name else ("", "")
    return Message(
        en=f"Defender's history ({time}) names this file{en}", zh=f"Defender 的保护历史记录（{time}）中有此文件{zh}"
    )


def _remedies(case: Case, path: WinPath | None) -> tuple[Remedy, ...]:
    allow = by_hand(
        "allow-the-file",
        "if you trust the package, restore the file in the security software and allow it there",
        "如果信任该包，在安全软件中恢复该文件并将其设为允许",
    )
    owner = case.packages.owner(path) if path else None
    if owner is None:
        return (allow,)
    return allow, reinstall(owner, case.world)
