"""A text that names a cuDNN library, or the zlib that cuDNN 8 needs, as absent."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import missing, more_if_absent, stated_missing, usual, where_is
from whyload.knowledge.libraries import Family
from whyload.observe.text.clues import Clues
from whyload.observe.text.graphics import other_cudnn_around

CODE = "missing-cudnn"


def explain(clues: Clues) -> Candidate | None:
    """A cuDNN library is named; where another version is around, that is the likelier fault."""
    library = missing(clues, Family.CUDNN)
    if library is None:
        found = usual(clues, CODE, ask=("python -m pip list", "where cudnn64_9.dll"))
        return more_if_absent(clues, found, "cudnn", "cuDNN", "cuDNN")
    strength = Strength.KNOWN if other_cudnn_around(clues, library) else Strength.STATED
    return stated_missing(
        clues, CODE, library, strength=strength, ask=(*where_is(clues, library.name), "python -m pip list")
    )
