"""The answer to a pasted text as JSON: `whyload.explain/1` (docs/contract.md, section 3), and its schema."""

from __future__ import annotations

from whyload.base.typing import Any
from whyload.findings.candidate import SCHEMA, Candidate, Explanation
from whyload.findings.certainty import Certainty
from whyload.report.json_shapes import DRAFT, NUMBER_OR_NULL, TEXT, TEXT_OR_NULL, choice, closed, list_of
from whyload.report.remedy_json import remedy_schema, remedy_values


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
        "remedies": [remedy_values(remedy, language) for remedy in candidate.remedies],
    }


def explanation_schema() -> dict[str, Any]:
    """The schema of `whyload.explain/1` (JSON Schema, draft 2020-12)."""
    from whyload.findings.candidate import Strength
    from whyload.knowledge.causes import causes

    candidate = closed(
        {
            "code": {"enum": [cause.code for cause in causes()]},
            "certainty": choice(Certainty),
            "strength": choice(Strength),
            "why": TEXT,
            "object": TEXT_OR_NULL,
            "ask": list_of(TEXT),
            "remedies": list_of(remedy_schema()),
        }
    )
    read = closed(
        {
            "os": TEXT_OR_NULL,
            "platform": TEXT_OR_NULL,
            "python": TEXT_OR_NULL,
            "winerror": NUMBER_OR_NULL,
            "ntstatus": TEXT_OR_NULL,
            "module": TEXT_OR_NULL,
            "file": TEXT_OR_NULL,
            "versions": {"type": "object", "additionalProperties": TEXT},
            "languages": list_of(TEXT),
        }
    )
    whole = {
        "schema": {"const": SCHEMA},
        "candidates": {**list_of(candidate), "maxItems": 5},
        "read": read,
        "look": TEXT_OR_NULL,
    }
    return {"$schema": DRAFT, "title": SCHEMA, **closed(whole)}
