"""Cause: docs/causes.md `antivirus-quarantine`."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, healthy, module, only, saying
from tests.testbed.memory import SITE, record, world
from tests.testbed.pewriter import Dll
from whyload.base.dataclass import replace
from whyload.observe.events import ModuleStarted
from whyload.world.measured import LogEvent, Measured
from whyload.world.model import World

PLAYED = (ModuleStarted(module="pkg", file=None),)


def detection(path: str) -> Measured:
    event = LogEvent(
        log="Microsoft-Windows-Windows Defender/Operational",
        provider="Microsoft-Windows-Windows Defender",
        event_id=1117,
        time="2026-01-01T12:00:00.0Z",
        data={"Threat Name": "Trojan:Win32/Wacatac.B!ml", "Path": f"file:_{path}"},
    )
    return Measured(events=(event,))


def without(name: str) -> World:
    library = Dll(name="a.dll", exports={"f": 1})
    files = record("pkg", "1.0", {"pkg/_x.pyd": module({"a.dll": ["f"]}), "pkg/a.dll": library, "pkg/__init__.py": ""})
    del files[f"{SITE}\\pkg/{name}"]
    return world(files)


def test_fires_for_the_number() -> None:
    said = f'OSError: [WinError 225] Operation did not complete successfully. Error loading "{MODULE}"'
    finding = only(ask(saying(healthy(), said)))
    assert (finding.code, str(finding.culprit), finding.object) == ("antivirus-quarantine", MODULE, "_x.pyd")


def test_fires_for_a_gone_module_that_the_history_names() -> None:
    machine = replace(without("_x.pyd"), measured=detection(MODULE))
    finding = only(ask(machine, PLAYED))
    assert (finding.code, str(finding.culprit), finding.object) == ("antivirus-quarantine", MODULE, "_x.pyd")
    assert "Wacatac" in finding.notes[0].en


def test_fires_for_a_gone_library_that_the_history_names() -> None:
    machine = replace(without("a.dll"), measured=detection(f"{SITE}\\pkg\\a.dll"))
    finding = only(ask(machine))
    assert (finding.code, str(finding.culprit), finding.object) == ("antivirus-quarantine", MODULE, "a.dll")


def test_stays_quiet_where_the_history_names_another_file() -> None:
    machine = replace(without("a.dll"), measured=detection(f"{SITE}\\pkg\\a.dll.bak"))
    assert codes(ask(machine)) == ["corrupt-install"]


def test_an_unknown_history_decides_nothing() -> None:
    assert codes(ask(without("a.dll"))) == ["corrupt-install"]
    assert codes(ask(without("_x.pyd"), PLAYED)) == ["corrupt-install"]
