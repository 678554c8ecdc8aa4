"""A text that names an OpenMP runtime as absent, or a release that is known to lack it."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import look, missing, stated_missing, usual
from whyload.knowledge.libraries import Family
from whyload.observe.text.clues import Clues, Trait

CODE = "missing-openmp"


def explain(clues: Clues) -> Candidate | None:
    """The runtime is named, or a release is known to import one that nothing brings."""
    library = missing(clues, Family.OPENMP)
    if library is not None:
        return stated_missing(
            clues, CODE, library, strength=Strength.STATED if clues.has(Trait.FROZEN) else Strength.SHOWN
        )
    return usual(clues, CODE, ask=(*look(clues), "where /R C:\\ libomp140.x86_64.dll", "where vcomp140.dll"))
