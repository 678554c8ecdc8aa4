"""A text in which a library did not start, and no narrower reason is told."""

from __future__ import annotations

from whyload.findings.candidate import Candidate
from whyload.findings.suspicion import usual
from whyload.observe.text.clues import Clues


def explain(clues: Clues) -> Candidate | None:
    """Error 1114 in general."""
    return usual(clues, "dllmain-failed")
