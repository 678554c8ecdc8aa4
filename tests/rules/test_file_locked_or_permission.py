"""Cause: docs/causes.md `file-locked-or-permission`; loader.md R2.33."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, healthy, module, only, saying
from tests.testbed.memory import SITE, SYSTEM32, Files, world
from tests.testbed.pewriter import Dll


def test_a_folder_with_the_librarys_name_stops_the_search() -> None:
    files: Files = {
        MODULE: module({"a.dll": ["f"]}),
        f"{SITE}\\pkg\\a.dll\\readme.txt": "x",
        f"{SYSTEM32}\\a.dll": Dll(name="a.dll", exports={"f": 1}),
    }
    finding = only(ask(world(files)))
    assert (finding.code, str(finding.culprit)) == ("file-locked-or-permission", f"{SITE}\\pkg\\a.dll")
    assert finding.os_error is not None
    assert finding.os_error.winerror == 5


def test_another_program_holds_the_file() -> None:
    said = f'OSError: [WinError 32] The process cannot access the file. Error loading "{MODULE}"'
    finding = only(ask(saying(healthy(), said)))
    assert (finding.code, str(finding.culprit), finding.object) == ("file-locked-or-permission", MODULE, "_x.pyd")


def test_a_number_that_no_library_is_named_with_is_no_matter_of_ours() -> None:
    assert codes(ask(saying(world({}), "PermissionError: [WinError 5] Access is denied: 'C:\\\\notes.txt'"), ())) == []
