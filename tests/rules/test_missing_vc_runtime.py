"""Cause: docs/causes.md `missing-vc-runtime`; names: Microsoft, "Determining which DLLs to redistribute"."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, codes, module, only
from tests.testbed.memory import SITE, SYSTEM32, world
from tests.testbed.pewriter import Dll


@pytest.mark.parametrize("name", ["MSVCP140.dll", "vcruntime140_1.dll", "concrt140.dll", "msvcr120.dll", "mfc140u.dll"])
def test_fires(name: str) -> None:
    finding = only(ask(world({MODULE: module({name: ["f"]})})))
    assert (finding.code, str(finding.culprit), finding.object) == ("missing-vc-runtime", MODULE, name)


def test_several_absent_names_are_one_finding() -> None:
    finding = only(ask(world({MODULE: module({"msvcp140.dll": ["f"], "msvcp140_1.dll": ["g"]})})))
    assert finding.object == "msvcp140.dll"
    assert any("msvcp140_1.dll" in note.en for note in finding.notes)


def test_a_copy_on_path_does_not_change_the_code() -> None:
    files = {
        MODULE: module({"msvcp140.dll": ["f"]}),
        "C:\\game\\msvcp140.dll": Dll(name="msvcp140.dll", exports={"f": 1}),
    }
    assert codes(ask(world(files, path=["C:\\game"]))) == ["missing-vc-runtime"]


def test_stays_quiet_when_the_redistributable_is_there() -> None:
    files = {
        MODULE: module({"msvcp140.dll": ["f"]}),
        f"{SYSTEM32}\\msvcp140.dll": Dll(name="msvcp140.dll", exports={"f": 1}),
    }
    assert codes(ask(world(files))) == []


def test_stays_quiet_for_a_private_copy_that_is_gone() -> None:
    from tests.testbed.memory import record

    name = "msvcp140-0123456789abcdef0123456789abcdef.dll"
    files = record("pkg", "1.0", {"pkg/_x.pyd": module({name: ["f"]}), f"pkg.libs/{name}": Dll(name=name)})
    del files[f"{SITE}\\pkg.libs/{name}"]
    assert codes(ask(world(files)))[0] == "corrupt-install"


def test_no_remedy_copies_a_lone_dll() -> None:
    finding = only(ask(world({MODULE: module({"msvcp140.dll": ["f"]})})))
    assert finding.remedies
    assert not any("System32" in command or ".dll" in command for r in finding.remedies for command in r.commands)
