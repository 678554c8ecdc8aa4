"""How the environment's own installer says a remedy: uv's words in an environment of uv's, conda's with the environment
that is meant, and a word on lock files.

Sources: conda's documentation (`conda install --prefix`); uv's ("The pip interface": `uv pip install --python`,
`--reinstall`), Poetry's, PDM's and Pipenv's (`poetry add`, `pdm add`, `uv add`, `pipenv install` write the lock).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whyload.base.dataclass import replace
from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.base.typing import TYPE_CHECKING
from whyload.remedies.change import InstallDistributions
from whyload.remedies.commands import as_one_word
from whyload.world.model import Presence, World, WorldKind, read_text

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.remedies.model import Remedy

_PIP = regular(r'(?P<python>"[^"]+"|\S+) -m pip (?P<action>install|uninstall)(?P<rest> .*)')
_LOCKS = {
    "poetry.lock": ("Poetry", "poetry add"),
    "pdm.lock": ("PDM", "pdm add"),
    "uv.lock": ("uv", "uv add"),
    "Pipfile.lock": ("Pipenv", "pipenv install"),
}


def as_said_there(remedy: Remedy, world: World) -> Remedy:
    """The remedy with the commands of the environment's installer."""
    if not remedy.commands or world.kind is WorldKind.REQUIREMENT:
        return remedy
    if any(command.startswith("conda ") for command in remedy.commands):
        return replace(remedy, commands=tuple(_for_prefix(command, world.python.prefix) for command in remedy.commands))
    if not _is_of_uv(world):
        return remedy
    return replace(remedy, commands=tuple(map(_for_uv, remedy.commands)))


def _is_of_uv(world: World) -> bool:
    """uv writes its version into the `pyvenv.cfg` of an environment that it makes."""
    venv = world.python.venv
    text = read_text(world.files, venv / "pyvenv.cfg", 1 << 16) if venv is not None else None
    return re.search(r"(?m)^uv\s*=", text or "") is not None


def _for_prefix(command: str, prefix: WinPath) -> str:
    """conda changes the environment that is active, unless another is named."""
    match = re.fullmatch(r"conda (?P<verb>install|update|remove) (?P<rest>.*)", command)
    if match is None or " -p " in command:
        return command
    named = f'"{prefix}"' if " " in prefix.text else prefix.text
    return f"conda {match['verb']} -p {named} {match['rest']}"


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
    folders = (world.process.cwd, *_above(world.process.cwd), world.python.prefix.parent)
    for folder in dict.fromkeys(folders):
        for name, (tool, command) in _LOCKS.items():
            if world.files.presence(folder / name) is Presence.FILE:
                asked = f"{command} {' '.join(map(as_one_word, wanted))}"
                return Message(
                    en=f"`{folder / name}` is managed by {tool}: run `{asked}` too, or the next sync reverts this",
                    zh=f"`{folder / name}` 由 {tool} 管理：请同时运行 `{asked}`，否则下次同步会撤销这一改动",
                )
    return None


def _above(folder: WinPath) -> Iterator[WinPath]:
    """The folders above one, the nearest first: a project's lock stands at its root."""
    while folder.parent != folder:
        folder = folder.parent
        yield folder
