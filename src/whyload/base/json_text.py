"""JSON from outside, whose nesting must not end the tool (Python's reader raises RecursionError there)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def json_value(text: str) -> Any:
    """The value of a JSON text. Raises ValueError where it is none, or is nested more deeply than Python bears."""
    import json

    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
