"""`match`: patterns that decide, and those that do not (Python reference, "The match statement")."""

from __future__ import annotations

import pytest

from tests.startup.sketch import lines


@pytest.mark.parametrize(
    "pattern",
    [
        "('win32', 'amd64')",
        "['win32', 'x86_64' | 'amd64']",
        "(_, 'amd64' as machine) if machine == 'amd64'",
        "(system, machine) if system == 'win32' and machine.startswith('amd')",
    ],
)
def test_a_pattern_that_fits(pattern: str) -> None:
    code = f"match ('win32', 'amd64'):\n    case {pattern}:\n        import _n\n    case _:\n        import _m\n"
    assert lines({"_n.pyd": "", "_m.pyd": ""}, code) == ["load _n.pyd 0x1100"]


@pytest.mark.parametrize("pattern", ["('win32',)", "('win32', 'arm64')", "None", "('win32', _) if False", "[_, _, _]"])
def test_a_pattern_that_does_not_fit(pattern: str) -> None:
    code = f"match ('win32', 'amd64'):\n    case {pattern}:\n        import _n\n    case _:\n        import _m\n"
    assert lines({"_n.pyd": "", "_m.pyd": ""}, code)[-1:] == ["load _m.pyd 0x1100"]


def test_a_single_value() -> None:
    code = "x = None\nmatch x:\n    case True:\n        import _m\n    case None:\n        import _n\n"
    assert lines({"_n.pyd": "", "_m.pyd": ""}, code) == ["load _n.pyd 0x1100"]


@pytest.mark.parametrize("pattern", ["('win32', *rest)", "{'os': 'win32'}", "str()"])
def test_a_pattern_that_is_not_judged_leaves_both_ways(pattern: str) -> None:
    code = f"match ('win32', 'amd64'):\n    case {pattern}:\n        import _n\n    case _:\n        import _m\n"
    assert lines({"_n.pyd": "", "_m.pyd": ""}, code) == [
        ["maybe", "load _n.pyd 0x1100"],
        ["maybe", "load _m.pyd 0x1100"],
    ]
