"""A text in which packages of several conda channels meet in one environment."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import OF_A_CURE, Clues, Trait
from whyload.observe.text.situation import is_not_found
from whyload.remedies.anywhere import advise

CODE = "conda-channel-mix"


def explain(clues: Clues) -> Candidate | None:
    """The text tells of two channels, and something does not load."""
    ask = ("conda list --show-channel-urls", "conda config --show channels")
    kinds = (Said.UNDEFINED_SYMBOL, Said.SYMBOL_VERSION, Said.OTHER_VERSION)
    failed = is_not_found(clues) or clues.failed_with(127, 1114) or clues.said(*kinds)
    if clues.has(Trait.MIXED_CHANNELS) and clues.has(Trait.CONDA) and failed:
        return Candidate(
            code=CODE,
            strength=Strength.KNOWN if clues.has(*OF_A_CURE) else Strength.SHOWN,
            order=(-1, 0),
            why=both(
                "the environment mixes packages of several conda channels, which are not guaranteed to be binary "
                "compatible",
                "同一环境中混有多个 conda 频道的包，而不同频道的包并不保证二进制兼容",
            ),
            ask=ask,
            remedies=(
                advise(
                    "one-channel",
                    "create a new environment from one channel, with strict channel priority",
                    "用单一频道新建环境，并启用严格的频道优先级",
                    "conda create -n NAME --strict-channel-priority -c conda-forge python PACKAGE",
                ),
            ),
        )
    return usual(clues, CODE, ask=ask)
