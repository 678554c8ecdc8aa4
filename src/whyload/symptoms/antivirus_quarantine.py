"""A text that tells of security software beside a failure that its work gives."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Trait
from whyload.remedies.anywhere import advise

CODE = "antivirus-quarantine"
_FITS = (
    Said.IMPORT_FAILED,
    Said.NATIVE_MODULE_MISSING,
    Said.FILE_OR_DEPENDENCY,
    Said.LIBRARY_MISSING,
    Said.FROZEN_START_FAILED,
    Said.DENIED,
)


def explain(clues: Clues) -> Candidate | None:
    """Windows says that the file was taken for a virus, or the text names security software."""
    ask = (
        "Get-MpThreatDetection",
        both("does the security software list the file in its quarantine?", "安全软件的隔离区里是否有该文件？"),
    )
    remedies = (
        advise(
            "restore-file",
            "restore the file from quarantine, exclude the environment's folder, then reinstall the package",
            "从隔离区恢复该文件，把环境所在目录加入排除项，然后重新安装该包",
        ),
    )
    if clues.failed_with(225) or clues.said(Said.VIRUS):
        why = both(
            "Windows says that the file contains a virus or unwanted software",
            "Windows 提示该文件包含病毒或潜在的垃圾软件",
        )
        return Candidate(code=CODE, strength=Strength.DECISIVE, why=why, object=clues.file, ask=ask, remedies=remedies)
    if clues.has(Trait.SECURITY_SOFTWARE) and (clues.said(*_FITS) or clues.failed_with(5, 32, 126, 193, 2)):
        why = both(
            "the text mentions security software, which can cause this failure",
            "文中提到了安全软件，它可能造成这种错误",
        )
        return Candidate(
            code=CODE,
            strength=Strength.SHOWN,
            why=why,
            object=clues.file or clues.module,
            ask=ask,
            remedies=remedies,
            order=(-1, 0) if clues.has(Trait.TAKEN_AWAY) else (0, 0),
        )
    return usual(clues, CODE, ask=ask)
