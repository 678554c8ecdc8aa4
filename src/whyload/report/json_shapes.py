"""The parts that the schemas are put together from: closed objects, lists, choices (JSON Schema, draft 2020-12)."""

from __future__ import annotations

from whyload.base.typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whyload.base.typing import Any

DRAFT = "https://json-schema.org/draft/2020-12/schema"
TEXT: dict[str, Any] = {"type": "string"}
TEXT_OR_NULL: dict[str, Any] = {"type": ["string", "null"]}
NUMBER: dict[str, Any] = {"type": "integer"}
NUMBER_OR_NULL: dict[str, Any] = {"type": ["integer", "null"]}
FLAG: dict[str, Any] = {"type": "boolean"}


def closed(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    """An object with these keys and no other."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def list_of(items: dict[str, Any]) -> dict[str, Any]:
    """An array of one shape."""
    return {"type": "array", "items": items}


def or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The shape, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def choice(kind: Any) -> dict[str, Any]:
    """The values of an enumeration."""
    return {"enum": [item.value for item in kind]}
