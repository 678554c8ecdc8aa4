"""What a remedy asks of the person, and whether it was tried."""

from __future__ import annotations

from whyload.base.enumeration import Enum


class Safety(Enum):
    """What a remedy asks of the person."""

    SAFE = "safe"
    ASKS_FIRST = "asks-first"
    BY_HAND = "by-hand"


class Verified(Enum):
    """Whether the remedy was tried."""

    NO = "no"
    SIMULATED = "simulated"
    APPLIED = "applied"
