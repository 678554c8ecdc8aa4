"""The report as one HTML page that needs nothing else: no script, no font, no image from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from whyload import __version__
from whyload.base.message import message
from whyload.base.typing import TYPE_CHECKING
from whyload.findings.model import Evidence, Finding
from whyload.findings.report import Report
from whyload.loader.model import Node
from whyload.loader.windows.playback import PlayedLoad
from whyload.remedies.outcome import Fix
from whyload.report import terms
from whyload.report.punctuation import aside, colon, listed

if TYPE_CHECKING:  # only `doctor` has them
    from whyload.facts.machine.all import MachineFacts

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --bad: #c62828; --good: #2e7d32; --warn: #b26a00; --soft: #8881; }
body { font: 16px/1.5 system-ui, "Microsoft YaHei", sans-serif; margin: 2rem auto; max-width: 64rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 0 0 .5rem; }
code { font: .9em/1.4 ui-monospace, Consolas, monospace; background: var(--soft); border-radius: 3px; padding: 0 .2em;
  overflow-wrap: anywhere; }
section { border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 6px; margin: 1rem 0;
  padding: 1rem; }
section.warning { border-left-color: var(--warn); } section.note { border-left-color: var(--line); }
.loads { color: var(--good); } .fails { color: var(--bad); } .degraded, .unknown { color: var(--warn); }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-size: .9rem; }
td { border-top: 1px solid var(--line); padding: .2rem .5rem; vertical-align: top; } td:first-child { color: #888; }
pre { background: var(--soft); border-radius: 4px; padding: .5rem; overflow-x: auto; white-space: pre-wrap; }
.help { border-top: 1px solid var(--line); margin-top: .8rem; padding-top: .5rem; } .dim { color: #888; }
ul.tree, ul.tree ul { list-style: none; padding-left: 1rem; border-left: 1px dotted var(--line); font-size: .9rem; }
.missing { color: var(--bad); }
"""


def report_html(report: Report, language: str = "en") -> str:
    """The whole page."""
    return "\n".join(_page(report, language)) + "\n"


def _page(report: Report, language: str) -> Iterator[str]:
    verdicts = terms.VERDICT if report.machine is None else terms.ENVIRONMENT
    verdict = verdicts[report.verdict].text(language)
    title = f"{report.question.label}{colon(language)}{verdict}"
    yield f'<!DOCTYPE html>\n<html lang="{"zh-CN" if language == "zh" else "en"}">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>"
    label = f"<code>{escape(report.question.label)}</code>"
    yield f'<h1>{label} <span class="{report.verdict.value}">{escape(verdict)}</span></h1>'
    yield f'<p class="dim">{escape(report.system)} · <code>{escape(report.python)}</code> · whyload {__version__}</p>'
    if report.machine is not None:
        yield from _facts(report.machine, language)
    for finding in report.findings:
        yield from _finding(finding, language)
    if report.fix is not None:
        yield from _fix(report.fix, language)
    yield from _trees(report, language)
    if report.not_checked:
        yield f"<h2>{terms.NOT_CHECKED.text(language)}</h2>\n<ul>"
        yield from (
            f"<li>{escape(item.what.text(language))}{colon(language)}{escape(item.why.text(language))}</li>"
            for item in report.not_checked
        )
        yield "</ul>"
    yield "</body>\n</html>"


def _facts(machine: MachineFacts, language: str) -> Iterator[str]:
    from whyload.report.facts_table import table

    yield "<table>"
    for label, values in table(machine):
        cell = "<br>".join(_marked(value.text(language)) for value in values)
        yield f"<tr><td>{escape(label.text(language))}</td><td>{cell}</td></tr>"
    yield "</table>"


def _finding(finding: Finding, language: str) -> Iterator[str]:
    yield f'<section class="{finding.severity.value}">'
    yield f"<h2>{_marked(finding.headline.text(language))}</h2>"
    severity = terms.SEVERITY[finding.severity].text(language)
    certainty = terms.CERTAINTY[finding.certainty].text(language)
    yield f'<p class="dim">{severity} · <code>{finding.code}</code> · {certainty}</p>'
    if finding.chain:
        chain = " → ".join(f"<code>{escape(item)}</code>" for item in finding.chain)
        yield f"<p>{terms.NEEDED_BY.text(language)}{colon(language)}{chain}</p>"
    for evidence in finding.evidence:
        yield from _evidence(evidence, language)
    for note in finding.notes:
        yield f"<p>{_marked(note.text(language))}</p>"
    for remedy in finding.remedies:
        words = terms.SAFETY[remedy.safety].text(language), terms.VERIFIED[remedy.verified].text(language)
        mark = aside(listed(words, language), language)
        title = _marked(remedy.title.text(language))
        head = f'<strong>{terms.HELP.text(language)}</strong><span class="dim">{mark}</span>'
        yield f'<div class="help">{head}{colon(language)}{title}'
        yield from (f"<pre>{escape(command)}</pre>" for command in remedy.commands)
        yield "</div>"
    yield "</section>"


def _fix(fix: Fix, language: str) -> Iterator[str]:
    from whyload.report.fix import OUTCOME, sections

    for section in sections(fix, language):
        yield f'<section class="note">\n<h2>{escape(section.heading or OUTCOME[fix.outcome].text(language))}</h2>'
        for item in section.items:
            mark = f'<span class="dim">{escape(aside(item.mark, language))}</span>' if item.mark else ""
            yield f'<div class="help">{_marked(item.title)}{mark}'
            if item.details:
                yield "<ul>" + "".join(f"<li>{_marked(detail)}</li>" for detail in item.details) + "</ul>"
            yield from (f"<pre>{escape(command)}</pre>" for command in item.commands)
            yield "</div>"
        yield "</section>"


def _evidence(evidence: Evidence, language: str) -> Iterator[str]:
    if evidence.text is not None:
        yield f"<p>{_marked(evidence.text.text(language))}</p>"
    if not evidence.steps:
        return
    subject = escape(aside(evidence.subject.text(language), language)) if evidence.subject else ""
    yield f"<p>{terms.SEARCHED.text(language)}{subject}</p>\n<table>"
    for number, step in enumerate(evidence.steps, 1):
        where = terms.where_of(step)
        place = f"<code>{escape(where)}</code>" if where else ""
        kind, outcome = terms.PLACE[step.kind].text(language), terms.OUTCOME[step.verdict].text(language)
        detail = escape(aside(message(step.detail).text(language), language) if step.detail else "")
        yield f"<tr><td>{number}</td><td>{kind}</td><td>{place}</td><td>{outcome}{detail}</td></tr>"
    yield "</table>"


def _trees(report: Report, language: str) -> Iterator[str]:
    for load in report.loads:
        outcome = terms.OUTCOME_OF_LOAD[bool(load.tree.status)].text(language)
        opened = " open" if load.tree.status else ""
        yield f"<details{opened}><summary><code>{escape(load.event.name)}</code> {outcome}</summary>"
        yield from _tree(load, language)
        yield "</details>"


def _tree(load: PlayedLoad, language: str) -> Iterator[str]:
    seen: set[str] = set()
    yield '<ul class="tree">'
    for child in load.tree.root.children:
        yield from _node(child, language, seen)
    yield "</ul>"


def _node(node: Node, language: str, seen: set[str]) -> Iterator[str]:
    step = node.steps[-1].kind.value if node.steps else ""
    if node.status:
        state = (
            f'<span class="missing">{terms.MISSING.text(language)}{aside(str(node.status.winerror), language)}</span>'
        )
    else:
        state = f'<span class="dim">{escape(str(node.path or ""))} [{step}]</span>'
    yield f"<li><code>{escape(node.name)}</code> {state}"
    key = node.path.key if node.path else node.name.lower()
    if node.children and key not in seen:
        yield "<ul>"
        for child in node.children:
            yield from _node(child, language, seen)
        yield "</ul>"
    seen.add(key)
    yield "</li>"


def _marked(text: str) -> str:
    """A text in which backquotes mark literals."""
    parts = text.split("`")
    return "".join(f"<code>{escape(part)}</code>" if index % 2 else escape(part) for index, part in enumerate(parts))
