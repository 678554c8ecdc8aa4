"""A text that names a cuDNN library, or the zlib that cuDNN 8 needs, as absent."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import missing, stated_missing, usual
from whyload.knowledge.libraries import Family
from whyload.observe.text.clues import Clues, Platform
from whyload.observe.text.graphics import other_cudnn_around

CODE = "missing-cudnn"


def explain(clues: Clues) -> Candidate | None:
    """A cuDNN library is named; where another version is around, that is the likelier fault."""
    library = missing(clues, Family.CUDNN)
    if library is None:
        return usual(clues, CODE, ask=("python -m pip list", "where cudnn64_9.dll"))
    strength = Strength.KNOWN if other_cudnn_around(clues, library) else Strength.STATED
    where = (
        f"find / -name '{library.name}*' 2>/dev/null"
        if clues.platform is Platform.LINUX
        else f"where /R C:\\ {library.name}"
    )
    return stated_missing(clues, CODE, library, strength=strength, ask=(where, "python -m pip list"))
