"""Initialisation returned failure or crashed (Windows error 1114), and no narrower cause fits.

Everything that the file needs was found; its own start-up code then gave up. Reasons lie inside the library:
a runtime that is too old for it, a missing processor feature, two copies of a library in one process.
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.subjects import BrokenStart
from whyload.findings.composition import compose
from whyload.findings.model import Finding


def examine(start: BrokenStart) -> Finding | None:
    """The initialiser fails and the file is the one that was installed."""
    if start.altered is not None:
        return None
    label = start.case.label(start.path)
    return compose(
        start.case,
        start.load,
        start.fault,
        code="dllmain-failed",
        headline=Message(en=f"`{label}` fails to initialise", zh=f"`{label}` 初始化失败"),
        culprit=start.path,
        object_name=start.path.name,
    )
