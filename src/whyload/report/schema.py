"""The JSON schema of the reports: closed and versioned (JSON Schema, draft 2020-12)."""

from __future__ import annotations

from whyload.base.typing import Any
from whyload.facts.machine.all import MachineFacts
from whyload.findings.model import Certainty, Severity
from whyload.findings.report import SCHEMA, QuestionKind, Verdict
from whyload.knowledge.causes import causes
from whyload.remedies.change import KINDS, Need
from whyload.remedies.model import Safety, Verified
from whyload.remedies.outcome import FixOutcome
from whyload.report.value_schema import schema_of

_TEXT: dict[str, Any] = {"type": "string"}
_TEXT_OR_NULL: dict[str, Any] = {"type": ["string", "null"]}
_NUMBER: dict[str, Any] = {"type": "integer"}
_FLAG: dict[str, Any] = {"type": "boolean"}


def _object(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _choice(kind: Any) -> dict[str, Any]:
    return {"enum": [item.value for item in kind]}


def report_schema() -> dict[str, Any]:
    """The schema of `whyload.report/1`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": SCHEMA,
        **_object(_report(), {"load": _load(), "id": {}, "fix": _fix()}),
        "$defs": {"node": _node()},
    }


def _report() -> dict[str, Any]:
    return {
        "schema": {"const": SCHEMA},
        "whyload": _TEXT,
        "question": _question(),
        "verdict": _choice(Verdict),
        "findings": _list(_finding()),
        "affected": _list(_TEXT),
        "tree": _object({"loads": _list(_played())}),
        "facts": _facts(),
        "not_checked": _list(_object({"what": _TEXT, "why": _TEXT})),
    }


def _question() -> dict[str, Any]:
    return _object(
        {
            "kind": _choice(QuestionKind),
            "modules": _list(_TEXT),
            "code": _TEXT_OR_NULL,
            "script": _TEXT_OR_NULL,
            "file": _TEXT_OR_NULL,
            "flags": _TEXT_OR_NULL,
            "targets": _list(_TEXT),
            "world": _TEXT,
            "python": _TEXT,
            "os": _TEXT,
        }
    )


def _finding() -> dict[str, Any]:
    owner = _object({"distribution": _TEXT, "version": _TEXT, "installer": _TEXT_OR_NULL})
    return _object(
        {
            "code": {"enum": [cause.code for cause in causes()]},
            "severity": _choice(Severity),
            "certainty": _choice(Certainty),
            "headline": _TEXT,
            "culprit": _TEXT_OR_NULL,
            "object": _TEXT_OR_NULL,
            "found_at": _TEXT_OR_NULL,
            "symbol": _TEXT_OR_NULL,
            "chain": _list(_TEXT),
            "owner": _or_null(owner),
            "os_error": _or_null(_object({"winerror": _NUMBER, "ntstatus": _TEXT})),
            "evidence": _list(
                _object({"kind": _TEXT, "subject": _TEXT, "text": _TEXT_OR_NULL, "steps": _list(_step())})
            ),
            "notes": _list(_TEXT),
            "remedies": _list(_remedy()),
        }
    )


def _remedy() -> dict[str, Any]:
    return _object(
        {
            "id": _TEXT,
            "title": _TEXT,
            "safety": _choice(Safety),
            "changes": _list(_change()),
            "needs": _list(_choice(Need)),
            "commands": _list(_TEXT),
            "verified": _choice(Verified),
        }
    )


def _change() -> dict[str, Any]:
    kinds = sorted(kind.kind for kind in KINDS)
    return _object({"kind": {"enum": kinds}, "target": _TEXT, "text": _TEXT, "safety": _choice(Safety), "undo": _TEXT})


def _fix() -> dict[str, Any]:
    return _object(
        {
            "outcome": _choice(FixOutcome),
            "remedies": _list(_remedy()),
            "by_hand": _list(_remedy()),
            "refused": _list(_object({"id": _TEXT, "title": _TEXT, "why": _TEXT})),
            "hints": _list(_TEXT),
            "undo": _TEXT_OR_NULL,
        }
    )


def _step() -> dict[str, Any]:
    return _object({"rule": _TEXT, "place": _TEXT, "outcome": _TEXT, "detail": _TEXT})


def _load() -> dict[str, Any]:
    return _object(
        {
            "winerror": _NUMBER,
            "ntstatus": {"type": "string", "pattern": "^0x[0-9A-F]{8}$"},
            "modules": _list(_TEXT),
            "missing": _list(_TEXT),
            "missing_symbols": _list({"type": "array", "items": _TEXT, "minItems": 3, "maxItems": 3}),
        }
    )


def _played() -> dict[str, Any]:
    return _object(
        {
            "name": _TEXT,
            "via": _TEXT,
            "flags": _TEXT,
            "module": _TEXT_OR_NULL,
            "optional": _FLAG,
            "winerror": _NUMBER,
            "node": {"$ref": "#/$defs/node"},
        }
    )


def _node() -> dict[str, Any]:
    nodes = _list({"$ref": "#/$defs/node"})
    return _object(
        {
            "name": _TEXT,
            "path": _TEXT_OR_NULL,
            "edge": _TEXT,
            "winerror": _NUMBER,
            "mapped_now": _FLAG,
            "symbols": _NUMBER,
            "steps": _list(_step()),
            "missing_symbols": _list(_list(_TEXT)),
            "children": nodes,
            "delayed": nodes,
        }
    )


def _facts() -> dict[str, Any]:
    python = {"executable": _TEXT, "version": _TEXT, "layout": _TEXT, "venv": _TEXT_OR_NULL, "machine": _TEXT}
    system = {
        "build": {"type": ["integer", "null"]},
        "edition": _TEXT_OR_NULL,
        "profile": _TEXT_OR_NULL,
        "machine": _TEXT,
    }
    process = {
        "application": _TEXT,
        "cwd": _TEXT,
        "added_dll_directories": _list(_TEXT),
        "set_dll_directory": _TEXT_OR_NULL,
    }
    sections = schema_of(MachineFacts)["properties"]
    return _object({}, {"python": _object(python), "system": _object(system), "process": _object(process), **sections})
