"""Commands of pip and the changes that they make: read out of the knowledge base, and written for a person."""

from __future__ import annotations

from whyload.base.dataclass import replace
from whyload.remedies.change import Change, InstallDistributions, RemoveDistribution
from whyload.remedies.safety import Safety

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from whyload.remedies.model import Remedy

_AGAIN = frozenset({"--force-reinstall"})
_ALONE = frozenset({"--no-deps"})
_UPGRADE = frozenset({"-U", "--upgrade"})
_KNOWN = _AGAIN | _ALONE | _UPGRADE | {"-y", "--no-cache-dir", "--only-binary=:all:"}


def command_of(change: Change, pip: str) -> str | None:
    """What a person types for a change; `pip` is how pip is called there. None where it is nothing of pip's."""
    if isinstance(change, RemoveDistribution):
        return f"{pip} uninstall -y {change.distribution}"
    if not isinstance(change, InstallDistributions):
        return None
    anew = change.again or change.only_damaged
    options = {
        "--upgrade": change.upgrade,
        "--force-reinstall": anew,
        "--no-deps": not change.dependencies,
        "--no-cache-dir": anew,
    }
    given = [option for option, wanted in options.items() if wanted]
    return " ".join([pip, "install", *given, *map(as_one_word, change.requirements)])


def as_one_word(requirement: str) -> str:
    """A requirement as a shell takes it for one word, and for nothing else."""
    return f'"{requirement}"' if set(requirement) & set("<>!~*;[] ") else requirement


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
