"""Another copy of the same name is found first, or is already loaded, and it does not fit.

Windows takes the first file of the name in its order, and a library that is in the process already before any
file. It does not compare versions.
"""

from __future__ import annotations

from whyload.base.message import Message
from whyload.facts.subjects import MissingFunction
from whyload.findings.functions import lacking
from whyload.findings.model import Finding
from whyload.knowledge.libraries import Family
from whyload.remedies.choose import by_hand


def examine(subject: MissingFunction) -> Finding | None:
    """A copy that has the function is on this machine, and was not taken."""
    better, library = subject.better, subject.library
    if better is None or (library is not None and library.family is Family.VC_RUNTIME):
        return None
    if subject.of_torch or subject.in_system32 or subject.has_narrower_cause:
        return None
    wrong = subject.symbol.library
    note = Message(
        en=f"`{better.path}` has it, but `{wrong}` comes first", zh=f"`{better.path}` 中有它，但 `{wrong}` 排在前面"
    )
    remedy = by_hand(
        "put-the-right-copy-first",
        f"make `{better.path.parent}` come before `{wrong.parent}`, or remove the other copy",
        f"让 `{better.path.parent}` 排在 `{wrong.parent}` 之前，或移除另一份",
    )
    return lacking(subject, "path-shadowing", culprit=wrong, notes=(note,), remedies=(remedy,))
