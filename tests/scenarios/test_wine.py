"""Every scenario, judged by the real loader: Wine's, with the official CPython for Windows asking.

Source of truth: Wine's own behaviour, where it is Windows'.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.scenarios.collection import SCENARIOS
from tests.scenarios.scenario import Scenario, Wine, bases, lower
from tests.testbed.wine import LoadAnswer, WineMachine

pytestmark = pytest.mark.wine
JUDGED = [scenario for scenario in SCENARIOS if scenario.wine is not Wine.NO_JUDGE]


@pytest.fixture(params=JUDGED, ids=lambda scenario: scenario.name)
def scenario(request: pytest.FixtureRequest, machine: WineMachine) -> Iterator[Scenario]:
    """The scenario, laid out in the machine."""
    chosen: Scenario = request.param
    for key, values in chosen.registry.items():
        machine.registry(key, values)
    laid = chosen.lay_out(machine.host)
    yield chosen
    for place in reversed(laid):
        if place.is_dir():
            place.rmdir()
        else:
            place.unlink()
    for key, values in chosen.registry.items():
        machine.registry(key, dict.fromkeys(values))


def test_wine_agrees(scenario: Scenario, machine: WineMachine) -> None:
    answer = machine.load_all([scenario.question()])[0]
    symbols = answer.trace.symbols
    if scenario.wine is Wine.SYMBOLS:
        expected = scenario.expected.symbols if scenario.expected.stubs is None else scenario.expected.stubs
        assert lower(symbols) == lower(expected or ())
        return
    missing = roots(scenario, answer)
    assert scenario.disagreement(answer.winerror, answer.modules, missing, symbols) == [], answer


def roots(scenario: Scenario, answer: LoadAnswer) -> list[str] | None:
    """Names that no file was found for, without those that only wanted such a one; None where Wine does not tell."""
    names = [name for name, _ in answer.trace.missing]
    needers = bases([importer for _, importer in answer.trace.missing])
    gone = [name for name in names if name.lower() not in needers]
    return gone if gone or answer.winerror == 0 else None


def test_wine_is_asked_nearly_always() -> None:
    assert len(JUDGED) >= 0.8 * len(SCENARIOS)


def test_names_are_unique() -> None:
    names: list[str] = [scenario.name for scenario in SCENARIOS]
    assert len(names) == len(set(names))


def test_every_scenario_names_rules() -> None:
    assert all(scenario.rules for scenario in SCENARIOS)
