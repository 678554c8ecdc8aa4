"""The report as JSON: `whyload.report/1` (docs/contract.md, section 3; the schema is in `schema.py`)."""

from __future__ import annotations

from whyload import __version__
from whyload.base.message import message
from whyload.base.typing import TYPE_CHECKING, Any
from whyload.findings.report import SCHEMA, Report

if TYPE_CHECKING:
    from whyload.findings.model import Evidence, Finding
    from whyload.loader.model import LoadTree, MissingSymbol, Node, Status, Step
    from whyload.loader.windows.playback import PlayedLoad
    from whyload.remedies.model import Remedy
    from whyload.remedies.outcome import Fix


def report_values(report: Report, language: str = "en") -> dict[str, Any]:
    """The report as values that JSON can hold."""
    question = report.question
    values: dict[str, Any] = {
        "schema": SCHEMA,
        "whyload": __version__,
        "question": {
            "kind": question.kind.value,
            "modules": list(question.modules),
            "code": question.code,
            "script": question.script,
            "file": question.file,
            "flags": None if question.flags is None else f"0x{question.flags:X}",
            "targets": list(question.targets),
            "world": report.world,
            "python": report.python,
            "os": report.system,
        },
        "verdict": report.verdict.value,
        "findings": [finding_values(finding, language) for finding in report.findings],
        "affected": [str(path) for path in report.affected],
        "tree": {"loads": [_load_values(load, language) for load in report.loads]},
        "facts": _facts(report),
        "not_checked": [
            {"what": item.what.text(language), "why": item.why.text(language)} for item in report.not_checked
        ],
    }
    if question.kind.value in ("load", "tree"):
        values["load"] = load_values(report.loads[-1].tree) if report.loads else load_values(None)
    if report.fix is not None:
        values["fix"] = _fix_values(report.fix, language)
    return values


def _facts(report: Report) -> dict[str, Any]:
    if report.machine is None:
        return dict(report.facts)
    from whyload.base.values import plain

    return {**report.facts, **plain(report.machine)}


def _remedies(remedies: tuple[Remedy, ...], language: str) -> list[dict[str, Any]]:
    if not remedies:
        return []
    from whyload.report.remedy_json import remedy_values

    return [remedy_values(remedy, language) for remedy in remedies]


def load_values(tree: LoadTree | None) -> dict[str, Any]:
    """The answer of the loader in the words of Windows."""
    if tree is None:
        return {"winerror": 0, "ntstatus": "0x00000000", "modules": [], "missing": [], "missing_symbols": []}
    symbols = [fault.symbol for fault in tree.faults if fault.symbol is not None]
    return {
        "winerror": tree.status.winerror,
        "ntstatus": f"0x{tree.status.ntstatus:08X}",
        "modules": [str(path) for path in tree.modules],
        "missing": list(tree.missing),
        "missing_symbols": [_symbol_values(symbol) for symbol in symbols],
    }


def _symbol_values(symbol: MissingSymbol) -> list[str]:
    return [str(symbol.library), symbol.text, str(symbol.importer)]


def finding_values(finding: Finding, language: str) -> dict[str, Any]:
    """One finding."""
    owner = finding.owner
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "certainty": finding.certainty.value,
        "headline": finding.headline.text(language),
        "culprit": _text(finding.culprit),
        "object": finding.object,
        "found_at": _text(finding.found_at),
        "symbol": finding.symbol,
        "chain": list(finding.chain),
        "owner": None
        if owner is None
        else {"distribution": owner.distribution, "version": owner.version, "installer": owner.installer},
        "os_error": _status_values(finding.os_error),
        "evidence": [_evidence_values(item, language) for item in finding.evidence],
        "notes": [note.text(language) for note in finding.notes],
        "remedies": _remedies(finding.remedies, language),
    }


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _status_values(status: Status | None) -> dict[str, Any] | None:
    if status is None or not status:
        return None
    return {"winerror": status.winerror, "ntstatus": f"0x{status.ntstatus:08X}"}


def _evidence_values(evidence: Evidence, language: str) -> dict[str, Any]:
    return {
        "kind": evidence.kind,
        "subject": evidence.subject.text(language) if evidence.subject else "",
        "text": evidence.text.text(language) if evidence.text else None,
        "steps": [_step_values(step, language) for step in evidence.steps],
    }


def _step_values(step: Step, language: str) -> dict[str, Any]:
    return {
        "rule": f"{step.kind.value} ({step.rule})",
        "place": step.place,
        "outcome": step.verdict.value,
        "detail": message(step.detail or (step.machine.in_words if step.machine else "")).text(language),
    }


def _fix_values(fix: Fix, language: str) -> dict[str, Any]:
    return {
        "outcome": fix.outcome.value,
        "remedies": _remedies(fix.remedies, language),
        "by_hand": _remedies(fix.by_hand, language),
        "refused": [
            {"id": item.id, "title": item.title.text(language), "why": item.why.text(language)} for item in fix.refused
        ],
        "hints": [hint.text(language) for hint in fix.hints],
        "undo": fix.undo,
    }


def _load_values(load: PlayedLoad, language: str) -> dict[str, Any]:
    event, tree = load.event, load.tree
    return {
        "name": event.name,
        "via": event.via.value,
        "flags": f"0x{event.flags:X}",
        "module": event.module,
        "optional": load.optional,
        "winerror": tree.status.winerror,
        "node": _node_values(tree.root, language, whole=bool(tree.status)),
    }


def _node_values(node: Node, language: str, *, whole: bool) -> dict[str, Any]:
    steps = node.steps if whole or node.status else node.steps[-1:]
    return {
        "name": node.name,
        "path": _text(node.path),
        "edge": node.edge.value,
        "winerror": node.status.winerror,
        "mapped_now": node.fresh,
        "symbols": node.symbol_count,
        "steps": [_step_values(step, language) for step in steps],
        "missing_symbols": [_symbol_values(symbol) for symbol in node.missing_symbols],
        "children": [_node_values(child, language, whole=whole) for child in node.children],
        "delayed": [_node_values(child, language, whole=whole) for child in node.delayed],
    }
