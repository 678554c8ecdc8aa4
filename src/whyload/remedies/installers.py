"""How the environment's own installer says a remedy: uv's words in an environment of uv's, and a word on lock files.

Sources: uv's documentation ("The pip interface": `uv pip install --python`, `--reinstall`), and those of Poetry and PDM
(`poetry add`, `pdm add`, `uv add` write the lock).
"""

from __future__ import annotations

import re

from whyload.base.dataclass import replace
from whyload.base.message import Message
from whyload.remedies.change import InstallDistributions
from whyload.remedies.model import Remedy
from whyload.world.model import Presence, World, WorldKind, read_text

_PIP = re.compile(r'(?P<python>"[^"]+"|\S+) -m pip (?P<action>install|uninstall)(?P<rest> .*)')
_LOCKS = {"poetry.lock": ("Poetry", "poetry add"), "pdm.lock": ("PDM", "pdm add"), "uv.lock": ("uv", "uv add")}


def as_said_there(remedy: Remedy, world: World) -> Remedy:
    """The remedy with the commands of the environment's installer."""
    if not remedy.commands or world.kind is WorldKind.REQUIREMENT or not _is_of_uv(world):
        return remedy
    return replace(remedy, commands=tuple(map(_for_uv, remedy.commands)))


def _is_of_uv(world: World) -> bool:
    """uv writes its version into the `pyvenv.cfg` of an environment that it makes."""
    venv = world.python.venv
    text = read_text(world.files, venv / "pyvenv.cfg", 1 << 16) if venv is not None else None
    return re.search(r"(?m)^uv\s*=", text or "") is not None


def _for_uv(command: str) -> str:
    match = _PIP.fullmatch(command)
    if match is None:
        return command
    rest = match["rest"].replace(" -y", "").replace("--force-reinstall", "--reinstall")
    rest = rest.replace("--no-cache-dir", "--no-cache")
    return f"uv pip {match['action']} --python {match['python']}{rest}"


def lock_hint(remedy: Remedy, world: World) -> Message | None:
    """What to do so that the project's lock file does not take the remedy back; None where there is no lock."""
    wanted = [text for c in remedy.changes if isinstance(c, InstallDistributions) for text in c.requirements]
    if not wanted or all(c.only_damaged or c.again for c in remedy.changes if isinstance(c, InstallDistributions)):
        return None
    folders = (world.process.cwd, world.python.prefix.parent)
    for name, (tool, command) in _LOCKS.items():
        for folder in folders:
            if world.files.presence(folder / name) is Presence.FILE:
                asked = f"{command} {' '.join(repr(text) for text in wanted)}"
                return Message(
                    en=f"`{folder / name}` is managed by {tool}: run `{asked}` too, or the next sync reverts this",
                    zh=f"`{folder / name}` 由 {tool} 管理：请同时运行 `{asked}`，否则下次同步会撤销这一改动",
                )
    return None
