"""Reads a command of pip out of the knowledge base as the changes that it makes."""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.remedies.change import Change, InstallDistributions, RemoveDistribution
from whyload.remedies.model import Remedy
from whyload.remedies.safety import Safety

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_AGAIN = frozenset({"--force-reinstall"})
_ALONE = frozenset({"--no-deps"})
_UPGRADE = frozenset({"-U", "--upgrade"})
_KNOWN = _AGAIN | _ALONE | _UPGRADE | {"-y", "--no-cache-dir", "--only-binary=:all:"}


def with_changes(remedy: Remedy) -> Remedy:
    """A remedy whose commands are all pip's, with what they change; others as they are."""
    if remedy.changes or remedy.safety is Safety.BY_HAND or not remedy.commands:
        return remedy
    changes = changes_of(remedy.commands)
    return replace(remedy, changes=changes) if changes else remedy


def changes_of(commands: Iterable[str]) -> tuple[Change, ...]:
    """The changes of some commands in order; none where one of them is not pip's, or has an option not known here."""
    found: list[Change] = []
    for command in commands:
        change = _changes(command)
        if not change:
            return ()
        found += change
    return tuple(found)


def _changes(command: str) -> list[Change]:
    if " -m pip " not in command:
        return []
    import shlex

    words = shlex.split(command.replace("\\", "\\\\"))
    if "pip" not in words or words[: words.index("pip")][-1:] != ["-m"]:
        return []
    action, *rest = words[words.index("pip") + 1 :]
    options = {word for word in rest if word.startswith("-")}
    names = [word for word in rest if not word.startswith("-")]
    if options - _KNOWN or not names:
        return []
    if action == "uninstall":
        return [RemoveDistribution(distribution=name) for name in names]
    if action != "install":
        return []
    return [
        InstallDistributions(
            requirements=tuple(names),
            again=bool(options & _AGAIN),
            upgrade=bool(options & _UPGRADE),
            dependencies=not options & _ALONE,
        )
    ]
