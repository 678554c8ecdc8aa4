"""A text that names a debug C runtime as absent."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import missing, stated_missing
from whyload.knowledge.libraries import Family
from whyload.observe.text.clues import Clues


def explain(clues: Clues) -> Candidate | None:
    """A debug runtime is named."""
    library = missing(clues, Family.DEBUG_RUNTIME)
    return stated_missing(clues, "missing-debug-runtime", library, strength=Strength.SHOWN) if library else None
