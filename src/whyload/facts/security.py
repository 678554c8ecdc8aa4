"""What Windows' own logs say of one file: taken by Defender, refused by a policy.

Sources: Microsoft, "Review event logs and error codes to troubleshoot issues with Microsoft Defender Antivirus" (1116,
1117, 1121), "Understanding App Control event IDs" (3033, 3077; 3076 only audits). Paths stand there with a drive letter
or as `\\Device\\HarddiskVolume3\\...`.
"""

from __future__ import annotations

from collections.abc import Callable

from whyload.base.typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.world.measured import LogEvent
    from whyload.world.model import World

FOUND = 1116
_TAKEN = frozenset({FOUND, 1117, 1121})
_BLOCKED = frozenset({3033, 3077})
_WOULD_BLOCK = 3076


def is_of_defender(event: LogEvent) -> bool:
    """Defender found or took a file, or one of its rules blocked it."""
    return event.event_id in _TAKEN and "windows defender" in event.log.lower()


def is_refusal(event: LogEvent) -> bool:
    """Code Integrity refused a file."""
    return event.event_id in _BLOCKED and _is_of_code_integrity(event)


def would_be_refusal(event: LogEvent) -> bool:
    """A policy that only takes notes would have refused the file."""
    return event.event_id == _WOULD_BLOCK and _is_of_code_integrity(event)


def _is_of_code_integrity(event: LogEvent) -> bool:
    return "codeintegrity" in event.log.lower()


def taken_by_defender(world: World, path: WinPath) -> LogEvent | None:
    """The newest event in which Defender names the file."""
    return _event(world, path, is_of_defender)


def blocked_by_policy(world: World, path: WinPath) -> LogEvent | None:
    """The newest event in which Code Integrity refuses the file."""
    return _event(world, path, is_refusal)


def threat_name(event: LogEvent) -> str | None:
    """What Defender calls it."""
    return event.data.get("Threat Name") or None


def _event(world: World, path: WinPath, concerns: Callable[[LogEvent], bool]) -> LogEvent | None:
    below_drive = path.key.partition(":")[2] or path.key
    return next((item for item in filter(concerns, world.measured.events or ()) if _names(item, below_drive)), None)


def _names(event: LogEvent, below_drive: str) -> bool:
    return any(_ends(value.lower().replace("/", "\\"), below_drive) for value in event.data.values())


def _ends(value: str, below_drive: str) -> bool:
    """The path as a whole: not the beginning of a longer name."""
    place = value.find(below_drive)
    after = value[place + len(below_drive) :][:1]
    return place >= 0 and (not after or after in ";,\"' ")
