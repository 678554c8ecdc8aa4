"""What of all that a text leaves open comes first."""

from __future__ import annotations

from whyload.base.message import Message
from whyload.engine.alike import in_order
from whyload.findings.candidate import Candidate, Strength


def _candidate(code: str, strength: Strength) -> Candidate:
    return Candidate(code=code, strength=strength, why=Message(en=f"why {code}", zh=f"为何 {code}"))


def _codes(candidates: list[Candidate]) -> list[str]:
    return [candidate.code for candidate in candidates]


def test_of_equal_ground_the_likelier_comes_first() -> None:
    both = [_candidate("a", Strength.USUAL), _candidate("b", Strength.USUAL)]
    assert _codes(in_order(both, {"a": 0.1, "b": 0.8})) == ["b", "a"]
    assert _codes(in_order(both, {"a": 0.8, "b": 0.1})) == ["a", "b"]
    assert _codes(in_order(both, {"a": 0.4, "b": 0.4})) == ["a", "b"]


def test_what_decides_stays_first_however_unlike() -> None:
    both = [_candidate("a", Strength.DECISIVE), _candidate("b", Strength.SHOWN)]
    assert _codes(in_order(both, {"a": 0.0, "b": 1.0})) == ["a", "b"]


def test_a_slight_difference_does_not_outweigh_the_ground() -> None:
    both = [_candidate("a", Strength.SHOWN), _candidate("b", Strength.USUAL)]
    assert _codes(in_order(both, {"a": 0.2, "b": 0.6})) == ["a", "b"]


def test_what_is_overtaken_has_no_more_ground_than_what_overtook_it() -> None:
    first, second = in_order(
        [_candidate("a", Strength.STATED), _candidate("b", Strength.POSSIBLE)], {"a": 0.001, "b": 0.99}
    )
    assert (first.code, second.code) == ("b", "a")
    assert second.strength is first.strength is Strength.POSSIBLE


def test_what_comes_first_although_another_has_more_ground_says_why() -> None:
    open_ = [_candidate("a", Strength.STATED), _candidate("b", Strength.POSSIBLE), _candidate("c", Strength.POSSIBLE)]
    first, second, third = in_order(open_, {"a": 0.001, "b": 0.3, "c": 0.699})
    assert (first.code, second.code, third.code) == ("c", "a", "b")
    assert first.why.en.startswith("why c; most public reports")
    assert second.why == Message(en="why a", zh="为何 a")
    assert third.why == Message(en="why b", zh="为何 b")
    assert in_order(open_[:2], {"a": 0.99, "b": 0.01})[0].why == Message(en="why a", zh="为何 a")


def test_the_first_three_by_ground_stay_the_first_three() -> None:
    four = [_candidate(code, Strength.POSSIBLE) for code in "abcd"]
    assert _codes(in_order(four, {"a": 0.01, "b": 0.01, "c": 0.02, "d": 0.96})) == ["a", "b", "c", "d"]
    assert _codes(in_order(four, {"a": 0.01, "b": 0.01, "c": 0.96, "d": 0.02})) == ["c", "a", "b", "d"]


def test_of_causes_that_the_model_does_not_know_it_says_nothing_strong() -> None:
    candidates = [_candidate("rare", Strength.STATED), _candidate("b", Strength.USUAL)]
    assert _codes(in_order(candidates, {"b": 0.9})) == ["rare", "b"]
