"""A text in which 32-bit and 64-bit meet."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Trait
from whyload.remedies.anywhere import advise

CODE = "bitness-mismatch"
_ASK = ("python -c \"import struct; print(struct.calcsize('P') * 8)\"",)


def explain(clues: Clues) -> Candidate | None:
    """The loader names the class of the file, a program says so, or error 193 stands beside a mention of 32-bit."""
    remedies = (
        advise(
            "same-bitness",
            "use the same bitness for Python and the library: both 64-bit or both 32-bit",
            "让 Python 与该库的位数一致：都用 64 位，或都用 32 位",
        ),
    )
    said = clues.said(Said.ELF_CLASS, Said.WRONG_ARCHITECTURE)
    if said is not None:
        why = both(
            "the loader says that the file and the process differ in bitness", "加载器提示该文件的位数与进程不同"
        )
        return Candidate(code=CODE, strength=Strength.DECISIVE, why=why, object=said.file, ask=_ASK, remedies=remedies)
    if (clues.failed_with(193, 216) or 0xC000007B in clues.statuses) and clues.has(Trait.OTHER_BITS):
        why = both(
            "Windows does not accept the file in this process, and the text mentions 32-bit",
            "Windows 拒绝在此进程中加载该文件，而文中提到了 32 位",
        )
        return Candidate(
            code=CODE, strength=Strength.SHOWN, why=why, object=clues.file or clues.module, ask=_ASK, remedies=remedies
        )
    return usual(clues, CODE, ask=_ASK, remedies=remedies)
