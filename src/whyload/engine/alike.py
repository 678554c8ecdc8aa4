"""What of all that a text leaves open comes first, by what public reports that read alike turned out to be."""

from __future__ import annotations

import math
from collections.abc import Mapping

from whyload.base.dataclass import replace
from whyload.base.message import Message
from whyload.findings.candidate import Candidate, Strength

_GROUND = {
    Strength.DECISIVE: 8.0,
    Strength.SHOWN: 6.0,
    Strength.STATED: 2.5,
    Strength.KNOWN: 2.5,
    Strength.USUAL: 1.25,
    Strength.POSSIBLE: 0.5,
}
"""What the ground of a candidate weighs against the logarithm of its chance; found on 1,400 reports that neither the
causes nor the model had seen, where it is flat: half or twice as much changes one answer in a hundred."""
_STEP = 0.5
"""What each place behind the first costs."""
_LEAST = -6.0
"""The logarithm of the chance of what no report was like."""
_UNKNOWN = 0.2
"""The chance of a cause that the model does not know: too few reports had it."""
_LOOKED_AT = 3
"""From the first few by ground one is chosen, so that none of them goes out of sight."""
_MOSTLY = 0.5


def in_order(candidates: list[Candidate], chances: Mapping[str, float]) -> list[Candidate]:
    """Takes candidates by their ground, puts in front what the text most probably turns out to be. What decides stays.

    The others keep their order, and have no more ground than the one in front of them.
    """
    place = min(range(min(len(candidates), _LOOKED_AT)), key=lambda at: _weight(at, candidates[at], chances))
    first = candidates[place]
    if place and chances.get(first.code, 0) >= _MOSTLY:
        first = replace(first, why=_and_alike(first.why))
    behind = [_no_more_than(first.strength, one) for one in (*candidates[:place], *candidates[place + 1 :])]
    return [first, *behind]


def _no_more_than(most: Strength, candidate: Candidate) -> Candidate:
    return candidate if candidate.strength.rank >= most.rank else replace(candidate, strength=most)


def _weight(place: int, candidate: Candidate, chances: Mapping[str, float]) -> tuple[bool, float]:
    """Smaller for what comes first."""
    chance = chances.get(candidate.code, _UNKNOWN)
    weight = max(math.log(chance), _LEAST) if chance else _LEAST
    return candidate.strength is not Strength.DECISIVE, _STEP * place - _GROUND[candidate.strength] - weight


def _and_alike(why: Message) -> Message:
    """Of a candidate that comes first although another has more ground."""
    return Message(
        en=f"{why.en}; most public reports that read like this one had this cause",
        zh=f"{why.zh}；与此文相似的公开报告，查明的原因大多是这个",
    )
