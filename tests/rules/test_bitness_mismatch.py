"""Cause: docs/causes.md `bitness-mismatch`; loader.md R2.31."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, module, only
from tests.testbed.memory import SITE, SYSTEM32, world
from tests.testbed.pewriter import Dll
from whyload.base.machine import Machine

WRONG = Dll(name="msvcp140.dll", machine=Machine.I386)
RIGHT = Dll(name="msvcp140.dll", exports={"f": 1})


def test_fires_for_a_dependency() -> None:
    files = {MODULE: module({"msvcp140.dll": ["f"]}), f"{SYSTEM32}\\msvcp140.dll": WRONG}
    finding = only(ask(world(files)))
    assert (finding.code, str(finding.culprit)) == ("bitness-mismatch", f"{SYSTEM32}\\msvcp140.dll")
    assert finding.os_error is not None
    assert finding.os_error.winerror == 193


def test_fires_for_the_module_itself() -> None:
    finding = only(ask(world({MODULE: Dll(name="_x.pyd", machine=Machine.I386)})))
    assert (finding.code, str(finding.culprit)) == ("bitness-mismatch", MODULE)


def test_stays_quiet_where_a_good_copy_comes_later() -> None:
    files = {
        MODULE: module({"msvcp140.dll": ["f"]}),
        f"{SITE}\\pkg\\msvcp140.dll": WRONG,
        f"{SYSTEM32}\\msvcp140.dll": RIGHT,
    }
    assert codes(ask(world(files))) == []


def test_names_the_right_copy() -> None:
    files = {
        MODULE: module({"foo.dll": ["f"]}),
        f"{SITE}\\pkg\\foo.dll": WRONG,
        "C:\\good\\foo.dll": Dll(name="foo.dll", exports={"f": 1}),
    }
    finding = only(ask(world(files, path=["C:\\good"])))
    assert str(finding.found_at) == "C:\\good\\foo.dll"


def test_fires_for_the_target_of_a_forwarder() -> None:
    """R2.49: the file that the forwarder leads to is there, so nothing is missing."""
    files = {
        MODULE: module({"foo.dll": ["f"]}),
        f"{SITE}\\pkg\\foo.dll": Dll(name="foo.dll", exports={"f": "far.f"}),
        f"{SITE}\\pkg\\far.dll": Dll(name="far.dll", machine=Machine.I386),
    }
    finding = only(ask(world(files)))
    assert (finding.code, str(finding.culprit)) == ("bitness-mismatch", f"{SITE}\\pkg\\far.dll")
    assert finding.os_error is not None
    assert finding.os_error.winerror == 193
