"""The report as Markdown, for issue trackers and job summaries."""

from __future__ import annotations

from collections.abc import Iterator

from whyload.findings.model import Evidence, Finding
from whyload.findings.report import Report
from whyload.remedies.outcome import Fix
from whyload.report import terms
from whyload.report.layout import visible
from whyload.report.punctuation import aside, colon, listed


def report_markdown(report: Report, language: str = "en") -> str:
    """The whole report."""
    return "\n".join(visible(line) for line in _lines(report, language)) + "\n"


def _lines(report: Report, language: str) -> Iterator[str]:
    verdict = terms.VERDICT[report.verdict].text(language)
    yield f"## whyload{colon(language)}`{report.question.label}` {verdict}"
    yield ""
    yield listed((report.system, f"`{report.python}`"), language)
    for finding in report.findings:
        yield ""
        yield from finding_lines(finding, language)
    if report.fix is not None:
        yield from _fix(report.fix, language)
    if report.not_checked:
        yield ""
        yield f"### {terms.NOT_CHECKED.text(language)}"
        yield ""
        yield from (
            f"- {item.what.text(language)}{colon(language)}{item.why.text(language)}" for item in report.not_checked
        )


def _fix(fix: Fix, language: str) -> Iterator[str]:
    from whyload.report.fix import OUTCOME, sections

    for section in sections(fix, language):
        yield ""
        yield f"### {section.heading or OUTCOME[fix.outcome].text(language)}"
        yield ""
        for item in section.items:
            yield f"- {item.title}" + (aside(item.mark, language) if item.mark else "")
            yield from (f"  - {detail}" for detail in item.details)
            yield from (f"  - `{command}`" for command in item.commands)


def _evidence(evidence: Evidence, language: str) -> Iterator[str]:
    if evidence.text is not None:
        yield evidence.text.text(language)
        yield ""
    if not evidence.steps:
        return
    subject = aside(evidence.subject.text(language), language) if evidence.subject else ""
    yield f"{terms.SEARCHED.text(language)}{subject}{colon(language)}".rstrip()
    yield ""
    yield "| # | | | |"
    yield "|---|---|---|---|"
    for number, step in enumerate(evidence.steps, 1):
        place, where = terms.PLACE[step.kind].text(language), terms.where_of(step)
        shown = f"`{where}`" if where else ""
        yield f"| {number} | {place} | {shown} | {terms.OUTCOME[step.verdict].text(language)} |"
    yield ""


def finding_lines(finding: Finding, language: str) -> Iterator[str]:
    """One finding."""
    severity = terms.SEVERITY[finding.severity].text(language)
    yield f"### {severity}{colon(language)}{finding.headline.text(language)}"
    yield ""
    yield listed((f"`{finding.code}`", terms.CERTAINTY[finding.certainty].text(language)), language)
    yield ""
    if finding.chain:
        yield terms.NEEDED_BY.text(language) + colon(language) + " → ".join(f"`{item}`" for item in finding.chain)
        yield ""
    for evidence in finding.evidence:
        yield from _evidence(evidence, language)
    for note in finding.notes:
        yield f"- {note.text(language)}"
    for remedy in finding.remedies:
        words = terms.SAFETY[remedy.safety].text(language), terms.VERIFIED[remedy.verified].text(language)
        mark = aside(listed(words, language), language)
        yield f"- **{terms.HELP.text(language)}**{mark}{colon(language)}{remedy.title.text(language)}"
        yield from (f"  `{command}`" for command in remedy.commands)
