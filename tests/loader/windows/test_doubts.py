"""Answers that may be wrong say so: loader.md section 9, D1 and D2; rules that documents alone judge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.formats.pe.craft import ARM64, Piece, Row, Shape, load_config
from tests.formats.pe.craft import imports as import_table
from tests.testbed.memory import SITE, SYSTEM32, Content, Files, world
from tests.testbed.pewriter import Dll, build
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


def test_the_order_of_added_folders_is_not_specified_d1_row_40() -> None:
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


def test_row_24_a_circle_of_forwarders_is_a_bad_image_r1_24() -> None:
    files: Files = {
        f"{SITE}\\leaf.dll": Dll(name="leaf.dll", exports={"f": "other.f"}),
        f"{SITE}\\other.dll": Dll(name="other.dll", exports={"f": "leaf.f"}),
    }
    found = tree(machine(files))
    assert (found.status.winerror, [fault.symbol.text for fault in found.faults if fault.symbol]) == (193, ["f"])


def test_row_70_a_packaged_python_does_not_search_path_r2_56() -> None:
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
def test_row_27_which_files_a_process_takes_r1_7(process: Machine, system: Machine, file: Machine, fits: bool) -> None:
    made = world({})
    made = replace(made, system=replace(made.system, machine=system))
    running = started_process(made)
    running.machine = process
    assert running.runs_here(file) is fits


@pytest.mark.parametrize(
    ("assembly", "encoding", "doubted"),
    [
        ("Microsoft.VC90.CRT", "utf-8", True),
        ("Microsoft.VC90.CRT", "utf-16", True),
        ("Microsoft.Windows.Common-Controls", "utf-8", False),
        (None, "utf-8", False),
    ],
)
def test_row_68_side_by_side_assemblies_are_not_looked_for_r2_41_r2_42_r2_43(
    assembly: str | None, encoding: str, doubted: bool
) -> None:
    identity = f'<assemblyIdentity type="win32" name="{assembly}"/>'
    wanted = f"<dependency><dependentAssembly>{identity}</dependentAssembly></dependency>"
    manifest = f'<assembly manifestVersion="1.0">{wanted if assembly else ""}</assembly>'.encode(encoding)
    old = Dll(name="old.dll", manifest=manifest, imports={"MSVCR90.dll": ["malloc"]})
    tree = load(started_process(world({f"{SITE}\\old.dll": old})), f"{SITE}\\old.dll", 0x1100)
    assert tree.missing == ("MSVCR90.dll",)
    assert any("side-by-side assembly Microsoft.VC90.CRT" in reason.en for reason in tree.uncertain) is doubted


def test_row_69_an_assembly_that_may_not_be_installed_r2_44() -> None:
    """Without it the load ends with 14001, whatever else is there: said, not decided, for linkers of that age."""
    wanted = (
        b'<dependency><dependentAssembly><assemblyIdentity name="Microsoft.VC90.CRT"/></dependentAssembly></dependency>'
    )
    manifest = b"<assembly>" + wanted + b"</assembly>"
    for linker, said in (((9, 0), True), ((14, 38), False)):
        old = Dll(name="old.dll", manifest=manifest, linker=linker)
        found = tree(world({f"{SITE}\\old.dll": old}), f"{SITE}\\old.dll")
        assert found.status.winerror == 0
        assert any("Microsoft.VC90.CRT; whether that is installed" in reason.en for reason in found.uncertain) is said


def test_flags_in_a_packaged_process_are_not_documented_d9() -> None:
    assert tree(machine({}, layout=Layout.STORE)).uncertain
    assert not tree(machine({f"{SITE}\\leaf.dll": LEAF}, layout=Layout.STORE)).uncertain


def test_elements_of_path_in_quotes_are_seen_not_documented_d8() -> None:
    files: Files = {"C:\\p\\leaf.dll": LEAF}
    assert tree(machine(files, path=['"C:\\p"']), flags=0x8).uncertain
    assert not tree(machine(files, path=['"C:\\p"'])).uncertain
    assert not tree(machine({}, path=['"C:\\p"']), flags=0x8).uncertain


@pytest.mark.parametrize(("missing", "doubts"), [(1, 1), (511, 1), (512, 0)])
def test_a_file_cut_inside_its_last_sector_d3(missing: int, doubts: int) -> None:
    whole = build(replace(LEAF, padding=0x400))
    found = tree(machine({f"{SITE}\\leaf.dll": whole[:-missing]}))
    assert (found.status.winerror, len(found.uncertain)) == (193, doubts)


def _arm64x() -> bytes:
    piece = Piece(0x1000)
    hybrid = load_config(piece, chpe=0x1_8000_2000)
    table = import_table(piece, [("gone.dll", ["f"])])
    rows = [Row(start=0x1000, data=bytes(piece.data))]
    return Shape(machine=ARM64, directories={10: hybrid, 1: table}, rows=rows).build()


def test_what_an_x64_process_sees_of_an_arm64x_file_is_not_made_up_r1_8() -> None:
    files: Files = {f"{SITE}\\hybrid.dll": _arm64x(), TOP: Dll(name="x.pyd", imports={"hybrid.dll": ["g"]})}
    running = started_process(world(files))
    running.world = replace(running.world, system=replace(running.world.system, machine=Machine.ARM64))
    found = load(running, TOP, 0x1100)
    assert (found.status.winerror, found.faults, found.missing, found.cut) == (0, (), (), True)
    assert any("hybrid.dll is ARM64X" in reason.en for reason in found.uncertain)
    native = started_process(world(files))
    native.machine, native.world = Machine.ARM64, running.world
    assert load(native, f"{SITE}\\hybrid.dll", 0x1100).missing == ("gone.dll",)
