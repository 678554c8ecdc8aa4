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
from whyload.report.punctuation import aside, colon, listed

APPLY = Message(en="apply this? [y/N]", zh="要应用吗？[y/N]")
UNDO = Message(en="undo this? [y/N]", zh="要撤销吗？[y/N]")
UNDONE = Message(en="undone", zh="已撤销")
NO_CONSENT = Message(en="nothing is changed without consent: give --yes", zh="未经同意不作任何更改：同意请加 --yes")
AS_BEFORE = Message(en="everything is as it was", zh="一切已恢复原状")
NO_EFFECT = Message(en="it did not help and is undone", zh="没有效果，已撤销")

_PLAN = Message(en="plan", zh="计划")
_WHY = Message(en="why", zh="原因")
_NEEDS = Message(en="needs", zh="需要")
_BACK = Message(en="to undo", zh="如何恢复")
_BY_HAND = Message(en="what only you can do", zh="需要你手动完成")
_REFUSED = Message(en="tried, but not proposed", zh="试过但不建议")
_UNDO_WITH = Message(en="to undo it", zh="撤销命令")
_NEED = {
    Need.NETWORK: Message(en="the network", zh="网络"),
    Need.RIGHTS: Message(en="administrator rights", zh="管理员权限"),
    Need.SPACE: Message(en="disk space", zh="磁盘空间"),
}
OUTCOME = {
    FixOutcome.NOTHING_TO_DO: Message(en="it works: nothing to do", zh="运行正常，无需修复"),
    FixOutcome.PLANNED: Message(en="planned; nothing was changed", zh="仅列出计划，未作任何更改"),
    FixOutcome.DECLINED: Message(en="nothing was changed", zh="未作任何更改"),
    FixOutcome.FIXED: Message(en="fixed: it was run again and works", zh="已修复：重新运行成功"),
    FixOutcome.PARTLY: Message(
        en="part of it is fixed; it still fails for another reason", zh="已解决一部分，但仍因其他原因失败"
    ),
    FixOutcome.TAKEN_BACK: Message(en="what was tried did not help and was undone", zh="尝试的办法无效，已全部撤销"),
    FixOutcome.BY_HAND: Message(en="this needs a step that only you can do", zh="还有一步需要你手动完成"),
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
        words = terms.SAFETY[remedy.safety].text(language), terms.VERIFIED[remedy.verified].text(language)
        head = f"{_PLAN.text(language)} {number}{aside(listed(words, language), language)}{colon(language)}"
        yield from paragraph(head, remedy.title.text(language))
        yield from paragraph(f"    {_WHY.text(language)}{colon(language)}", step.finding.headline.text(language))
        needs = listed((_NEED[need].text(language) for need in Need if need in remedy.needs), language)
        if needs:
            yield f"    {_NEEDS.text(language)}{colon(language)}{needs}"
        for text in dict.fromkeys(change.way_back.text(language) for change in remedy.changes):
            yield from paragraph(f"    {_BACK.text(language)}{colon(language)}", text)


def fix_lines(fix: Fix, language: str) -> Iterator[str]:
    """How it ended, and what is left."""
    yield OUTCOME[fix.outcome].text(language)
    yield from _remedies(fix.remedies, language)
    if fix.undo:
        yield f"  {_UNDO_WITH.text(language)}{colon(language)}{fix.undo}"
    for hint in fix.hints:
        yield from paragraph(f"  {terms.NOTE.text(language)}{colon(language)}", hint.text(language))
    if fix.by_hand and fix.outcome is not FixOutcome.FIXED:
        yield f"{_BY_HAND.text(language)}{colon(language)}".rstrip()
        yield from _remedies(fix.by_hand, language)
    if fix.refused and fix.outcome is not FixOutcome.FIXED:
        yield f"{_REFUSED.text(language)}{colon(language)}".rstrip()
        for refused in fix.refused:
            yield from paragraph("  - ", refused.title.text(language) + colon(language) + refused.why.text(language))


def _remedies(remedies: Iterable[Remedy], language: str) -> Iterator[str]:
    for remedy in remedies:
        mark = aside(terms.VERIFIED[remedy.verified].text(language), language)
        yield from paragraph("  - ", remedy.title.text(language) + mark)
        for command in remedy.commands:
            yield f"      {command}"
