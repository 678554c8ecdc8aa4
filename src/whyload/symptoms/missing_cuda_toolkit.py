"""A text that names a library of the CUDA toolkit as absent."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, missing, more_if_absent, stated_missing, usual
from whyload.knowledge.libraries import Family
from whyload.observe.text.clues import Clues
from whyload.observe.text.graphics import other_cuda_around

CODE = "missing-cuda-toolkit"


def explain(clues: Clues) -> Candidate | None:
    """A CUDA library is named; where another version of CUDA is around, that is the likelier fault."""
    library = missing(clues, Family.CUDA)
    if library is None:
        found = usual(clues, CODE, ask=("python -m pip list", "nvcc --version"))
        return more_if_absent(clues, found, "cuda", "CUDA toolkit", "CUDA 工具包")
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
