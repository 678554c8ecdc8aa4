"""Events of Windows' logs that tell why a library was refused, as `wevtutil qe … /f:xml` prints them.

Sources: Microsoft, "Review event logs and error codes to troubleshoot issues with Microsoft Defender Antivirus" (1116,
1117, 1121), "Understanding App Control event IDs" (3033, 3076, 3077), and the events of the
source SideBySide (33, 35, 59, 80).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from whyload.base.regular import regular
from whyload.world.measured import LogEvent


def _query(*numbers: int, provider: str = "") -> str:
    named = f"Provider[@Name='{provider}'] and " if provider else ""
    return f"*[System[{named}({' or '.join(f'EventID={number}' for number in numbers)})]]"


WATCHED = {
    "Microsoft-Windows-Windows Defender/Operational": _query(1116, 1117, 1121),
    "Microsoft-Windows-CodeIntegrity/Operational": _query(3033, 3076, 3077),
    "Application": _query(33, 35, 59, 80, provider="SideBySide"),
}
"""Logs and the events asked for."""
_EVENT = regular(r"<Event[ >].*?</Event>", re.DOTALL)
_SPACE = "{http://schemas.microsoft.com/win/2004/08/events/event}"
_LONGEST = 4 << 20


def parse_events(text: str, log: str) -> tuple[LogEvent, ...]:
    """The events in the output of `wevtutil`; what is no event there is passed over."""
    return tuple(_parsed(text[:_LONGEST], log))


def _parsed(text: str, log: str) -> Iterator[LogEvent]:
    for match in _EVENT.finditer(text):
        try:
            event = ElementTree.fromstring(match[0])
        except ElementTree.ParseError:
            continue
        number = event.findtext(f"{_SPACE}System/{_SPACE}EventID") or ""
        if number.isascii() and number.isdigit():
            provider = event.find(f"{_SPACE}System/{_SPACE}Provider")
            created = event.find(f"{_SPACE}System/{_SPACE}TimeCreated")
            yield LogEvent(
                log=log,
                provider=provider.get("Name", "") if provider is not None else "",
                event_id=int(number),
                time=created.get("SystemTime", "") if created is not None else "",
                data=_data(event),
            )


def _data(event: ElementTree.Element) -> dict[str, str]:
    items = event.findall(f"{_SPACE}EventData/{_SPACE}Data")
    return {item.get("Name") or str(index): (item.text or "").strip() for index, item in enumerate(items)}
