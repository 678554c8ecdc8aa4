"""The finding for a function that the winning file lacks."""

from __future__ import annotations

from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.findings.composition import compose, owner_label

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.facts.subjects import MissingFunction
    from whyload.findings.model import Finding
    from whyload.remedies.model import Remedy


def lacking(
    subject: MissingFunction,
    code: str,
    *,
    culprit: WinPath,
    notes: tuple[Message, ...] = (),
    remedies: tuple[Remedy, ...] = (),
) -> Finding:
    """A finding of that code about a missing function."""
    symbol = subject.symbol
    importer, library = subject.case.label(symbol.importer), subject.case.label(symbol.library)
    return compose(
        subject.case,
        subject.load,
        subject.fault,
        code=code,
        headline=Message(
            en=f"`{library}` lacks `{symbol.text}`, which `{importer}` imports",
            zh=f"`{library}` 中没有 `{importer}` 所需的 `{symbol.text}`",
        ),
        culprit=culprit,
        object_name=symbol.library.name,
        found_at=subject.better.path if subject.better else None,
        symbol=symbol.text,
        notes=notes,
        remedies=remedies,
    )


def owner_notes(subject: MissingFunction) -> tuple[Message, ...]:
    """Whose the lacking file is, where it is not the asking file's own distribution."""
    owner, library = subject.library_owner, subject.symbol.library
    if owner is None or owner == subject.importer_owner:
        return ()
    label = owner_label(owner)
    return (Message(en=f"`{library}` belongs to {label}", zh=f"`{library}` 属于 {label}"),)
