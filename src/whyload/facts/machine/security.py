"""Security products, and what they and Windows' own policies did to files.

Sources: those of facts/security.py for the events; the source SideBySide in the log Application. Products register
themselves below Security Center's key; the second byte of the state says whether a product runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from whyload.base.dataclass import dataclass, field
from whyload.base.paths import WinPath
from whyload.base.regular import regular
from whyload.facts.machine.sources import Sources, number, text
from whyload.facts.security import FOUND, is_of_defender, is_refusal, threat_name, would_be_refusal
from whyload.world.measured import LogEvent
from whyload.world.model import World

_PRODUCTS = "HKLM\\SOFTWARE\\Microsoft\\Security Center\\Provider\\Av"
_SIDE_BY_SIDE = (33, 35, 59, 80)
_RUNNING = 0x1000
_FILE = regular(r"(?:file|containerfile):_?([A-Za-z]:\\[^;|>]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityProduct:
    """A product that registered with Windows; `active` is None where its state is not known."""

    name: str
    active: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """Security software or a policy and one file."""

    path: WinPath
    threat: str
    action: str
    time: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityFacts:
    """None: not known; `unknown` says why."""

    products: tuple[SecurityProduct, ...] | None = None
    detections: tuple[Detection, ...] | None = None
    """Of Microsoft Defender, newest first."""
    blocked: tuple[Detection, ...] | None = None
    """Files that Code Integrity refused to load."""
    side_by_side: tuple[str, ...] | None = None
    """What the log says of manifests that name assemblies which are not installed."""
    read_from: Mapping[str, str] = field(default_factory=dict)
    unknown: Mapping[str, str] = field(default_factory=dict)


def security_facts(world: World) -> SecurityFacts:
    """What is known."""
    notes, events = Sources(), world.measured.events
    why = world.measured.unmeasured.get("events", "the event logs were not read")
    of_defender = None if events is None else tuple(item for event in events for item in _detections(event))
    blocked = None if events is None else tuple(item for event in events for item in _refusals(event))
    manifests = None if events is None else tuple(dict.fromkeys(filter(None, map(_manifest, events))))
    return SecurityFacts(
        products=notes.take("products", _products(world), _PRODUCTS),
        detections=notes.take("detections", of_defender, "event log of Microsoft Defender", why),
        blocked=notes.take("blocked", blocked, "event log of Code Integrity", why),
        side_by_side=notes.take("side_by_side", manifests, "event log Application", why),
        read_from=notes.read_from,
        unknown=notes.unknown,
    )


def _products(world: World) -> tuple[SecurityProduct, ...] | None:
    names = world.registry.subkeys(_PRODUCTS)
    if names is None:
        return None
    found = []
    for name in names:
        values = world.registry.values(f"{_PRODUCTS}\\{name}")
        state = number(values, "STATE")
        shown = text(values, "DISPLAYNAME") or name
        found.append(SecurityProduct(name=shown, active=None if state is None else state & 0xF000 == _RUNNING))
    return tuple(found)


def _detections(event: LogEvent) -> Iterator[Detection]:
    if not is_of_defender(event):
        return
    data = event.data
    for path in _FILE.findall(data.get("Path", "")) or [data.get("Path", "")]:
        if WinPath(path).is_absolute:
            yield Detection(
                path=WinPath(path),
                threat=threat_name(event) or data.get("ID", ""),
                action=data.get("Action Name", "") or ("found" if event.event_id == FOUND else "blocked"),
                time=event.time,
            )


def _refusals(event: LogEvent) -> Iterator[Detection]:
    would_be = would_be_refusal(event)
    if not would_be and not is_refusal(event):
        return
    file = event.data.get("File Name") or event.data.get("FileNameBuffer") or ""
    action = "would have been blocked" if would_be else "blocked"
    threat = event.data.get("PolicyName") or event.data.get("Policy Name") or ""
    yield Detection(path=_dos_path(file), threat=threat, action=action, time=event.time)


def _dos_path(native: str) -> WinPath:
    """`\\Device\\HarddiskVolume3\\x`: which letter the volume has is not known, mostly it is C."""
    return WinPath(re.sub(r"^\\Device\\HarddiskVolume\d+\\", r"C:\\", native, flags=re.IGNORECASE))


def _manifest(event: LogEvent) -> str | None:
    if event.log != "Application" or event.event_id not in _SIDE_BY_SIDE:
        return None
    return "; ".join(value for value in event.data.values() if value) or None
