"""The native files of an environment, counted, and those that lack something without anything asking for them."""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.paths import WinPath


@dataclass(frozen=True, slots=True, kw_only=True)
class Lacking:
    """A library that no import is known to come to, and the names in its import table that are nowhere."""

    file: WinPath
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeFacts:
    """What was looked at."""

    files: int
    modules: int
    """Extension modules that this Python sees."""
    folders: int
    """Walked to find them."""
    failed: tuple[WinPath, ...]
    """Extension modules that do not load by themselves, and libraries that start-up code asks for in vain."""
    lacking: tuple[Lacking, ...]
