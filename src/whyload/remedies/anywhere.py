"""Remedies for a machine that only a text tells of: commands as one types them there."""

from __future__ import annotations

from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.knowledge.libraries import RemedyEntry, identify
from whyload.knowledge.suspects import known_packages
from whyload.remedies.model import Remedy, Safety

_PLAIN = regular(r"[\w@+=:,./\\~][\w@+=:,./\\~-]*")
_SPACED = regular(r"[\w@+=:,./\\~][\w@+=:,./\\~ ()\[\]-]*[\w)\]]")


def word(value: str | None, otherwise: str = "FILE") -> str:
    """A value of the text as one word of a command: strangers wrote the text, and a shell must find nothing in it."""
    if value is None:
        return otherwise
    if _PLAIN.fullmatch(value):
        return value
    return f'"{value}"' if _SPACED.fullmatch(value) else otherwise


def for_dll(name: str, *, conda: bool = False) -> tuple[Remedy, ...]:
    """What the knowledge base has for a DLL of that name."""
    library = identify(name)
    if library is None:
        return ()
    found = (_filled(entry, conda) for entry in library.remedies if entry.when is None)
    return tuple(remedy for remedy in found if remedy is not None)


def _filled(entry: RemedyEntry, conda: bool) -> Remedy | None:
    commands = entry.conda_commands if conda and entry.conda_commands else entry.commands
    filled = tuple(command.replace("{python}", "python") for command in commands)
    if any("{" in command for command in filled):
        return None  # it is about a package that the text does not name
    return Remedy(
        id=entry.id, title=Message(en=entry.title, zh=entry.title_zh), safety=Safety(entry.safety), commands=filled
    )


def advise(identifier: str, en: str, zh: str, *commands: str, safety: Safety = Safety.BY_HAND) -> Remedy:
    """One step in words, with the commands that make it."""
    return Remedy(id=identifier, title=Message(en=en, zh=zh), safety=safety, commands=commands)


def reinstall(distribution: str, requirement: str | None = None) -> Remedy:
    """The package again, not from a cache."""
    wanted = requirement or distribution
    return advise(
        "reinstall",
        f"reinstall {wanted}",
        f"重新安装 {wanted}",
        f"python -m pip install --force-reinstall --no-cache-dir {wanted}",
        safety=safety_of_installing(distribution),
    )


def safety_of_installing(distribution: str) -> Safety:
    """A name that only the text brings is not installed unasked: a stranger may have put it there."""
    return Safety.SAFE if distribution in known_packages() else Safety.BY_HAND


def other_release(distribution: str, release: str) -> Remedy:
    """Another release of the package."""
    return advise(
        f"upgrade-{distribution}",
        f"install {distribution}=={release}",
        f"安装 {distribution}=={release}",
        f"python -m pip install {distribution}=={release}",
        safety=Safety.SAFE,
    )
