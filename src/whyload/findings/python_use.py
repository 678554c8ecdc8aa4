"""The finding for an extension module that loads and belongs to another interpreter (loader.md R3.4, R3.12)."""

from __future__ import annotations

from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.findings.composition import compose
from whyload.remedies.choose import other_build

if TYPE_CHECKING:
    from whyload.facts.subjects import OtherPython
    from whyload.findings.model import Finding


def uses_other(subject: OtherPython, code: str) -> Finding:
    """A finding of that code about the extension."""
    case, label = subject.case, subject.case.label(subject.path)
    version = case.world.python.version
    owner = case.packages.owner(subject.path)
    return compose(
        case,
        subject.load,
        subject.fault,
        code=code,
        headline=Message(
            en=f"`{label}` uses `{subject.dll}`, but this Python is {version}",
            zh=f"`{label}` 使用的是 `{subject.dll}`，而当前 Python 是 {version}",
        ),
        culprit=subject.path,
        object_name=subject.dll,
        remedies=(other_build(owner.distribution, case.world),) if owner else (),
    )
