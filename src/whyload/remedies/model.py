"""A remedy as a value: what it is called, what it asks of the person, the commands, whether it was tried."""

from __future__ import annotations

import enum

from whyload.base.dataclass import dataclass
from whyload.base.message import Message


class Safety(enum.Enum):
    """What a remedy asks of the person."""

    SAFE = "safe"
    ASKS_FIRST = "asks-first"
    BY_HAND = "by-hand"


class Verified(enum.Enum):
    """Whether the remedy was tried."""

    NO = "no"
    SIMULATED = "simulated"
    APPLIED = "applied"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """One thing that makes it work."""

    id: str
    title: Message
    safety: Safety
    commands: tuple[str, ...] = ()
    verified: Verified = Verified.NO
