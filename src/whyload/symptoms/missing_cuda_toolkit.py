"""A text that names a library of the CUDA toolkit as absent."""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, missing, stated_missing, usual
from whyload.knowledge.libraries import Family
from whyload.observe.text.clues import Clues
from whyload.observe.text.graphics import is_told_to_be_absent, other_cuda_around

CODE = "missing-cuda-toolkit"


def explain(clues: Clues) -> Candidate | None:
    """A CUDA library is named; where another version of CUDA is around, that is the likelier fault."""
    library = missing(clues, Family.CUDA)
    if library is None:
        found = usual(clues, CODE, ask=("python -m pip list", "nvcc --version"))
        return _told(found) if found is not None and is_told_to_be_absent(clues, "cuda") else found
    ask = (
        "nvidia-smi",
        "python -m pip list",
        both(
            f"does the machine have `{library.name}`, or another version of the same library?",
            f"本机是否有 `{library.name}`，或同一个库的其他版本？",
        ),
    )
    strength = Strength.KNOWN if other_cuda_around(clues, library) else Strength.STATED
    return stated_missing(clues, CODE, library, strength=strength, ask=ask)


def _told(found: Candidate) -> Candidate:
    """Of the machine it is said that it lacks what packages like this one mostly miss."""
    why = both(
        "something is not found that this package needs, and the text says that the machine has no CUDA toolkit",
        "缺少该包所需的库，而文中说明本机没有 CUDA 工具包",
    )
    return replace(found, strength=Strength.SHOWN, why=why)
