"""What Windows' programs print: event logs and the display driver's tool."""

from __future__ import annotations

import pytest

from whyload.world.live.eventlog import WATCHED, parse_events
from whyload.world.live.nvidia import parse_nvidia
from whyload.world.measured import Gpu, NvidiaDriver

DEFENDER = "Microsoft-Windows-Windows Defender/Operational"
EVENT = """<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><Provider
 Name='Microsoft-Windows-Windows Defender' Guid='{11CD958A-C507-4EF3-B3F2-5FD9DFBD2C78}'/><EventID>1117</EventID>
<Version>0</Version><TimeCreated SystemTime='2024-08-01T10:20:30.123Z'/></System><EventData>
<Data Name='Threat Name'>Trojan:Win32/Wacatac.B!ml</Data><Data Name='Path'>file:_C:\\Python\\x.dll</Data>
<Data Name='Empty'></Data></EventData></Event>"""
SIDE_BY_SIDE = """<Event xmlns="http://schemas.microsoft.com/win/2004/08/events/event"><System><Provider
 Name="SideBySide"/><EventID Qualifiers='49409'>33</EventID></System>
<EventData><Data>Microsoft.VC90.CRT</Data><Data>C:\\a.pyd
</Data></EventData></Event>"""


def test_events() -> None:
    (event,) = parse_events(f"\r\n{EVENT}\r\n", DEFENDER)
    assert (event.log, event.provider, event.event_id) == (DEFENDER, "Microsoft-Windows-Windows Defender", 1117)
    assert event.time == "2024-08-01T10:20:30.123Z"
    assert event.data["Path"] == "file:_C:\\Python\\x.dll"
    assert event.data["Threat Name"] == "Trojan:Win32/Wacatac.B!ml"


def test_unnamed_data_and_several_events() -> None:
    events = parse_events(SIDE_BY_SIDE + EVENT, "Application")
    assert [event.event_id for event in events] == [33, 1117]
    assert events[0].data == {"0": "Microsoft.VC90.CRT", "1": "C:\\a.pyd"}


@pytest.mark.parametrize(
    "text",
    ["", "no events", "<Event", "<Event><System></Event>", "<Event><System><EventID>x</EventID></System></Event>"],
)
def test_what_is_no_event_is_passed_over(text: str) -> None:
    assert parse_events(text, "Application") == ()


def test_every_log_has_a_query() -> None:
    assert WATCHED["Application"] == (
        "*[System[Provider[@Name='SideBySide'] and (EventID=33 or EventID=35 or EventID=59 or EventID=80)]]"
    )


def test_the_display_driver() -> None:
    text = """<?xml version="1.0" ?><!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
<nvidia_smi_log><timestamp>x</timestamp><driver_version>537.58</driver_version><cuda_version>12.2</cuda_version>
<attached_gpus>1</attached_gpus><gpu id="00000000:01:00.0"><product_name>NVIDIA GeForce RTX 3060</product_name>
<fb_memory_usage><total>12288 MiB</total></fb_memory_usage></gpu><gpu id="2"><product_name>T</product_name></gpu>
</nvidia_smi_log>"""
    gpus = (Gpu(name="NVIDIA GeForce RTX 3060", memory=12288), Gpu(name="T"))
    assert parse_nvidia(text) == NvidiaDriver(version="537.58", cuda="12.2", gpus=gpus)


def test_a_driver_that_does_not_answer_in_its_format() -> None:
    with pytest.raises(ValueError, match="nvidia-smi"):
        parse_nvidia("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.")
