"""The JSON schema of the reports: closed and versioned (JSON Schema, draft 2020-12)."""

from __future__ import annotations

from whyload.base.typing import Any
from whyload.facts.machine.all import MachineFacts
from whyload.findings.model import Certainty, Severity
from whyload.findings.report import SCHEMA, QuestionKind, Verdict
from whyload.knowledge.causes import causes
from whyload.remedies.outcome import FixOutcome
from whyload.report.json_shapes import (
    DRAFT,
    FLAG,
    NUMBER,
    NUMBER_OR_NULL,
    TEXT,
    TEXT_OR_NULL,
    choice,
    closed,
    list_of,
    or_null,
)
from whyload.report.remedy_json import remedy_schema
from whyload.report.value_schema import schema_of


def report_schema() -> dict[str, Any]:
    """The schema of `whyload.report/1`."""
    return {
        "$schema": DRAFT,
        "title": SCHEMA,
        **closed(_report(), {"load": _load(), "id": {}, "fix": _fix()}),
        "$defs": {"node": _node()},
    }


def _report() -> dict[str, Any]:
    return {
        "schema": {"const": SCHEMA},
        "whyload": TEXT,
        "question": _question(),
        "verdict": choice(Verdict),
        "findings": list_of(_finding()),
        "affected": list_of(TEXT),
        "tree": closed({"loads": list_of(_played())}),
        "facts": _facts(),
        "not_checked": list_of(closed({"what": TEXT, "why": TEXT})),
    }


def _question() -> dict[str, Any]:
    return closed(
        {
            "kind": choice(QuestionKind),
            "modules": list_of(TEXT),
            "code": TEXT_OR_NULL,
            "script": TEXT_OR_NULL,
            "file": TEXT_OR_NULL,
            "flags": TEXT_OR_NULL,
            "targets": list_of(TEXT),
            "world": TEXT,
            "python": TEXT,
            "os": TEXT,
        }
    )


def _finding() -> dict[str, Any]:
    owner = closed({"distribution": TEXT, "version": TEXT, "installer": TEXT_OR_NULL})
    return closed(
        {
            "code": {"enum": [cause.code for cause in causes()]},
            "severity": choice(Severity),
            "certainty": choice(Certainty),
            "headline": TEXT,
            "culprit": TEXT_OR_NULL,
            "object": TEXT_OR_NULL,
            "found_at": TEXT_OR_NULL,
            "symbol": TEXT_OR_NULL,
            "chain": list_of(TEXT),
            "owner": or_null(owner),
            "os_error": or_null(closed({"winerror": NUMBER, "ntstatus": TEXT})),
            "evidence": list_of(
                closed({"kind": TEXT, "subject": TEXT, "text": TEXT_OR_NULL, "steps": list_of(_step())})
            ),
            "notes": list_of(TEXT),
            "remedies": list_of(remedy_schema()),
        }
    )


def _fix() -> dict[str, Any]:
    return closed(
        {
            "outcome": choice(FixOutcome),
            "remedies": list_of(remedy_schema()),
            "by_hand": list_of(remedy_schema()),
            "refused": list_of(closed({"id": TEXT, "title": TEXT, "why": TEXT})),
            "hints": list_of(TEXT),
            "undo": TEXT_OR_NULL,
        }
    )


def _step() -> dict[str, Any]:
    return closed({"rule": TEXT, "place": TEXT, "outcome": TEXT, "detail": TEXT})


def _load() -> dict[str, Any]:
    return closed(
        {
            "winerror": NUMBER,
            "ntstatus": {"type": "string", "pattern": "^0x[0-9A-F]{8}$"},
            "modules": list_of(TEXT),
            "missing": list_of(TEXT),
            "missing_symbols": list_of({"type": "array", "items": TEXT, "minItems": 3, "maxItems": 3}),
        }
    )


def _played() -> dict[str, Any]:
    return closed(
        {
            "name": TEXT,
            "via": TEXT,
            "flags": TEXT,
            "module": TEXT_OR_NULL,
            "optional": FLAG,
            "winerror": NUMBER,
            "node": {"$ref": "#/$defs/node"},
        }
    )


def _node() -> dict[str, Any]:
    nodes = list_of({"$ref": "#/$defs/node"})
    return closed(
        {
            "name": TEXT,
            "path": TEXT_OR_NULL,
            "edge": TEXT,
            "winerror": NUMBER,
            "mapped_now": FLAG,
            "symbols": NUMBER,
            "steps": list_of(_step()),
            "missing_symbols": list_of(list_of(TEXT)),
            "children": nodes,
            "delayed": nodes,
        }
    )


def _facts() -> dict[str, Any]:
    python = {"executable": TEXT, "version": TEXT, "layout": TEXT, "venv": TEXT_OR_NULL, "machine": TEXT}
    system = {
        "build": NUMBER_OR_NULL,
        "edition": TEXT_OR_NULL,
        "profile": TEXT_OR_NULL,
        "machine": TEXT,
    }
    process = {
        "application": TEXT,
        "cwd": TEXT,
        "added_dll_directories": list_of(TEXT),
        "set_dll_directory": TEXT_OR_NULL,
    }
    sections = schema_of(MachineFacts)["properties"]
    return closed({}, {"python": closed(python), "system": closed(system), "process": closed(process), **sections})
