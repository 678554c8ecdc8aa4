"""The closed list of cause codes, in its order, with their meaning in English and Chinese.

Source: data/causes.toml. The codes are part of the public JSON contract.
"""

from __future__ import annotations

import functools

from whyload.base.dataclass import dataclass
from whyload.knowledge.reader import data_tables


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """A cause code and what it means."""

    code: str
    meaning: str
    meaning_zh: str
    group: str
    group_zh: str


@functools.cache
def causes() -> tuple[Cause, ...]:
    """Every cause, in the order of the list."""
    return tuple(
        Cause(code=code, meaning=meaning, meaning_zh=meaning_zh, group=group["title"], group_zh=group["title_zh"])
        for group in data_tables("causes")["group"]
        for code, meaning, meaning_zh in group["causes"]
    )


def cause(code: str) -> Cause | None:
    """The cause of that code."""
    return next((known for known in causes() if known.code == code), None)
