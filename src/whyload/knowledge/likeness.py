"""Which causes texts turned out to have that read alike: a linear model of words, learned from public reports.

Source: data/likeness.txt, which `python -m tools.learn_likeness` writes from the reports that the tests store.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Mapping

from whyload.knowledge.reader import data_text

_SCALE = 100


@functools.cache
def _model() -> tuple[tuple[str, ...], tuple[float, ...], dict[str, str]]:
    """The causes, what each has beforehand, and the line of every feature."""
    lines = [line for line in data_text("likeness.txt").splitlines() if not line.startswith("# ")]
    causes, beforehand = lines[0].split(), tuple(int(value) / _SCALE for value in lines[1].split())
    return tuple(causes), beforehand, {line.partition("\t")[0]: line.partition("\t")[2] for line in lines[2:]}


def chances_of(features: Collection[str]) -> Mapping[str, float]:
    """The probability of each cause that enough reports are known of, for a text of these features; they add up to 1.

    Features that none of the reports has count for nothing.
    """
    causes, beforehand, weights = _model()
    scores = list(beforehand)
    known = [(feature, *weights[feature].split("\t")) for feature in features if feature in weights]
    length = math.sqrt(sum(int(rarity) ** 2 for _, rarity, _ in known)) or 1.0
    for _, rarity, row in known:
        share = int(rarity) / length / _SCALE
        for entry in row.split():
            index, _, weight = entry.partition(":")
            scores[int(index)] += int(weight) * share
    top = max(scores)
    powers = [math.exp(score - top) for score in scores]
    return {cause: power / sum(powers) for cause, power in zip(causes, powers, strict=True)}
