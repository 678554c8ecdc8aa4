"""Remedies that pip carries out: the command that a person types is written from the change that whyload makes."""

from __future__ import annotations

from whyload.base.message import Message
from whyload.remedies.change import Change, InstallDistributions, RemoveDistribution
from whyload.remedies.commands import command_of
from whyload.remedies.model import Remedy, Safety
from whyload.world.model import PythonInstallation, World, WorldKind


def pip(python: PythonInstallation, world: World) -> str:
    """How pip is called in that environment; a plain `python` where it is only described."""
    if world.kind is WorldKind.REQUIREMENT:
        return "python -m pip"
    executable = python.venv / "Scripts\\python.exe" if python.venv else python.executable
    text = f'"{executable}"' if " " in executable.text else executable.text
    return f"{text} -m pip"


def with_pip(world: World, identifier: str, title: Message, *changes: Change, safety: Safety = Safety.SAFE) -> Remedy:
    """A remedy of these changes."""
    commands = (command_of(change, pip(world.python, world)) for change in changes)
    return Remedy(id=identifier, title=title, safety=safety, commands=tuple(filter(None, commands)), changes=changes)


def install(
    world: World, wanted: str, en: str, zh: str, *, identifier: str | None = None, safety: Safety = Safety.SAFE
) -> Remedy:
    """Have a release that fits the requirement."""
    change = InstallDistributions(requirements=(wanted,))
    return with_pip(world, identifier or f"install-{wanted}", Message(en=en, zh=zh), change, safety=safety)


def upgrade(world: World, distribution: str, identifier: str, *, safety: Safety) -> Remedy:
    """A later release than the one that is installed."""
    change = InstallDistributions(requirements=(distribution,), upgrade=True)
    return with_pip(world, identifier, change.text, change, safety=safety)


def again(world: World, pin: str) -> Remedy:
    """That very release once more, alone and not from a cache."""
    change = InstallDistributions(requirements=(pin,), again=True, dependencies=False)
    return with_pip(world, "reinstall", Message(en=f"reinstall {pin}", zh=f"重新安装 {pin}"), change)


def remove(world: World, distribution: str, title: Message) -> Remedy:
    """Take a distribution out."""
    change = RemoveDistribution(distribution=distribution)
    return with_pip(world, f"remove-{distribution}", title, change, safety=Safety.ASKS_FIRST)
