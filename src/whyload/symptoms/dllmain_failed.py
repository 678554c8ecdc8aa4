"""A text in which a library did not start, and no narrower reason is told."""

from __future__ import annotations

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, look, usual
from whyload.observe.text.clues import Clues

CODE = "dllmain-failed"
_OWN_REASON = regular(
    r"(?i)\bDllMain\b|\bdongle|\bhardware key|\blicen[cs]e (?:key|file|server|check|manager)|\blicen[cs]e (?:is |was )?"
    r"(?:not found|missing|expired|invalid)|加密狗|许可证"
)
"""What a library may look for when it starts, and refuse to start without."""


def explain(clues: Clues) -> Candidate | None:
    """Error 1114, where the text tells what the library does at its start; else error 1114 in general."""
    if not clues.failed_with(1114) or _OWN_REASON.search(clues.text) is None:
        return usual(clues, CODE)
    why = both(
        "the library was found and refused to start, and the text tells of what it looks for when it starts",
        "库已找到但拒绝启动，而文中提到了它启动时要检查的东西",
    )
    return Candidate(code=CODE, strength=Strength.SHOWN, why=why, object=clues.file or clues.module, ask=look(clues))
