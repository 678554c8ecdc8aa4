"""Loads that succeed as far as files decide and are known to end badly: would the program notice?"""

from __future__ import annotations

from whyload.engine.simulate import started_process
from whyload.facts.case import Case
from whyload.facts.runtimes import RuntimeTooOld, old_runtimes
from whyload.loader.windows.playback import play
from whyload.observe.events import Event
from whyload.world.model import World


def surfacing(world: World, events: tuple[Event, ...], case: Case) -> list[RuntimeTooOld]:
    """The first old runtime whose user, if it does not start, ends the program.

    A load in a `try:` may be lived without: the program is played again with that load failing.
    """
    if case.playback.failure is not None:
        return []
    for hazard in old_runtimes(case):
        if not hazard.load.optional:
            return [hazard]
        again = play(started_process(world), events, frozenset({hazard.load.event.name}))
        if again.failure is not None:
            return [hazard]
    return []
