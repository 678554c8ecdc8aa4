"""Which causes texts turned out to have that read alike, and whether they were about a native library at all: linear
models of words, learned from public reports.

Source: data/likeness.txt and data/relatedness.txt, which `python -m tools.learn_likeness` writes from the texts that
the tests store.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Mapping

from whyload.knowledge.reader import data_text

_SCALE = 100


@functools.cache
def _model(name: str) -> tuple[tuple[str, ...], tuple[float, ...], dict[str, str]]:
    """What a text may turn out to be, what each has beforehand, and the line of every feature."""
    lines = [line for line in data_text(f"{name}.txt").splitlines() if not line.startswith("# ")]
    outcomes, beforehand = lines[0].split(), tuple(int(value) / _SCALE for value in lines[1].split())
    return tuple(outcomes), beforehand, {line.partition("\t")[0]: line.partition("\t")[2] for line in lines[2:]}


def _scores(name: str, features: Collection[str]) -> dict[str, float]:
    """What speaks for each outcome; features that no text has count for nothing."""
    outcomes, beforehand, weights = _model(name)
    scores = list(beforehand)
    known = [(feature, *weights[feature].split("\t")) for feature in features if feature in weights]
    length = math.sqrt(sum(int(rarity) ** 2 for _, rarity, _ in known)) or 1.0
    for _, rarity, row in known:
        share = int(rarity) / length / _SCALE
        for entry in row.split():
            index, _, weight = entry.partition(":")
            scores[int(index)] += int(weight) * share
    return dict(zip(outcomes, scores, strict=True))


def chances_of(features: Collection[str]) -> Mapping[str, float]:
    """The probability of each cause that enough reports are known of, for these features; they add up to 1."""
    scores = _scores("likeness", features)
    top = max(scores.values())
    powers = {cause: math.exp(score - top) for cause, score in scores.items()}
    return {cause: power / sum(powers.values()) for cause, power in powers.items()}


def relatedness_of(features: Collection[str]) -> float:
    """How much more a text of these features reads like one about a native library than like one about anything else.

    A logarithm of odds, with as many texts of either kind; the features are those of `observe.text.features.unread`.
    """
    return _scores("relatedness", features)["related"]
