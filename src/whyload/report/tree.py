"""The dependency tree as text: every library with the file that was taken and the step that found it."""

from __future__ import annotations

from collections.abc import Iterator

from whyload.findings.composition import way_of
from whyload.findings.report import Report, Verdict
from whyload.loader.model import Node
from whyload.report import terms
from whyload.report.layout import Look, visible
from whyload.report.punctuation import aside, colon, listed
from whyload.report.text import report_text


def tree_text(report: Report, look: Look) -> str:
    """One tree for each load of the program, in order."""
    lines: list[str] = []
    for load in report.loads:
        event = load.event
        status = load.tree.status
        outcome = terms.OUTCOME_OF_LOAD[bool(status)].text(look.language)
        error = aside(str(status.winerror), look.language) if status else ""
        lines.append(f"{event.name}  [{way_of(load).text(look.language)}]  {outcome}{error}")
        seen: set[str] = set()
        for child in load.tree.root.children:
            lines += _node_lines(child, "  ", look, seen)
    if not lines and report.verdict is not Verdict.LOADS:
        return report_text(report, look)  # it did not come as far as to a library
    if not lines:
        lines.append(f"{report.question.label}{colon(look.language)}{terms.NOTHING_NATIVE.text(look.language)}")
    return "\n".join(visible(line) for line in lines) + "\n"


def _node_lines(node: Node, indent: str, look: Look, seen: set[str]) -> Iterator[str]:
    last = node.steps[-1] if node.steps else None
    step = last.kind.value if last else "?"
    if node.status:
        mark = look.paint(terms.MISSING.text(look.language) + aside(str(node.status.winerror), look.language), "1;31")
        yield f"{indent}{node.name}  {mark}"
    else:
        yield f"{indent}{node.name}  {node.path or step}  [{step}]"
    for symbol in node.missing_symbols:
        yield look.paint(f"{indent}    {symbol.library.name} ! {symbol.text}", "1;31")
    key = node.path.key if node.path else node.name.lower()
    if key in seen:
        return
    seen.add(key)
    for child in node.children:
        yield from _node_lines(child, indent + "  ", look, seen)
    for child in node.delayed if look.verbose else ():
        mark = terms.DELAYED.text(look.language)
        if child.delay_exception is not None:
            mark = listed((mark, f"0x{child.delay_exception:08X}"), look.language)
        yield from (f"{line}{aside(mark, look.language)}" for line in _node_lines(child, indent + "  ", look, seen))
