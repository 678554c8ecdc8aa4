"""Which world a question is about."""

from __future__ import annotations

from collections.abc import Mapping

from whyload.base.dataclass import dataclass
from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whyload.base.typing import Any
    from whyload.world.model import World
    from whyload.world.snapshot.provider import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldChoice:
    """What the person said of the machine; nothing at all means this one."""

    python: str | None = None
    root: str | None = None
    world: str | None = None
    snapshot: str | None = None
    timeout: float = 120.0

    @property
    def is_live(self) -> bool:
        """This very machine is meant."""
        return self.root is None and self.snapshot is None


def choice_of(arguments: Mapping[str, Any]) -> WorldChoice:
    """The choice out of a command's arguments. Raises UsageError where they contradict one another."""
    choice = WorldChoice(
        python=arguments.get("python"),
        root=arguments.get("root"),
        world=arguments.get("world"),
        snapshot=arguments.get("snapshot"),
        timeout=arguments.get("timeout", 120.0),
    )
    if choice.world is not None and choice.root is None:
        raise UsageError(
            Message(
                en="--world describes the machine of --root; give both",
                zh="--world 描述的是 --root 那台机器；两者要一起使用",
            )
        )
    if choice.python is not None and choice.root is not None:
        raise UsageError(
            Message(
                en="--python is for this machine; with --root the world file names the interpreter",
                zh="--python 只用于本机；使用 --root 时，解释器由机器描述文件指定",
            )
        )
    if choice.snapshot is not None and (choice.root is not None or choice.python is not None):
        raise UsageError(
            Message(
                en="--snapshot is a machine of its own; leave --root and --python out",
                zh="--snapshot 本身就是一台机器；请去掉 --root 和 --python",
            )
        )
    return choice


def open_world(choice: WorldChoice) -> World:
    """The world of a choice that is not live."""
    if choice.snapshot is not None:
        from whyload.world.snapshot.provider import open_snapshot

        return recorded_world(open_snapshot(choice.snapshot))
    from whyload.world.folder import open_folder_world

    if choice.root is None:
        raise UsageError(Message(en="no folder is given", zh="没有指定目录"))
    return open_folder_world(choice.root, choice.world or None)


def recorded_world(snapshot: Snapshot) -> World:
    """The machine of a snapshot, with the start-ups that were read there."""
    from whyload.base.dataclass import replace
    from whyload.startup.recorded import RecordedStartups

    return replace(snapshot.world, readings=RecordedStartups(snapshot.raw("startups")))
