"""The simulation against Wine's stored answers for random worlds, and a few of those worlds put to Wine once more.

Source of truth: answers.json, made by `python -m tests.scenarios.random_worlds`.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.scenarios.random_worlds import MODES, World, answered, load_answers
from tests.scenarios.scenario import Expected, bases
from tests.scenarios.simulated import ask_batch, drive_path
from tests.testbed.wine import WineMachine

ANSWERS = load_answers(Path(__file__).with_name("answers.json"))


def allowed_errors(answer: dict[str, Any]) -> frozenset[int]:
    """What Windows may say where Wine has said this."""
    if answer.get("symbols") and answer["error"] == 0:
        return frozenset({126, 127, 182})  # Wine puts stubs; the code of a broken forwarder is not established
    if answer["error"] == 126 and answer.get("bad"):
        # behind an import Wine turns a bad image into 126; with both, Windows gives the one it meets first
        return frozenset({126, 193} if answer.get("missing") else {193})
    return frozenset({answer["error"]})


def complaint(world: World, answer: dict[str, Any], load: dict[str, Any]) -> str | None:
    """How a simulated load differs from what Wine's answer allows."""
    if load["winerror"] not in allowed_errors(answer):
        return f"error {load['winerror']} instead of {sorted(allowed_errors(answer))}"
    if load["winerror"] == 0:
        names = bases(world.files)
        own = {path.lower() for path in load["modules"] if bases([path]) <= names}
        if own != set(answer["modules"]):
            return f"in the process: {sorted(own)} instead of {answer['modules']}"
    if load["winerror"] == 126 and answer.get("missing") and not answer.get("symbols"):
        named = bases(load["missing"])
        if not named or not named <= set(answer["missing"]):
            return f"missing {sorted(named)} instead of (some of) {answer['missing']}"
    return None


def test_the_answers_are_about_these_worlds() -> None:
    assert {seed: modes["world"]["fingerprint"] for seed, modes in ANSWERS.items()} == {
        seed: World(seed).fingerprint() for seed in ANSWERS
    }


def test_the_answers_are_of_many_kinds() -> None:
    given = [modes[mode] for modes in ANSWERS.values() for mode in MODES]
    errors = Counter(answer["error"] for answer in given)
    assert errors[0] > 200
    assert errors[126] > 200
    assert errors[193] > 5
    assert sum("symbols" in answer for answer in given) > 10


def test_simulation_agrees_with_wine(tmp_path: Path) -> None:
    questions, asked = [], {}
    for seed, modes in ANSWERS.items():
        world, root, file = World(seed), tmp_path / str(seed) / "C", tmp_path / str(seed) / "world.json"
        scenarios = {mode: world.scenario(mode) for mode in MODES}
        scenarios["import"].lay_out(lambda path, root=root: drive_path(root, path))  # type: ignore[misc]
        file.write_text(scenarios["import"].world(), encoding="utf-8")
        for mode, scenario in scenarios.items():
            if any(modes[mode].get("preload", [])):
                continue  # what a failed preload leaves behind is Wine's own affair
            here = {"id": scenario.name, "root": str(root), "world": str(file)}
            questions.append({**here, "file": scenario.ask, "flags": hex(scenario.flags)})
            asked[scenario.name] = (world, modes[mode])
    loads = ask_batch(questions)
    complaints = {
        name: said for name, (world, answer) in asked.items() if (said := complaint(world, answer, loads[name]))
    }
    assert complaints == {}, f"{len(complaints)} of {len(asked)}"


@pytest.mark.wine
@pytest.mark.parametrize("seed", sorted(ANSWERS)[:: len(ANSWERS) // 6])
def test_wine_still_says_so(seed: int, machine: WineMachine) -> None:
    assert json.loads(json.dumps(answered(World(seed), machine))) == ANSWERS[seed]


def test_questions_of_a_world_differ_in_the_call_only() -> None:
    scenarios = [World(1).scenario(mode) for mode in MODES]
    assert {scenario.world() for scenario in scenarios} == {scenarios[0].world()}
    assert {(scenario.ask, scenario.flags) for scenario in scenarios} >= {(World(1).root, 0x1100), (World(1).bare, 0)}
    assert all(scenario.expected == Expected() for scenario in scenarios)
