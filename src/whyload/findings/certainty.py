"""How sure an answer is."""

from __future__ import annotations

from whyload.base.enumeration import Enum


class Certainty(Enum):
    """How sure the finding is: `proved` where the simulation, the observed run or the loader's own words show it."""

    PROVED = "proved"
    LIKELY = "likely"
    POSSIBLE = "possible"
