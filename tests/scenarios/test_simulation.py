"""Every scenario, judged by whyload's own simulation, through its command line.

Source of truth: what each scenario expects, which is the vendor's documentation confirmed by Wine.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

from tests.scenarios.collection import SCENARIOS
from tests.scenarios.scenario import Scenario
from tests.scenarios.simulated import drive_path

SIMULATED = [scenario for scenario in SCENARIOS if scenario.simulation]


@pytest.mark.parametrize("scenario", SIMULATED, ids=lambda scenario: scenario.name)
def test_simulation_agrees(scenario: Scenario, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root, world = tmp_path / "C", tmp_path / "world.json"
    scenario.lay_out(lambda path: drive_path(root, path))
    world.write_text(scenario.world(), encoding="utf-8")
    options = ["--root", str(root), "--world", str(world), "--json", "--flags", hex(scenario.flags)]
    main = importlib.import_module("whyload.cli.main").main

    status = main(["load", *options, scenario.ask])

    load = json.loads(capsys.readouterr().out)["load"]
    symbols = [(dll, function, importer) for dll, function, importer in load["missing_symbols"]]
    assert scenario.disagreement(load["winerror"], load["modules"], load["missing"], symbols) == []
    assert status == (0 if load["winerror"] == 0 else 1)
