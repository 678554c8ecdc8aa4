"""The answer to a pasted text for a person: causes in order, why, what to look at, what helps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whyload.base.message import Message
from whyload.findings.candidate import Candidate, Explanation
from whyload.findings.certainty import Certainty
from whyload.remedies.model import Remedy
from whyload.report.layout import Look, paragraph, visible
from whyload.report.punctuation import aside, colon, listed
from whyload.report.words import CERTAINTY, HELP, MORE, SAFETY, VERIFIED

READ = Message(en="read", zh="读到")
WHY = Message(en="why", zh="依据")
DECIDES = Message(en="to confirm", zh="如何确认")
HERE = Message(en="it is installed on this machine; to examine it: ", zh="本机装有它，可直接检查：")
NOTHING = Message(
    en="nothing in this text points to a native library that fails to load",
    zh="这段文字中没有原生库加载失败的迹象",
)
_COLOURS = {Certainty.PROVED: "1;31", Certainty.LIKELY: "1;33", Certainty.POSSIBLE: "1;36"}
_SHOWN = 3


def explanation_text(explanation: Explanation, look: Look) -> str:
    """The whole answer as lines of text."""
    return "\n".join(visible(line) for line in _lines(explanation, look)) + "\n"


def facts_read(explanation: Explanation) -> tuple[str, ...]:
    """What was taken out of the text, in short."""
    found = [explanation.system, f"Python {explanation.python}" if explanation.python else None]
    if explanation.winerror is not None:
        found.append(f"WinError {explanation.winerror}")
    if explanation.ntstatus is not None:
        found.append(f"0x{explanation.ntstatus:08X}")
    found.append(f"import {explanation.module}" if explanation.module else None)
    found += [f"{name} {version}" for name, version in list(explanation.versions.items())[:6]]
    return tuple(item for item in found if item)


def _lines(explanation: Explanation, look: Look) -> Iterator[str]:
    facts = facts_read(explanation)
    if facts:
        yield from paragraph(READ.text(look.language) + colon(look.language), listed(facts, look.language))
    if not explanation.candidates:
        yield from paragraph("", NOTHING.text(look.language))
    for number, candidate in enumerate(explanation.candidates, 1):
        if facts or number > 1:
            yield ""
        yield from _candidate_lines(number, candidate, look, explanation.candidates[0].ask)
    if explanation.look is not None:
        yield ""
        yield from paragraph("", f"{HERE.text(look.language)}`{explanation.look}`")


def _to_ask(number: int, candidate: Candidate, look: Look, first: tuple[Message | str, ...]) -> Iterable[Message | str]:
    """What decides; below the first candidate one thing that is not shown there already."""
    if look.verbose:
        return candidate.ask
    if number == 1:
        return candidate.ask[:_SHOWN]
    return [item for item in candidate.ask if item not in first[:_SHOWN]][:1] or candidate.ask[:1]


def _candidate_lines(number: int, candidate: Candidate, look: Look, first: tuple[Message | str, ...]) -> Iterator[str]:
    language = look.language
    sure = CERTAINTY[candidate.certainty].text(language)
    mark = look.paint(candidate.code + aside(sure, language), _COLOURS[candidate.certainty])
    about = f"{colon(language)}`{candidate.object}`" if candidate.object else ""
    yield f"{number}  {mark}{about}"
    yield from paragraph(f"   {WHY.text(language)}{colon(language)}", candidate.why.text(language))
    if candidate.ask:
        yield f"   {DECIDES.text(language)}{colon(language)}".rstrip()
    for item in _to_ask(number, candidate, look, first):
        if isinstance(item, str):
            yield f"       {item}"  # a command is never broken
        else:
            yield from paragraph("       ", item.text(language))
    for remedy in candidate.remedies[: None if look.verbose else 1 if number == 1 else 0]:
        yield from _remedy_lines(remedy, look)
    if number == 1 or look.verbose:
        yield f"   {MORE.text(language)}{colon(language)}whyload cause {candidate.code}"


def _remedy_lines(remedy: Remedy, look: Look) -> Iterator[str]:
    language = look.language
    head = HELP.text(language) + aside(_mark(remedy, language), language)
    yield from paragraph(f"   {head}{colon(language)}", remedy.title.text(language))
    for command in remedy.commands:
        yield f"       {command}"


def _mark(remedy: Remedy, language: str) -> str:
    return listed((SAFETY[remedy.safety].text(language), VERIFIED[remedy.verified].text(language)), language)


def explanation_markdown(explanation: Explanation, language: str = "en") -> str:
    """The whole answer as Markdown, for issue trackers."""
    return "\n".join(visible(line) for line in _markdown(explanation, language)) + "\n"


def _markdown(explanation: Explanation, language: str) -> Iterator[str]:
    yield "## whyload explain"
    yield ""
    facts = facts_read(explanation)
    if facts:
        yield READ.text(language) + colon(language) + listed((f"`{fact}`" for fact in facts), language)
        yield ""
    if not explanation.candidates:
        yield NOTHING.text(language)
    for number, candidate in enumerate(explanation.candidates, 1):
        yield from _candidate_markdown(number, candidate, language)
    if explanation.look is not None:
        yield ""
        yield f"{HERE.text(language)}`{explanation.look}`"


def _candidate_markdown(number: int, candidate: Candidate, language: str) -> Iterator[str]:
    sure = CERTAINTY[candidate.certainty].text(language)
    about = f" `{candidate.object}`" if candidate.object else ""
    head = f"{number}. **`{candidate.code}`**{aside(sure, language)}{about}"
    yield head + colon(language) + candidate.why.text(language)
    for item in candidate.ask:
        text = f"`{item}`" if isinstance(item, str) else item.text(language)
        yield f"   - {DECIDES.text(language)}{colon(language)}{text}"
    for remedy in candidate.remedies:
        mark = aside(_mark(remedy, language), language)
        yield f"   - **{HELP.text(language)}**{mark}{colon(language)}{remedy.title.text(language)}"
        yield from (f"     `{command}`" for command in remedy.commands)
