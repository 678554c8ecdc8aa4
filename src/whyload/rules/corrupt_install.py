"""A file of an installed package is absent, empty, truncated or altered against the package's own RECORD.

An interrupted download, a full disk, a cleaner or a copied environment leave such files. pip does not notice it, since it looks only at the name and the
version: the package has to be installed again by force.
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.subjects import Absence, AbsenceKind, BrokenStart, UnusableFile
from whyload.findings.absence import absent, reinstall_owner
from whyload.findings.composition import compose, owner_label
from whyload.findings.model import Certainty, Finding
from whyload.findings.unusable import unusable
from whyload.formats.pe import Kind
from whyload.loader.model import FaultKind
from whyload.remedies.choose import reinstall

CODE = "corrupt-install"
_REMAINS = (Kind.EMPTY, Kind.PE, Kind.UNKNOWN)


def examine(subject: Absence | UnusableFile | BrokenStart) -> Finding | None:
    """A recorded file is gone, damaged, or of another length than recorded."""
    if isinstance(subject, Absence):
        return _gone(subject)
    if isinstance(subject, UnusableFile):
        return _damaged(subject)
    return _altered(subject)


def _gone(absence: Absence) -> Finding | None:
    if absence.kind is not AbsenceKind.RECORDED or absence.recorded is None or absence.case.is_frozen:
        return None
    owner = owner_label(absence.recorded.owner)
    note = Message(
        en=f"RECORD of {owner} lists it at `{absence.recorded.path}`; the file is gone",
        zh=f"{owner} 的 RECORD 中它位于 `{absence.recorded.path}`，但该文件已不存在",
    )
    return absent(absence, CODE, notes=(note,), remedies=reinstall_owner(absence))


def _damaged(file: UnusableFile) -> Finding | None:
    if file.fault.kind is not FaultKind.DAMAGED or not (file.altered or file.content in _REMAINS):
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
        remedies=(reinstall(entry.owner.distribution, entry.owner.version, start.case.world),),
        certainty=Certainty.LIKELY,
    )
