"""The plan and the end of `whyload fix` for a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from whyload.base.message import Message
from whyload.findings.model import Finding
from whyload.remedies.change import Need
from whyload.remedies.model import Remedy
from whyload.remedies.outcome import Fix, FixOutcome
from whyload.report import terms
from whyload.report.layout import paragraph

APPLY = Message(en="apply this? [y/N]", zh="要应用吗？[y/N]")
UNDO = Message(en="take this back? [y/N]", zh="要撤销吗？[y/N]")
UNDONE = Message(en="taken back", zh="已撤销")

_PLAN = Message(en="plan", zh="计划")
_WHY = Message(en="why", zh="原因")
_NEEDS = Message(en="needs", zh="需要")
_BACK = Message(en="way back", zh="恢复方式")
_BY_HAND = Message(en="what only you can do", zh="需要您自己动手的")
_REFUSED = Message(en="tried, and not proposed", zh="试过但不建议的")
_UNDO_WITH = Message(en="take it back with", zh="撤销命令")
_NEED = {
    Need.NETWORK: Message(en="the network", zh="网络"),
    Need.RIGHTS: Message(en="administrator rights", zh="管理员权限"),
    Need.SPACE: Message(en="disk space", zh="磁盘空间"),
}
OUTCOME = {
    FixOutcome.NOTHING_TO_DO: Message(en="it works: nothing to do", zh="运行正常，无需修复"),
    FixOutcome.PLANNED: Message(en="planned, nothing is changed", zh="仅列出计划，未作任何更改"),
    FixOutcome.DECLINED: Message(en="nothing is changed", zh="未作任何更改"),
    FixOutcome.FIXED: Message(en="fixed: it was run again and works", zh="已修复：重新运行成功"),
    FixOutcome.PARTLY: Message(
        en="a part is dealt with; it still fails for another reason", zh="已解决一部分，但仍因其他原因失败"
    ),
    FixOutcome.TAKEN_BACK: Message(
        en="what was tried did not help, and was taken back", zh="尝试的办法无效，已全部撤销"
    ),
    FixOutcome.BY_HAND: Message(en="this needs a step that only you can do", zh="需要您手动完成一个步骤"),
    FixOutcome.NO_REMEDY: Message(en="no remedy was found that helps", zh="没有找到有效的办法"),
}


class Planned(Protocol):
    """A chosen remedy and what it is for."""

    @property
    def finding(self) -> Finding:
        """The finding."""
        ...

    @property
    def remedy(self) -> Remedy:
        """The remedy."""
        ...


def plan_text(steps: Sequence[Planned], language: str) -> str:
    """What would be done, why, what it needs and how to go back."""
    return "\n".join(_plan_lines(steps, language))


def _plan_lines(steps: Sequence[Planned], language: str) -> Iterator[str]:
    for number, step in enumerate(steps, 1):
        remedy = step.remedy
        mark = f"{terms.SAFETY[remedy.safety].text(language)}, {terms.VERIFIED[remedy.verified].text(language)}"
        head = f"{_PLAN.text(language)} {number} ({mark}): "
        yield from paragraph(head, remedy.title.text(language))
        yield from paragraph(f"    {_WHY.text(language)}: ", step.finding.headline.text(language))
        needs = ", ".join(_NEED[need].text(language) for need in Need if need in remedy.needs)
        if needs:
            yield f"    {_NEEDS.text(language)}: {needs}"
        for text in dict.fromkeys(change.way_back.text(language) for change in remedy.changes):
            yield from paragraph(f"    {_BACK.text(language)}: ", text)


def fix_lines(fix: Fix, language: str) -> Iterator[str]:
    """How it ended, and what is left."""
    yield OUTCOME[fix.outcome].text(language)
    yield from _remedies(fix.remedies, language)
    if fix.undo:
        yield f"  {_UNDO_WITH.text(language)}: {fix.undo}"
    for hint in fix.hints:
        yield from paragraph(f"  {terms.NOTE.text(language)}: ", hint.text(language))
    if fix.by_hand and fix.outcome is not FixOutcome.FIXED:
        yield f"{_BY_HAND.text(language)}:"
        yield from _remedies(fix.by_hand, language)
    if fix.refused and fix.outcome is not FixOutcome.FIXED:
        yield f"{_REFUSED.text(language)}:"
        for refused in fix.refused:
            yield from paragraph("  - ", f"{refused.title}: {refused.why}")


def _remedies(remedies: Iterable[Remedy], language: str) -> Iterator[str]:
    for remedy in remedies:
        mark = f" ({terms.VERIFIED[remedy.verified].text(language)})"
        yield from paragraph("  - ", remedy.title.text(language) + mark)
        for command in remedy.commands:
            yield f"      {command}"
