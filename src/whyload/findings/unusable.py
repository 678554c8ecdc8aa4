"""The finding for a file that was found and cannot be mapped."""

from __future__ import annotations

from whyload.base.message import Message, message
from whyload.base.typing import TYPE_CHECKING
from whyload.findings.composition import compose
from whyload.knowledge.libraries import identify
from whyload.remedies.choose import for_library, reinstall

if TYPE_CHECKING:
    from whyload.facts.subjects import UnusableFile
    from whyload.findings.model import Finding
    from whyload.remedies.model import Remedy


def unusable(
    file: UnusableFile,
    code: str,
    headline: Message,
    *,
    notes: tuple[Message, ...] = (),
    remedies: tuple[Remedy, ...] = (),
) -> Finding:
    """A finding of that code about the wrong file."""
    return compose(
        file.case,
        file.load,
        file.fault,
        code=code,
        headline=headline,
        culprit=file.path,
        object_name=file.path.name,
        found_at=file.right.path if file.right else None,
        notes=notes,
        remedies=remedies or remedies_for(file),
    )


def remedies_for(file: UnusableFile) -> tuple[Remedy, ...]:
    """Reinstall the distribution that the file belongs to, or get the library from where it comes."""
    if file.entry is not None:
        owner = file.entry.owner
        return (reinstall(owner, file.case.world),)
    library = identify(file.path.name, file.case.process.machine)
    return for_library(library, file.case.world) if library else ()


def wrong_machine(file: UnusableFile) -> Message:
    """Which processor the file is for, and which the process has."""
    have = message(file.machine.in_words if file.machine else "?")
    want = file.case.process.machine.in_words
    label = file.case.label(file.path)
    return Message(
        en=f"`{label}` is for {have.en}, but this Python is {want.en}",
        zh=f"`{label}` 适用于 {have.zh}，而当前 Python 是 {want.zh}",
    )
