"""The simulation against Wine's stored answers for random worlds, and a few of those worlds put to Wine once more.

Source of truth: answers.json, made by `python -m tests.scenarios.wine_answers`.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.scenarios.differences import allowed_errors
from tests.scenarios.random_worlds import MODES, ODD, World
from tests.scenarios.scenario import Expected
from tests.scenarios.wine_answers import answered, differences, load_answers
from tests.testbed.wine import WineMachine

ANSWERS = load_answers(Path(__file__).with_name("answers.json"))


def test_the_answers_are_about_these_worlds() -> None:
    assert {seed: modes["world"]["fingerprint"] for seed, modes in ANSWERS.items()} == {
        seed: World(seed).fingerprint() for seed in ANSWERS
    }


def test_the_answers_are_of_many_kinds() -> None:
    """What Windows would say, as far as one answer is possible."""
    worlds = {seed: World(seed) for seed in ANSWERS}
    allowed = [
        allowed_errors(worlds[seed], answer)
        for seed, modes in ANSWERS.items()
        for mode, answer in modes.items()
        if mode != "world"
    ]
    errors = Counter(min(several) for several in allowed if len(several) == 1)
    assert errors[0] > 500
    assert errors[126] > 500
    for error in (87, 127, 182, 193, 1114):
        assert errors[error] > 10, error


def test_simulation_agrees_with_wine(tmp_path: Path) -> None:
    found, asked = differences(ANSWERS, tmp_path)
    assert asked > 6 * len(ANSWERS)
    assert found == {}, f"{len(found)} of {asked}"


@pytest.mark.wine
def test_wine_still_says_so(machine: WineMachine) -> None:
    seeds = sorted(ANSWERS)[:: len(ANSWERS) // 8]
    again = answered([World(seed) for seed in seeds], machine)
    assert json.loads(json.dumps(again)) == {str(seed): ANSWERS[seed] for seed in seeds}


def test_questions_of_a_world_differ_in_the_call_only() -> None:
    world = World(1)
    scenarios = [world.scenario(mode) for mode in (*MODES, *ODD)]
    assert {scenario.world() for scenario in scenarios} == {scenarios[0].world()}
    assert {(scenario.ask, scenario.flags) for scenario in scenarios} >= {(world.root, 0x1100), (world.bare, 0)}
    assert all(scenario.expected == Expected() for scenario in scenarios)
