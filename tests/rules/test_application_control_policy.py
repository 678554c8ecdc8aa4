"""Cause: docs/causes.md `application-control-policy`; the text: pytorch/pytorch issue 182008."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, codes, healthy, only, saying
from whyload.world.measured import LogEvent, Measured

SAID = f'OSError: [WinError {{}}] An Application Control policy has blocked this file. Error loading "{MODULE}"'
BLOCKED = LogEvent(
    log="Microsoft-Windows-CodeIntegrity/Operational",
    provider="Microsoft-Windows-CodeIntegrity",
    event_id=3077,
    time="2026-01-01T00:00:00.0Z",
    data={"File Name": "\\Device\\HarddiskVolume3" + MODULE[2:], "PolicyName": "Firm"},
)


@pytest.mark.parametrize("number", [4551, 1260, 577])
def test_fires_for_the_numbers_of_policies(number: int) -> None:
    finding = only(ask(saying(healthy(), SAID.format(number))))
    assert (finding.code, str(finding.culprit), finding.object) == ("application-control-policy", MODULE, "_x.pyd")


def test_fires_for_refused_access_that_the_log_explains() -> None:
    machine = saying(healthy(), SAID.format(5), Measured(events=(BLOCKED,)))
    finding = only(ask(machine))
    assert finding.code == "application-control-policy"
    assert "Firm" in finding.notes[0].en


def test_stays_quiet_where_the_log_names_another_file() -> None:
    other = LogEvent(log=BLOCKED.log, provider="", event_id=3077, time="", data={"File Name": "C:\\other\\_x.pyd"})
    report = ask(saying(healthy(), SAID.format(5), Measured(events=(other,))))
    assert codes(report) == ["file-locked-or-permission"]


def test_an_unknown_log_decides_nothing() -> None:
    assert codes(ask(saying(healthy(), SAID.format(5)))) == ["file-locked-or-permission"]
