"""A text that names a cuDNN library, or the zlib that cuDNN 8 needs, as absent."""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, missing, stated_missing, usual, where_is
from whyload.knowledge.libraries import Family
from whyload.observe.text.clues import Clues
from whyload.observe.text.graphics import is_told_to_be_absent, other_cudnn_around

CODE = "missing-cudnn"


def explain(clues: Clues) -> Candidate | None:
    """A cuDNN library is named; where another version is around, that is the likelier fault."""
    library = missing(clues, Family.CUDNN)
    if library is None:
        found = usual(clues, CODE, ask=("python -m pip list", "where cudnn64_9.dll"))
        return _told(found) if found is not None and is_told_to_be_absent(clues, "cudnn") else found
    strength = Strength.KNOWN if other_cudnn_around(clues, library) else Strength.STATED
    return stated_missing(
        clues, CODE, library, strength=strength, ask=(*where_is(clues, library.name), "python -m pip list")
    )


def _told(found: Candidate) -> Candidate:
    """Of the machine it is said that it lacks what packages like this one mostly miss."""
    why = both(
        "something is not found that this package needs, and the text says that the machine has no cuDNN",
        "缺少该包所需的库，而文中说明本机没有 cuDNN",
    )
    return replace(found, strength=Strength.SHOWN, why=why)
