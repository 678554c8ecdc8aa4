"""A text in which two OpenMP runtimes meet in one process."""

from __future__ import annotations

from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues
from whyload.remedies.anywhere import advise

CODE = "duplicate-openmp"
_FRAMES = (
    regular(
        r"([\w.+-]{2,60}?)(?:\.dylib|\.so[.\d]*|\.dll|\.pyd)?(?:`|!|\s{1,8}0x[0-9a-fA-F]{4,16}\s)[^\n]{0,30}?\b(?:__)?kmp_"
    ),
    regular(r"\b(?:__)?kmp_\w{1,60}[^\n]{0,80}? from [^\n]{0,300}?([\w.+-]{2,60}?)(?:\.dylib|\.so[.\d]*)\b"),
)
"""Levels of a native stack, as lldb, WinDbg, Apple's reports and gdb write them, that are in an LLVM OpenMP runtime."""

_ASK = ("vmmap PID | grep -i omp", "conda list openmp")
_REMEDIES = (
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
)


def explain(clues: Clues) -> Candidate | None:
    """The runtime says so itself; or a package that brings one crashes where two of them do."""
    said = clues.said(Said.DUPLICATE_OPENMP)
    runtimes = _runtimes_on_the_stack(clues.text)
    if said is None and len(runtimes) > 1:
        names = ", ".join(f"`{name}`" for name in runtimes)
        return Candidate(
            code=CODE,
            strength=Strength.SHOWN,
            why=both(
                f"the stack goes through more than one OpenMP runtime: {names}",
                f"调用栈经过了不止一份 OpenMP 运行库：{names}",
            ),
            object=runtimes[0],
            ask=_ASK,
            remedies=_REMEDIES,
        )
    if said is None:
        return usual(clues, CODE, ask=_ASK)
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
        remedies=_REMEDIES,
    )


def _runtimes_on_the_stack(text: str) -> tuple[str, ...]:
    """The images whose LLVM OpenMP runtime is on a stack, the innermost first."""
    if "kmp_" not in text:
        return ()
    found = (match for pattern in _FRAMES for match in pattern.finditer(text))
    return tuple(dict.fromkeys(match[1] for match in sorted(found, key=lambda match: match.start())))
