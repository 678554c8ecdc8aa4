"""Cause: docs/causes.md `build-failed`."""

from __future__ import annotations

from tests.rules.asking import ask, codes, healthy, only, saying

SAID = """[1/3] cl /showIncludes x.cpp
x.cpp(12): error C2039: 'foo': is not a member of 'at'
x.cpp(13): error C2065: 'bar': undeclared identifier
ninja: build stopped: subcommand failed.
RuntimeError: Error building extension 'bias_act_plugin'
"""


def test_fires_and_shows_the_first_error() -> None:
    finding = only(ask(saying(healthy(), SAID)))
    assert (finding.code, finding.object) == ("build-failed", "bias_act_plugin")
    assert "C2039" in finding.notes[0].en


def test_stays_quiet_for_a_tool_that_is_absent() -> None:
    report = ask(saying(healthy(), "UserWarning: Error checking compiler version for cl: [WinError 2]\n" + SAID))
    assert codes(report) == ["build-tool-missing"]


def test_stays_quiet_where_nothing_ended_in_an_error() -> None:
    assert codes(ask(saying(healthy(), "ninja: build stopped: subcommand failed."))) == []
