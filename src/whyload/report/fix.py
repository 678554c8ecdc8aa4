"""The plan and the end of `whyload fix` for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from whyload.base.dataclass import dataclass
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
        for label, text in _terms(remedy, language):
            yield from paragraph(f"    {label}{colon(language)}", text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One remedy, or one hint."""

    title: str
    mark: str = ""
    details: tuple[str, ...] = ()
    """What it changes, what it needs, the way back."""
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the answer; the first has no heading of its own."""

    heading: str | None
    items: tuple[Item, ...]


def sections(fix: Fix, language: str) -> Iterator[Section]:
    """What was done or is planned, what is left to the person, what was tried in vain."""
    items = [_item(remedy, language) for remedy in fix.remedies]
    if fix.undo:
        items.append(Item(title=_UNDO_WITH.text(language), commands=(fix.undo,)))
    items += [Item(title=hint.text(language), mark=terms.NOTE.text(language)) for hint in fix.hints]
    yield Section(heading=None, items=tuple(items))
    if fix.outcome is FixOutcome.FIXED:
        return
    if fix.by_hand:
        left = tuple(_item(remedy, language) for remedy in fix.by_hand)
        yield Section(heading=_BY_HAND.text(language), items=left)
    if fix.refused:
        told = ((item.title.text(language), item.why.text(language)) for item in fix.refused)
        refused = tuple(Item(title=f"{title}{colon(language)}{why}") for title, why in told)
        yield Section(heading=_REFUSED.text(language), items=refused)


def _item(remedy: Remedy, language: str) -> Item:
    words = terms.SAFETY[remedy.safety].text(language), terms.VERIFIED[remedy.verified].text(language)
    details = [change.text.text(language) for change in remedy.changes] if len(remedy.changes) > 1 else []
    details += [f"{label}{colon(language)}{text}" for label, text in _terms(remedy, language)]
    mark = listed(words, language)
    return Item(title=remedy.title.text(language), mark=mark, details=tuple(details), commands=remedy.commands)


def _terms(remedy: Remedy, language: str) -> Iterator[tuple[str, str]]:
    needs = listed((_NEED[need].text(language) for need in Need if need in remedy.needs), language)
    if needs:
        yield _NEEDS.text(language), needs
    for text in dict.fromkeys(change.way_back.text(language) for change in remedy.changes):
        yield _BACK.text(language), text


def fix_lines(fix: Fix, language: str) -> Iterator[str]:
    """How it ended, and what is left."""
    yield OUTCOME[fix.outcome].text(language)
    for section in sections(fix, language):
        if section.heading is not None:
            yield f"{section.heading}{colon(language)}".rstrip()
        for item in section.items:
            yield from paragraph("  - ", item.title + (aside(item.mark, language) if item.mark else ""))
            if fix.outcome is FixOutcome.PLANNED:
                for detail in item.details:
                    yield from paragraph("      ", detail)
            yield from (f"      {command}" for command in item.commands)
