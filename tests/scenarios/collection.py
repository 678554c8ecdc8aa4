"""All scenarios.

Source of truth: the modules that hold them.
"""

from __future__ import annotations

from tests.scenarios import binding, names, search
from tests.scenarios.scenario import Scenario

SCENARIOS: list[Scenario] = [*names.SCENARIOS, *search.SCENARIOS, *binding.SCENARIOS]
