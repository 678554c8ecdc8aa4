"""A text in which two OpenMP runtimes meet in one process."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues
from whyload.remedies.anywhere import advise

CODE = "duplicate-openmp"


def explain(clues: Clues) -> Candidate | None:
    """The runtime says so itself; or a package that brings one crashes where two of them do."""
    said = clues.said(Said.DUPLICATE_OPENMP)
    if said is None:
        return usual(clues, CODE, ask=("vmmap PID | grep -i omp", "conda list openmp"))
    named = next((saying for saying in clues.all_said(Said.DUPLICATE_OPENMP) if saying.library), said)
    return Candidate(
        code=CODE,
        strength=Strength.DECISIVE,
        why=both(
            "an OpenMP runtime found another one already in the process",
            "OpenMP 运行库发现进程中已有另一份 OpenMP 运行库",
        ),
        object=named.library,
        ask=("where /R . libiomp5md.dll", "conda list openmp"),
        remedies=(
            advise(
                "one-openmp",
                "install the packages that bundle it from one source (all from conda, or all from pip)",
                "让自带它的各个包来自同一来源（都用 conda，或都用 pip）",
            ),
            advise(
                "kmp-duplicate-lib-ok",
                "KMP_DUPLICATE_LIB_OK=TRUE only silences the check: results may be wrong",
                "KMP_DUPLICATE_LIB_OK=TRUE 只是屏蔽了检查，计算结果可能出错",
            ),
        ),
    )
