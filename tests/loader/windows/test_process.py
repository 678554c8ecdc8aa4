"""The simulated process before the program's first line: loader.md R2.18, R2.35, R3.1, R3.2, R3.25, R3.26."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.testbed.memory import SITE, SYSTEM32, Files, world
from tests.testbed.pewriter import Dll
from whyload.base.paths import WinPath
from whyload.base.versions import PythonVersion
from whyload.engine.simulate import started_process
from whyload.loader.model import LoadTree
from whyload.loader.windows.load import load
from whyload.world.files import KnownRegistry
from whyload.world.model import Layout, Preload

KNOWN = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\KnownDLLs"


def test_what_python_itself_brings_along_r3_1_r3_2() -> None:
    modules = [str(module.path) for module in started_process(world({})).modules]
    assert modules[0] == "C:\\Python\\python.exe"
    for name in ("python311.dll", "python3.dll", "vcruntime140.dll"):
        assert f"C:\\Python\\{name}" in modules


def test_pythons_own_runtime_serves_every_later_module_r3_2() -> None:
    files: Files = {
        f"{SITE}\\x.pyd": Dll(name="x.pyd", imports={"VCRUNTIME140.dll": ["memcpy"]}),
        f"{SITE}\\vcruntime140.dll": Dll(name="vcruntime140.dll", exports={"memcpy": 1}),
    }
    tree = load(started_process(world(files)), f"{SITE}\\x.pyd", 0x1100)
    assert str(tree.root.children[0].path) == "C:\\Python\\vcruntime140.dll"
    assert not tree.root.children[0].fresh


def test_known_dlls_come_from_the_registry_r2_35() -> None:
    files: Files = {
        f"{SITE}\\x.pyd": Dll(name="x.pyd", imports={"mine.dll": ["f"], "shell32.dll": ["f"]}),
        f"{SITE}\\mine.dll": Dll(name="mine.dll", exports={"f": 1}),
        f"{SITE}\\shell32.dll": Dll(name="shell32.dll", exports={"f": 1}),
        f"{SYSTEM32}\\mine.dll": Dll(name="mine.dll", exports={"f": 1}),
        f"{SYSTEM32}\\shell32.dll": Dll(name="shell32.dll", exports={"f": 1}),
    }
    machine = world(files)
    usual = load(started_process(machine), f"{SITE}\\x.pyd", 0x1100)
    assert [str(child.path.parent) for child in usual.root.children if child.path] == [SITE, SYSTEM32]
    values: dict[str, object] = {"mine": "mine.dll", "DllDirectory": "%SystemRoot%\\system32"}
    own = replace(machine, registry=KnownRegistry({KNOWN: values}))
    listed = load(started_process(own), f"{SITE}\\x.pyd", 0x1100)
    assert [str(child.path.parent) for child in listed.root.children if child.path] == [SYSTEM32, SITE]


@pytest.mark.parametrize(
    ("version", "record", "expected"),
    [
        (PythonVersion(3, 11), True, ["Scripts", "Library\\bin"]),
        (PythonVersion(3, 7), True, []),
        (PythonVersion(3, 11), False, []),
    ],
)
def test_conda_adds_folders_of_its_own_r3_25_r3_26(version: PythonVersion, record: bool, expected: list[str]) -> None:
    files: Files = {
        "C:\\Python\\Scripts\\x": "",
        "C:\\Python\\Library\\bin\\x": "",
        "C:\\Python\\conda-meta\\history": "",
    }
    if record:
        files["C:\\Python\\conda-meta\\python-3.11.9-h1_0_cpython.json"] = "{}"
    process = started_process(world(files, layout=Layout.CONDA, python=version))
    assert process.added == [WinPath("C:\\Python") / name for name in expected]


def test_a_frozen_program_searches_its_inner_folder() -> None:
    process = started_process(world({"C:\\Python\\_internal\\x.dll": b""}, layout=Layout.PYINSTALLER))
    assert process.set_directory == "C:\\Python\\_internal"
    assert started_process(world({}, layout=Layout.PYINSTALLER)).set_directory == "C:\\Python"


def test_preloads_of_the_description_are_in_the_process_r2_18() -> None:
    machine = world(
        {
            "C:\\a\\x.dll": Dll(name="x.dll", exports={"f": 1}),
            f"{SITE}\\y.pyd": Dll(name="y.pyd", imports={"x.dll": ["f"]}),
        }
    )
    state = replace(machine.process, preload=(Preload(file="C:\\a\\x.dll"),))
    tree = load(started_process(replace(machine, process=state)), f"{SITE}\\y.pyd", 0x1100)
    assert str(tree.root.children[0].path) == "C:\\a\\x.dll"


def test_a_failed_call_leaves_the_process_as_it_was() -> None:
    files: Files = {
        f"{SITE}\\x.pyd": Dll(name="x.pyd", imports={"here.dll": ["f"], "gone.dll": ["f"]}),
        f"{SITE}\\here.dll": Dll(name="here.dll", exports={"f": 1}),
    }
    process = started_process(world(files))
    before = list(process.modules)
    assert load(process, f"{SITE}\\x.pyd", 0x1100).status.winerror == 126
    assert process.modules == before
    assert process.loaded_name("here.dll") is None


def test_of_several_faults_those_of_mapping_come_first_in_load_order_r6_2() -> None:
    files: Files = {
        f"{SITE}\\x.pyd": Dll(name="x.pyd", imports={"a.dll": ["none"], "b.dll": ["f"], "gone1.dll": ["f"]}),
        f"{SITE}\\a.dll": Dll(name="a.dll", exports={"f": 1}),
        f"{SITE}\\b.dll": Dll(name="b.dll", exports={"f": 1}, imports={"gone2.dll": ["f"]}),
    }
    tree = load(started_process(world(files)), f"{SITE}\\x.pyd", 0x1100)
    assert [fault.symbol.text if fault.symbol else fault.node.name for fault in tree.faults] == [
        "gone2.dll",
        "gone1.dll",
        "none",
    ]
    assert tree.status.winerror == 126


def _chain(length: int) -> LoadTree:
    files: Files = {
        f"{SITE}\\d{n}.dll": Dll(name=f"d{n}.dll", exports={"f": 1}, imports={f"d{n + 1}.dll": ["f"]})
        for n in range(length)
    }
    files[f"{SITE}\\d{length}.dll"] = Dll(name=f"d{length}.dll", exports={"f": 1})
    return load(started_process(world(files)), f"{SITE}\\d0.dll", 0x1100)


def test_a_deep_chain_is_followed_to_its_end() -> None:
    tree = _chain(200)
    assert (tree.status.winerror, tree.cut, tree.uncertain) == (0, False, ())
    assert f"{SITE}\\d200.dll" in [str(path) for path in tree.modules]


def test_a_very_deep_chain_is_cut_and_said() -> None:
    tree = _chain(400)
    assert (tree.status.winerror, tree.cut) == (0, True)
    assert any("levels deep" in reason.en for reason in tree.uncertain)


def test_a_known_dll_is_made_from_a_file_of_system32_r2_35_r2_36() -> None:
    files: Files = {
        f"{SITE}\\x.pyd": Dll(name="x.pyd", imports={"bcryptprimitives.dll": ["f"], "shell32.dll": ["f"]}),
        f"{SITE}\\shell32.dll": Dll(name="shell32.dll", exports={"f": 1}),
    }
    tree = load(started_process(world(files)), f"{SITE}\\x.pyd", 0x1100)
    primitives, shell = tree.root.children
    assert (primitives.status.winerror, primitives.path) == (126, None)
    assert str(shell.path) == f"{SITE}\\shell32.dll"
