"""The report for a person: headline, the work, notes, help; readable at 80 columns and without colour."""

from __future__ import annotations

from collections.abc import Iterator

from whyload.base.dataclass import dataclass
from whyload.base.message import message
from whyload.base.paths import WinPath
from whyload.findings.model import Evidence, Finding, Severity
from whyload.findings.report import Report, Verdict
from whyload.loader.model import Step, StepKind
from whyload.loader.model import Verdict as StepVerdict
from whyload.remedies.model import Remedy
from whyload.report import terms
from whyload.report.layout import COLUMNS, Look, pad, paragraph, visible, width
from whyload.report.punctuation import aside, colon, listed

_COLOURS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.NOTE: "1;36"}
_GROUPED = (StepKind.USER_DIR, StepKind.PATH)


def report_text(report: Report, look: Look) -> str:
    """The whole report as lines of text."""
    return "\n".join(visible(line) for line in _lines(report, look)) + "\n"


def _lines(report: Report, look: Look) -> Iterator[str]:
    for index, finding in enumerate(report.findings):
        if index:
            yield ""
        yield from finding_lines(finding, report, look)
    if not report.findings:
        colour = "1;32" if report.verdict is Verdict.LOADS else "1;33"
        verdict = look.paint(terms.VERDICT[report.verdict].text(look.language), colour)
        where = aside(listed((report.system, report.python), look.language), look.language)
        yield f"{report.question.label}{colon(look.language)}{verdict}{where}"
    if report.fix is not None:
        from whyload.report.fix import fix_lines

        yield ""
        yield from fix_lines(report.fix, look.language)
    if report.not_checked and (look.verbose or report.verdict in (Verdict.UNKNOWN, Verdict.FAILS)):
        yield ""
        for item in report.not_checked:
            yield from paragraph(
                f"  {terms.NOT_CHECKED.text(look.language)}{colon(look.language)}",
                f"{item.what.text(look.language)}{colon(look.language)}{item.why.text(look.language)}",
            )


def finding_lines(finding: Finding, report: Report, look: Look) -> Iterator[str]:
    """One finding: headline, the work, notes, help."""
    language = look.language
    severity = f"{terms.SEVERITY[finding.severity].text(language)}[{finding.code}]"
    mark = look.paint(severity, _COLOURS[finding.severity]) + colon(language)
    yield mark + look.paint(finding.headline.text(language), "1")
    yield ""
    chain = _chain(finding, report, language)
    if chain:
        yield from paragraph(f"  {terms.NEEDED_BY.text(language)}  ", chain)
    for evidence in finding.evidence:
        yield from _evidence_lines(evidence, look)
    yield ""
    note = f"  {terms.NOTE.text(language)}{colon(language)}"
    for said in finding.notes:
        yield from paragraph(note, said.text(language))
    if finding.affected:
        yield f"{note}{len(finding.affected)} {terms.AFFECTED.text(language)}"
    yield f"  {terms.SURE.text(language)}{colon(language)}{terms.CERTAINTY[finding.certainty].text(language)}"
    if finding.remedies:
        yield ""
    for remedy in finding.remedies[: None if look.verbose else 2]:
        yield from _remedy_lines(remedy, look)
    yield f"  {terms.MORE.text(language)}{colon(language)}whyload cause {finding.code}"


def _remedy_lines(remedy: Remedy, look: Look) -> Iterator[str]:
    language = look.language
    mark = listed(
        (terms.SAFETY[remedy.safety].text(language), terms.VERIFIED[remedy.verified].text(language)), language
    )
    head = terms.HELP.text(language) + aside(mark, language)
    first, *rest = paragraph(f"  {head}{colon(language)}", remedy.title.text(language))
    yield first.replace(head, look.paint(head, "1;32"), 1)
    yield from rest
    for command in remedy.commands:
        yield f"      {command}"


def _evidence_lines(evidence: Evidence, look: Look) -> Iterator[str]:
    if evidence.text is not None:
        yield from paragraph("  ", evidence.text.text(look.language))
    if not evidence.steps:
        return
    subject = aside(evidence.subject.text(look.language), look.language) if evidence.subject else ""
    yield f"  {terms.SEARCHED.text(look.language)}{subject}{colon(look.language)}".rstrip()
    rows = list(_rows(evidence.steps, look))
    first = max((width(row.place) for row in rows), default=0)
    fitting = (row for row in rows if 12 + first + width(row.where) + width(row.outcome) <= COLUMNS)
    second = max((width(row.where) for row in fitting), default=0)
    for number, row in enumerate(rows, 1):
        line = f"    {number:>2}  {pad(row.place, first)}  {pad(row.where, second)}  {row.outcome}"
        if width(row.where) <= second or not row.where:
            yield line.rstrip()
        else:
            yield f"    {number:>2}  {pad(row.place, first)}  {row.outcome}".rstrip()
            yield f"        {row.where}"
        if row.detail:
            yield from paragraph("        ", row.detail)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    place: str
    where: str
    outcome: str
    detail: str = ""


def _rows(steps: tuple[Step, ...], look: Look) -> Iterator[_Row]:
    """One row a step; a run of added folders or of PATH that all lack the file is one row unless asked for."""
    index = 0
    while index < len(steps):
        step = steps[index]
        run = 1
        if step.kind in _GROUPED and not look.verbose:
            while index + run < len(steps) and _alike(step, steps[index + run]):
                run += 1
        place, outcome = terms.PLACE[step.kind].text(look.language), terms.OUTCOME[step.verdict].text(look.language)
        if run > 1:
            yield _Row(place=place + aside(str(run), look.language), where=step.place + " ...", outcome=outcome)
        else:
            where = terms.where_of(step)
            machine = step.machine.in_words if step.machine and step.verdict is not StepVerdict.TAKEN else ""
            detail = message(step.detail or machine).text(look.language)
            yield _Row(place=place, where=where, outcome=outcome, detail=detail)
        index += run


def _alike(first: Step, other: Step) -> bool:
    return other.kind is first.kind and other.verdict is first.verdict is StepVerdict.ABSENT


def _chain(finding: Finding, report: Report, language: str) -> str:
    """`import torch -> torch\\__init__.py:148 -> torch\\lib\\fbgemm.dll (import table, 23 functions) -> …`"""
    items = [_short(item, report.labels) for item in finding.chain]
    if items and items[0] in report.question.modules:
        items[0] = f"import {items[0]}"
    if finding.line is not None:
        sources = [index for index, item in enumerate(items) if item.endswith((".py", ".pyw"))]
        if sources:  # the program itself, where that is a script, and behind it the file that asks
            items[sources[-1]] += f":{finding.line}"
    if finding.edge is not None and len(items) > 1:
        items[-2] += aside(finding.edge.text(language), language)
    return " -> ".join(items)


def _short(item: str, labels: tuple[WinPath, ...]) -> str:
    path = WinPath(item)
    if not path.is_absolute:
        return item
    below = [folder for folder in labels if path.is_below(folder) and folder.parent != folder]
    best = max(below, key=lambda folder: len(folder.text), default=None)
    return path.relative_to(best) if best is not None else item
