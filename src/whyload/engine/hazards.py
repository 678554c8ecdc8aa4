"""Loads that succeed as far as files decide and are known to end badly: would the program notice?"""

from __future__ import annotations

from collections.abc import Sequence

from whyload.base.dataclass import replace
from whyload.base.typing import TYPE_CHECKING
from whyload.engine.simulate import started_process
from whyload.facts.numpy_builds import BuiltForOldNumpy, built_for_old_numpy
from whyload.facts.runtimes import RuntimeTooOld, old_runtimes
from whyload.loader.windows.playback import PlayedLoad, play

if TYPE_CHECKING:
    from whyload.facts.case import Case
    from whyload.observe.events import Event
    from whyload.world.model import World


def surfacing(world: World, events: tuple[Event, ...], case: Case) -> list[RuntimeTooOld | BuiltForOldNumpy]:
    """The first library that, if it does not start, ends the program: one with an old runtime, or of another NumPy.
    A module of another NumPy that the program may live without is kept, and marked.

    A load in a `try:` may be lived without: the program is played again with that load failing.
    """
    if case.playback.failure is not None:
        return []
    for hazard in old_runtimes(case):
        if _surfaces(world, events, (hazard.load,)):
            return [hazard]
    modules = built_for_old_numpy(case)
    surfaces = bool(modules) and _surfaces(world, events, [module.load for module in modules])
    return [replace(module, ends_the_run=surfaces) for module in modules[:1]]


def _surfaces(world: World, events: tuple[Event, ...], loads: Sequence[PlayedLoad]) -> bool:
    if not all(load.optional for load in loads):
        return True
    again = play(started_process(world), events, frozenset(load.event.name for load in loads))
    return again.failure is not None
