"""`.local` files (R2.10, R2.11, test row 65), the 32-bit view (R2.37, row 66), long paths (R2.39)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.testbed.memory import SITE, SYSTEM32, Files, world
from tests.testbed.pewriter import Dll
from whyload.base.machine import Machine
from whyload.base.paths import WinPath
from whyload.engine.simulate import started_process
from whyload.loader.windows.load import load
from whyload.loader.windows.process import Process
from whyload.loader.windows.redirection import redirected
from whyload.world.files import KnownRegistry
from whyload.world.model import World

LEAF = Dll(name="leaf.dll", exports={"f": 1})
OPTIONS = "HKLM\\Software\\Microsoft\\Windows NT\\CurrentVersion\\Image File Execution Options"
FILE_SYSTEM = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\FileSystem"
TOP = f"{SITE}\\x.pyd"


def machine(files: Files, *, manifest: bool = False) -> World:
    base: Files = {
        TOP: Dll(name="x.pyd", imports={"leaf.dll": ["f"]}),
        f"{SITE}\\leaf.dll": LEAF,
        "C:\\Python\\python.exe": Dll(name="python.exe", is_dll=False, manifest=b"<assembly/>" if manifest else None),
    }
    return world({**base, **files})


def with_registry(made: World, keys: Mapping[str, Mapping[str, object]]) -> World:
    return replace(made, registry=KnownRegistry(keys))


def leaf(made: World) -> str:
    tree = load(started_process(made), TOP, 0x1100)
    return str(tree.root.children[0].path)


def test_a_folder_of_that_name_comes_first_r2_11() -> None:
    files: Files = {"C:\\Python\\python.exe.local\\leaf.dll": LEAF}
    assert leaf(machine(files)) == "C:\\Python\\python.exe.local\\leaf.dll"


def test_a_file_of_that_name_puts_the_programs_folder_first_r2_11() -> None:
    assert leaf(machine({"C:\\Python\\python.exe.local": b"", "C:\\Python\\leaf.dll": LEAF})) == "C:\\Python\\leaf.dll"
    assert leaf(machine({"C:\\Python\\python.exe.local": b""})) == f"{SITE}\\leaf.dll"


def test_full_paths_are_redirected_too_r2_11() -> None:
    other = "C:\\Python\\python.exe.local\\x.pyd"
    tree = load(started_process(machine({other: Dll(name="x.pyd", exports={"g": 1})})), TOP, 0x1100)
    assert str(tree.root.path) == other


def test_row_65_a_program_with_a_manifest_ignores_it_r2_10() -> None:
    files: Files = {"C:\\Python\\python.exe.local\\leaf.dll": LEAF}
    made = machine(files, manifest=True)
    assert leaf(made) == f"{SITE}\\leaf.dll"
    forced = with_registry(made, {OPTIONS: {"DevOverrideEnable": 1}})
    assert leaf(forced) == "C:\\Python\\python.exe.local\\leaf.dll"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("C:\\Windows\\System32\\a.dll", "C:\\Windows\\SysWOW64\\a.dll"),
        ("C:\\Windows\\System32", "C:\\Windows\\SysWOW64"),
        ("C:\\Windows\\System32\\drivers\\etc\\hosts", "C:\\Windows\\System32\\drivers\\etc\\hosts"),
        ("C:\\Windows\\System32\\drivers\\x.dll", "C:\\Windows\\SysWOW64\\drivers\\x.dll"),
        ("C:\\Windows\\Sysnative\\a.dll", "C:\\Windows\\System32\\a.dll"),
        ("C:\\Windows\\a.dll", "C:\\Windows\\a.dll"),
    ],
)
def test_the_view_of_a_32_bit_process_r2_37(path: str, expected: str) -> None:
    assert str(redirected(WinPath(path), world({}), WinPath("C:\\Windows\\SysWOW64"))) == expected


def test_row_66_a_32_bit_python_finds_the_32_bit_runtime_r2_37() -> None:
    old = Machine.I386
    files: Files = {
        "C:\\Python\\python.exe": Dll(name="python.exe", is_dll=False, machine=old),
        TOP: Dll(name="x.pyd", machine=old, imports={"msvcp140.dll": ["f"]}),
        f"{SYSTEM32}\\msvcp140.dll": Dll(name="msvcp140.dll", exports={"f": 1}),
        "C:\\Windows\\SysWOW64\\msvcp140.dll": Dll(name="msvcp140.dll", machine=old, exports={"f": 1}),
    }
    process = started_process(world(files))
    tree = load(process, TOP, 0x1100)
    assert (process.machine, str(process.system32)) == (old, "C:\\Windows\\SysWOW64")
    assert str(tree.root.children[0].path) == "C:\\Windows\\SysWOW64\\msvcp140.dll"
    assert str(process.path_folders()[-1]) == "C:\\Windows\\SysWOW64"


@pytest.mark.parametrize(("value", "winerror", "doubts"), [({"LongPathsEnabled": 1}, 0, 0), ({}, 126, 0), (None, 0, 1)])
def test_long_paths_r2_39(value: Mapping[str, object] | None, winerror: int, doubts: int) -> None:
    deep = f"{SITE}\\{'d' * 120}\\{'e' * 120}\\leaf.dll"
    made = world({deep: LEAF})
    if value is not None:
        made = with_registry(made, {FILE_SYSTEM: value})
    tree = load(started_process(made), deep, 0x1100)
    assert (tree.status.winerror, len(tree.uncertain)) == (winerror, doubts)


def test_without_a_marker_nothing_is_redirected_r2_10() -> None:
    assert Process(machine({})).local_folder is None
