"""The answer to a pasted text as JSON: `whyload.explain/1` (docs/contract.md, section 3), and its schema."""

from __future__ import annotations

from typing import Any

from whyload.findings.candidate import SCHEMA, Candidate, Explanation
from whyload.findings.certainty import Certainty
from whyload.remedies.model import Remedy, Safety, Verified


def explanation_values(explanation: Explanation, language: str = "en") -> dict[str, Any]:
    """The answer as values that JSON can hold."""
    return {
        "schema": SCHEMA,
        "candidates": [_candidate_values(candidate, language) for candidate in explanation.candidates],
        "read": {
            "os": explanation.system,
            "platform": explanation.platform,
            "python": explanation.python,
            "winerror": explanation.winerror,
            "ntstatus": None if explanation.ntstatus is None else f"0x{explanation.ntstatus:08X}",
            "module": explanation.module,
            "file": explanation.file,
            "versions": dict(explanation.versions),
            "languages": list(explanation.languages),
        },
        "look": explanation.look,
    }


def _candidate_values(candidate: Candidate, language: str) -> dict[str, Any]:
    return {
        "code": candidate.code,
        "certainty": candidate.certainty.value,
        "strength": candidate.strength.value,
        "why": candidate.why.text(language),
        "object": candidate.object,
        "ask": [item if isinstance(item, str) else item.text(language) for item in candidate.ask],
        "remedies": [_remedy_values(remedy, language) for remedy in candidate.remedies],
    }


def _remedy_values(remedy: Remedy, language: str) -> dict[str, Any]:
    return {
        "id": remedy.id,
        "title": remedy.title.text(language),
        "safety": remedy.safety.value,
        "changes": [],
        "commands": list(remedy.commands),
        "verified": remedy.verified.value,
    }


def explanation_schema() -> dict[str, Any]:
    """The schema of `whyload.explain/1` (JSON Schema, draft 2020-12)."""
    from whyload.findings.candidate import Strength
    from whyload.knowledge.causes import causes

    text, text_or_null = {"type": "string"}, {"type": ["string", "null"]}
    texts = {"type": "array", "items": text}
    remedy = _object(
        {
            "id": text,
            "title": text,
            "safety": _choice(Safety),
            "changes": {"type": "array"},
            "commands": texts,
            "verified": _choice(Verified),
        }
    )
    candidate = _object(
        {
            "code": {"enum": [cause.code for cause in causes()]},
            "certainty": _choice(Certainty),
            "strength": _choice(Strength),
            "why": text,
            "object": text_or_null,
            "ask": texts,
            "remedies": {"type": "array", "items": remedy},
        }
    )
    read = _object(
        {
            "os": text_or_null,
            "platform": text_or_null,
            "python": text_or_null,
            "winerror": {"type": ["integer", "null"]},
            "ntstatus": text_or_null,
            "module": text_or_null,
            "file": text_or_null,
            "versions": {"type": "object", "additionalProperties": text},
            "languages": texts,
        }
    )
    whole = {
        "schema": {"const": SCHEMA},
        "candidates": {"type": "array", "items": candidate, "maxItems": 5},
        "read": read,
        "look": text_or_null,
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": SCHEMA, **_object(whole)}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _choice(kind: Any) -> dict[str, Any]:
    return {"enum": [item.value for item in kind]}
