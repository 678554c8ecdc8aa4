"""What a text may be about that no cause has anything to say for: what reports that read alike turned out to be."""

from __future__ import annotations

from importlib import import_module

from whyload import symptoms
from whyload.base.dataclass import replace
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.causes import cause
from whyload.knowledge.likeness import chances_of, relatedness_of
from whyload.knowledge.suspects import Suspect
from whyload.observe.text.clues import Clues
from whyload.observe.text.features import features_of, unread
from whyload.observe.text.signs import signs_of

_ENOUGH = 1.6
"""From which relatedness on a text is taken to be about a library: no unrelated text that has a sign of one and that
the model had not seen came up to it; `python -m tools.learn_likeness --judge` tells the highest.
"""
_LONGEST = 2000
"""Characters; the models were learned from texts of up to 800, and a log has words of everything."""
_MOST = 3


def guessed(clues: Clues) -> list[Candidate]:
    """The likeliest causes, with the least ground there is; none without a sign that a native library fails."""
    signs = signs_of(clues) if len(clues.text) <= _LONGEST else frozenset()
    if not signs:
        return []
    features = features_of(clues)
    if relatedness_of(unread(features, signs)) < _ENOUGH:
        return []
    chances = chances_of(features)
    codes = tuple(sorted(chances, key=lambda code: -chances[code])[:_MOST])
    suspected = replace(clues, suspects=(_suspect(codes),))
    return [_as_guess(suspected, code, is_first=code == codes[0]) for code in codes]


def _suspect(codes: tuple[str, ...]) -> Suspect:
    return Suspect(
        packages=(),
        shapes=(),
        versions=None,
        python=None,
        platform=None,
        traits=(),
        without=(),
        names=None,
        causes=codes,
        known=False,
        why=None,
        why_zh=None,
        object=None,
        source="public reports, by knowledge/data/likeness.txt",
    )


def _as_guess(clues: Clues, code: str, *, is_first: bool) -> Candidate:
    """What the cause itself asks and advises when it is suspected, said to be a guess."""
    asked: Candidate | None = import_module(f"{symptoms.__name__}.{code.replace('-', '_')}").explain(clues)
    candidate = asked or usual(clues, code)
    known = cause(code)
    assert candidate is not None
    assert known is not None
    which, which_zh = ("most", "多为") if is_first else ("some", "有些是")
    why = both(
        f"a guess, by its words alone: {which} public reports that read like this one had this cause ({known.meaning})",
        f"仅凭用词推测：与此文相似的公开报告，查明的原因{which_zh}“{known.meaning_zh}”",
    )
    return replace(candidate, strength=Strength.POSSIBLE, why=why)
