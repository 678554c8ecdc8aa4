"""Where each value of a section was read from, and why one is not known."""

from __future__ import annotations

from collections.abc import Mapping

from whyload.base.typing import TypeVar

_T = TypeVar("_T")
CURRENT_VERSION = "HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion"
SESSION_MANAGER = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager"


class Sources:
    """Collects both for one section, field by field."""

    def __init__(self) -> None:
        self.read_from: dict[str, str] = {}
        self.unknown: dict[str, str] = {}

    def take(self, name: str, value: _T | None, source: str, why: str = "") -> _T | None:
        """Note where the value of the field `name` comes from; where it is None, why."""
        if value is None:
            self.unknown.setdefault(name, why or f"not in {source}")
        else:
            self.unknown.pop(name, None)
            self.read_from[name] = source
        return value


def number(values: Mapping[str, object] | None, name: str) -> int | None:
    """A whole number of a registry key; None where it is not there or no number."""
    value = values.get(name) if values else None
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value)
    return value if isinstance(value, int) else None


def text(values: Mapping[str, object] | None, name: str) -> str | None:
    """A text of a registry key; None where it is not there, empty or no text."""
    value = values.get(name) if values else None
    return value if isinstance(value, str) and value else None
