"""A text in which there is no room left for thread-local storage."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues
from whyload.remedies.anywhere import advise, word


def explain(clues: Clues) -> Candidate | None:
    """The loader says so itself."""
    said = clues.said(Said.STATIC_TLS)
    if said is None:
        return None
    return Candidate(
        code="static-tls-exhausted",
        strength=Strength.DECISIVE,
        why=both(
            "the loader has no room left for this library's thread-local storage: it is loaded too late",
            "加载器已没有空间容纳该库的线程局部存储：加载得太晚",
        ),
        object=said.file,
        ask=(f"readelf -d {word(said.file)}",),
        remedies=(
            advise(
                "import-first",
                "import the package before all others, or preload the library",
                "在程序中最先导入该包，或预加载该库",
                f"LD_PRELOAD={word(said.file)} python PROGRAM.py",
            ),
        ),
    )
