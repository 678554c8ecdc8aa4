"""A text in which a policy of Windows blocked a file."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Trait
from whyload.remedies.anywhere import advise


def explain(clues: Clues) -> Candidate | None:
    """Errors 4551, 1260 and 577, or a policy that is said to be in force where a file does not load."""
    said = clues.failed_with(4551, 1260, 577) or clues.said(Said.POLICY) is not None
    failed = clues.said(Said.IMPORT_FAILED, Said.FILE_OR_DEPENDENCY, Said.LOADLIBRARY_FAILED) is not None
    fits = failed and not clues.failed_with(127, 193, 1114, 1455) and not clues.missing
    if not (said or (fits and clues.has(Trait.POLICY_ENFORCED))):
        return None
    return Candidate(
        code="application-control-policy",
        strength=Strength.DECISIVE if said else Strength.SHOWN,
        order=(0, 0) if said else (-1, 0),
        why=both(
            "a Windows policy blocked the file (Smart App Control, App Control for Business, AppLocker)",
            "Windows 的策略阻止了该文件（智能应用控制、App Control for Business、AppLocker）",
        ),
        object=clues.file or clues.module,
        ask=("Get-WinEvent -LogName Microsoft-Windows-CodeIntegrity/Operational -MaxEvents 20",),
        remedies=(
            advise(
                "allow-file",
                "have the policy allow the file or its folder; Smart App Control has no exceptions and can only be "
                "turned off",
                "请管理员在策略中放行该文件或其所在目录；智能应用控制不能设置例外，只能整体关闭",
            ),
        ),
    )
