"""What a remedy asks of the person, and whether it was tried."""

from __future__ import annotations

import enum


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
