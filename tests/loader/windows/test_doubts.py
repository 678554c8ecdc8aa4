"""Answers that may be wrong say so: loader.md section 9, D1 and D2; rules that documents alone judge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.testbed.memory import SITE, SYSTEM32, Content, Files, world
from tests.testbed.pewriter import Dll
from whyload.base.machine import Machine
from whyload.base.paths import WinPath
from whyload.engine.simulate import started_process
from whyload.loader.model import LoadTree
from whyload.loader.windows.load import load
from whyload.world.files import LayeredFiles, UnknownBelow
from whyload.world.model import Environment, Layout, World

TOP = f"{SITE}\\x.pyd"
LEAF = Dll(name="leaf.dll", exports={"f": 1})


def tree(machine: World, name: str = TOP, flags: int = 0x1100) -> LoadTree:
    return load(started_process(machine), name, flags)


def machine(files: Files, imports: list[str | int] | None = None, **more: object) -> World:
    top: Content = Dll(name="x.pyd", imports={"leaf.dll": imports or ["f"]})
    return world({TOP: top, **files}, **more)  # type: ignore[arg-type]


def test_the_order_of_added_folders_is_not_specified_d1() -> None:
    both: Files = {"C:\\a\\leaf.dll": LEAF, "C:\\b\\leaf.dll": LEAF}
    assert tree(machine(both, added=["C:\\a", "C:\\b"])).uncertain
    assert not tree(machine({"C:\\a\\leaf.dll": LEAF}, added=["C:\\a", "C:\\b"])).uncertain


def test_files_that_cannot_run_on_the_system_at_all_d2() -> None:
    other = Dll(name="leaf.dll", machine=Machine.ARM64)
    found = tree(machine({f"{SITE}\\leaf.dll": other, f"{SYSTEM32}\\leaf.dll": LEAF}))
    assert (found.status.winerror, len(found.uncertain)) == (193, 1)


def test_an_unknown_drive_is_not_an_absent_file() -> None:
    made = machine({})
    made = replace(made, files=LayeredFiles([made.files, UnknownBelow(WinPath("D:\\"))]))
    found = tree(made, "D:\\sdk\\a.dll")
    assert (found.status.winerror, len(found.uncertain)) == (126, 1)


def test_an_unknown_path_variable_counts_where_it_is_searched() -> None:
    made = replace(machine({}), environment=Environment({}))
    assert tree(made, flags=0x8).uncertain
    assert not tree(made).uncertain


def test_a_circle_of_forwarders_is_a_bad_image_r1_24() -> None:
    files: Files = {
        f"{SITE}\\leaf.dll": Dll(name="leaf.dll", exports={"f": "other.f"}),
        f"{SITE}\\other.dll": Dll(name="other.dll", exports={"f": "leaf.f"}),
    }
    found = tree(machine(files))
    assert (found.status.winerror, [fault.symbol.text for fault in found.faults if fault.symbol]) == (193, ["f"])


def test_a_packaged_python_does_not_search_path_r2_56() -> None:
    files: Files = {"C:\\p\\leaf.dll": LEAF}
    assert tree(machine(files, path=["C:\\p"]), flags=0x8).status.winerror == 0
    assert tree(machine(files, path=["C:\\p"], layout=Layout.STORE), flags=0x8).status.winerror == 126


@pytest.mark.parametrize(
    ("process", "system", "file", "fits"),
    [
        (Machine.AMD64, Machine.AMD64, Machine.ARM64X, False),
        (Machine.AMD64, Machine.ARM64, Machine.ARM64X, True),
        (Machine.ARM64, Machine.ARM64, Machine.ARM64X, True),
        (Machine.I386, Machine.ARM64, Machine.ARM64X, False),
        (Machine.AMD64, Machine.AMD64, Machine.ARM64EC, False),
        (Machine.AMD64, Machine.ARM64, Machine.ARM64EC, True),
        (Machine.ARM64, Machine.ARM64, Machine.AMD64, False),
        (Machine.I386, Machine.AMD64, Machine.I386, True),
    ],
)
def test_which_files_a_process_takes_r1_7(process: Machine, system: Machine, file: Machine, fits: bool) -> None:
    made = world({})
    made = replace(made, system=replace(made.system, machine=system))
    running = started_process(made)
    running.machine = process
    assert running.runs_here(file) is fits
