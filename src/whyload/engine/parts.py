"""What a program lives without: parts of packages that do not load, found where the program itself goes on."""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.engine.judge import judge, merge
from whyload.facts.parts import LostPart, lost_parts
from whyload.facts.subjects import subjects_of
from whyload.findings.model import Finding, Severity

if TYPE_CHECKING:
    from whyload.facts.case import Case


def of_lost_parts(case: Case) -> list[Finding]:
    """A finding for each cause; an error where the program misses the part while it starts, else a warning."""
    found: list[Finding] = []
    for part in lost_parts(case):
        for finding in judge(subjects_of(case, part.load))[0]:
            merge(found, _weighed(finding, part))
    return sorted(found, key=lambda finding: list(Severity).index(finding.severity))


def _weighed(finding: Finding, part: LostPart) -> Finding:
    if part.operator is None:
        lived = Message(
            en="the package catches this error and goes on without that part",
            zh="软件包捕获了这个错误，在缺少这一部分的情况下继续运行",
        )
        return replace(finding, severity=Severity.WARNING, notes=(*finding.notes, lived))
    end = f"`RuntimeError: operator {part.operator} does not exist`"
    missed = Message(
        en=f"the error is caught, but what is imported next ends with {end}",
        zh=f"这个错误被捕获了，但随后的导入会以 {end} 结束",
    )
    return replace(finding, notes=(missed, *finding.notes))
