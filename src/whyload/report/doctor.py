"""What `doctor` found, for a person and for an issue: the facts in a table, then what is wrong, worst first."""

from __future__ import annotations

from collections.abc import Iterator

from whyload.base.message import Message
from whyload.facts.machine.all import MachineFacts
from whyload.findings.model import Finding, Severity
from whyload.findings.report import Report, Verdict
from whyload.report import terms
from whyload.report.facts_table import NOT_KNOWN, table
from whyload.report.layout import Look, pad, paragraph, visible, width
from whyload.report.markdown import finding_lines as markdown_lines
from whyload.report.punctuation import aside, colon, listed, parted
from whyload.report.text import finding_lines

_TITLE = Message(en="environment", zh="环境")
_FULL_ERRORS = 6
_READ_FROM = Message(en="from", zh="取自")
_COUNTED = {
    Severity.ERROR: Message(en="errors: {}", zh="{} 个错误"),
    Severity.WARNING: Message(en="warnings: {}", zh="{} 个警告"),
    Severity.NOTE: Message(en="notes: {}", zh="{} 条说明"),
}


def doctor_text(report: Report, look: Look) -> str:
    """The whole report as lines of text."""
    return "\n".join(visible(line) for line in _text_lines(report, look)) + "\n"


def doctor_markdown(report: Report, language: str = "en") -> str:
    """The same as Markdown."""
    return "\n".join(visible(line) for line in _markdown_lines(report, language)) + "\n"


def _text_lines(report: Report, look: Look) -> Iterator[str]:
    language = look.language
    yield look.paint(f"{_TITLE.text(language)}{colon(language)}{report.question.label}", "1")
    yield ""
    rows = table(report.machine) if report.machine is not None else []
    column = max((width(label.text(language)) for label, _ in rows), default=0)
    for label, values in rows:
        head = f"  {pad(label.text(language), column)}  "
        yield from _hanging(head, parted((value.text(language) for value in values), language))
    yield ""
    if look.verbose and report.machine is not None:
        yield from _sources(report.machine, language)
        yield ""
    for index, finding in enumerate(report.findings):
        yield from _finding(finding, report, look, full=_is_full(index, finding, look))
    yield _summary(report, look)
    if look.verbose:
        for item in report.not_checked:
            yield from paragraph(
                f"  {terms.NOT_CHECKED.text(language)}{colon(language)}",
                f"{item.what.text(language)}{colon(language)}{item.why.text(language)}",
            )


def _sources(facts: MachineFacts, language: str) -> Iterator[str]:
    """Where each value was read from, and why one is not known."""
    for section in MachineFacts.__annotations__:
        values = getattr(facts, section)
        for name, source in getattr(values, "read_from", {}).items():
            yield from paragraph(f"  {section}.{name}: ", f"{_READ_FROM.text(language)} {source}")
        for name, why in getattr(values, "unknown", {}).items():
            yield from paragraph(f"  {section}.{name}: ", f"{NOT_KNOWN.text(language)}{colon(language)}{why}")


def _is_full(index: int, finding: Finding, look: Look) -> bool:
    return bool(look.verbose) or (finding.severity is Severity.ERROR and index < _FULL_ERRORS)


def _finding(finding: Finding, report: Report, look: Look, *, full: bool) -> Iterator[str]:
    if full:
        yield from finding_lines(finding, report, look)
        yield ""
        return
    severity = f"{terms.SEVERITY[finding.severity].text(look.language)}[{finding.code}]"
    count = aside(f"+{len(finding.affected)}", look.language) if finding.affected else ""
    yield from paragraph(severity + colon(look.language), f"{finding.headline.text(look.language)}{count}")


def _summary(report: Report, look: Look) -> str:
    colour = {Verdict.LOADS: "1;32", Verdict.FAILS: "1;31"}.get(report.verdict, "1;33")
    summary = look.paint(terms.ENVIRONMENT[report.verdict].text(look.language), colour)
    counts = [
        _COUNTED[severity].text(look.language).format(count)
        for severity in Severity
        if (count := sum(1 for finding in report.findings if finding.severity is severity))
    ]
    return summary + aside(listed(counts, look.language), look.language) if counts else summary


def _hanging(head: str, text: str) -> Iterator[str]:
    """A paragraph whose further lines begin where the text of the first does."""
    indent = " " * width(head)
    for index, line in enumerate(paragraph(indent, text)):
        yield (indent if index else head) + line.strip()


def _markdown_lines(report: Report, language: str) -> Iterator[str]:
    yield f"## whyload doctor{colon(language)}{terms.ENVIRONMENT[report.verdict].text(language)}"
    yield ""
    yield "| | |"
    yield "|---|---|"
    for label, values in table(report.machine) if report.machine is not None else []:
        cell = "<br>".join(_cell(value.text(language)) for value in values)
        yield f"| {label.text(language)} | {cell} |"
    for finding in report.findings:
        yield ""
        yield from markdown_lines(finding, language)
    if report.not_checked:
        yield ""
        yield f"### {terms.NOT_CHECKED.text(language)}"
        yield ""
        yield from (
            f"- {item.what.text(language)}{colon(language)}{item.why.text(language)}" for item in report.not_checked
        )


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
