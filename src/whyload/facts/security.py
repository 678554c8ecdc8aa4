"""What Windows' own logs say of one file: taken by Defender, refused by a policy.

Sources: Microsoft, "Review event logs and error codes to troubleshoot issues with Microsoft Defender Antivirus" (1116,
1117, 1121), "Understanding App Control event IDs" (3033, 3077; 3076 only audits). Paths stand there with a drive letter
or as `\\Device\\HarddiskVolume3\\...`.
"""

from __future__ import annotations

from whyload.base.paths import WinPath
from whyload.world.measured import LogEvent
from whyload.world.model import World

_DEFENDER = "windows defender"
_TAKEN = frozenset({1116, 1117, 1121})
_CODE_INTEGRITY = "codeintegrity"
_BLOCKED = frozenset({3033, 3077})


def taken_by_defender(world: World, path: WinPath) -> LogEvent | None:
    """The newest event in which Defender names the file."""
    return _event(world, path, _DEFENDER, _TAKEN)


def blocked_by_policy(world: World, path: WinPath) -> LogEvent | None:
    """The newest event in which Code Integrity refuses the file."""
    return _event(world, path, _CODE_INTEGRITY, _BLOCKED)


def threat_name(event: LogEvent) -> str | None:
    """What Defender calls it."""
    return event.data.get("Threat Name") or None


def _event(world: World, path: WinPath, log: str, numbers: frozenset[int]) -> LogEvent | None:
    below_drive = path.key.partition(":")[2] or path.key
    for event in world.measured.events or ():
        if log in event.log.lower() and event.event_id in numbers and _names(event, below_drive):
            return event
    return None


def _names(event: LogEvent, below_drive: str) -> bool:
    return any(_ends(value.lower().replace("/", "\\"), below_drive) for value in event.data.values())


def _ends(value: str, below_drive: str) -> bool:
    """The path as a whole: not the beginning of a longer name."""
    place = value.find(below_drive)
    after = value[place + len(below_drive) :][:1]
    return place >= 0 and (not after or after in ";,\"' ")
