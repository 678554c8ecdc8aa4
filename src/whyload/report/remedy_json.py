"""A remedy as JSON, in reports and answers to texts (docs/contract.md, section 3), and its schema."""

from __future__ import annotations

from whyload.base.typing import TYPE_CHECKING
from whyload.remedies.change import KINDS, Change, Need
from whyload.remedies.safety import Safety, Verified
from whyload.report.json_shapes import TEXT, choice, closed, list_of

if TYPE_CHECKING:
    from whyload.base.typing import Any
    from whyload.remedies.model import Remedy


def remedy_values(remedy: Remedy, language: str) -> dict[str, Any]:
    """One remedy as values that JSON can hold."""
    return {
        "id": remedy.id,
        "title": remedy.title.text(language),
        "safety": remedy.safety.value,
        "changes": [_change_values(change, language) for change in remedy.changes],
        "needs": [need.value for need in Need if need in remedy.needs],
        "commands": list(remedy.commands),
        "verified": remedy.verified.value,
    }


def _change_values(change: Change, language: str) -> dict[str, Any]:
    return {
        "kind": change.kind,
        "target": change.target,
        "text": change.text.text(language),
        "safety": change.safety.value,
        "undo": change.way_back.text(language),
    }


def remedy_schema() -> dict[str, Any]:
    """The closed schema of one remedy."""
    return closed(
        {
            "id": TEXT,
            "title": TEXT,
            "safety": choice(Safety),
            "changes": list_of(_change_schema()),
            "needs": list_of(choice(Need)),
            "commands": list_of(TEXT),
            "verified": choice(Verified),
        }
    )


def _change_schema() -> dict[str, Any]:
    kinds = {"enum": sorted(kind.kind for kind in KINDS)}
    return closed({"kind": kinds, "target": TEXT, "text": TEXT, "safety": choice(Safety), "undo": TEXT})
