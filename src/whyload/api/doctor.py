"""`doctor`: a whole environment, of this machine or of a described one."""

from __future__ import annotations

from collections.abc import Callable

from whyload.api.worlds import WorldChoice, open_world
from whyload.base.redaction import Redaction
from whyload.engine.doctor.ask import ask_doctor as ask
from whyload.findings.report import Report
from whyload.world.model import World


def ask_doctor(
    choice: WorldChoice, tell: Callable[[int, int, str], None], *, contents: bool = False
) -> tuple[Report, Redaction]:
    """Examine the environment; `tell` is told how far it is. Also what must not leave the machine in texts.

    `contents`: compare native files with the hashes of RECORD, which reads all of them.
    """
    world = _world(choice)
    return ask(world, tell, contents=contents), redaction_of(world)


def redaction_of(world: World) -> Redaction:
    """What the world gives away of the person and the machine."""
    texts = [str(path) for path in (world.process.cwd, world.python.executable, world.python.prefix)]
    return Redaction.of_environment(world.environment, texts=texts)


def _world(choice: WorldChoice) -> World:
    if not choice.is_live:
        return open_world(choice)
    from whyload.api.live import live_world

    return live_world(choice, thorough=True)
