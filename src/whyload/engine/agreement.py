"""Does the simulation of a failed load end as the real one did? Where it does not, one of the two is not understood."""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.base.message import Message
from whyload.engine.simulate import failed_load
from whyload.facts.case import Case
from whyload.facts.ending import Ending
from whyload.findings.certainty import Certainty
from whyload.findings.model import Finding
from whyload.findings.report import Report, not_checked

_ALIKE = ({127, 182},)
"""A function that is absent, by name and by ordinal: which of the two is told depends on the first one (R1.24)."""


def weighed(report: Report, case: Case, ending: Ending | None) -> Report:
    """The report, less sure and with both numbers said where Windows ended the load with another error than we do."""
    load = failed_load(case)
    seen = ending.winerror if ending is not None else None
    simulated = load.tree.status.winerror if load is not None else 0
    if load is None or not seen or not simulated or seen == simulated:
        return report
    if any({seen, simulated} <= alike for alike in _ALIKE):
        return report
    why = Message(
        en=f"the run ended with Windows error {seen}, the simulation of this load with {simulated}: the two disagree",
        zh=f"实际运行以 Windows 错误 {seen} 结束，而对这次加载的模拟得到的是 {simulated}：两者不一致",
    )
    findings = tuple(map(_less_sure, report.findings))
    return replace(report, findings=findings, not_checked=(*report.not_checked, not_checked(load.event.name, why)))


def _less_sure(finding: Finding) -> Finding:
    return replace(finding, certainty=Certainty.LIKELY) if finding.certainty is Certainty.PROVED else finding
