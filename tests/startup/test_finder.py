"""loader.md R3.9-R3.11: which file a module name leads to."""

from __future__ import annotations

import pytest

from tests.startup.sketch import machine
from tests.testbed.memory import SITE, Content, world
from whyload.base.versions import PythonVersion
from whyload.startup.finder import ModuleKind, find_module

TAGGED = "cp311-win_amd64.pyd"


@pytest.mark.parametrize(
    ("files", "name", "kind", "file"),
    [
        ({f"m.{TAGGED}": "", "m.pyd": "", "m.py": ""}, "m", ModuleKind.EXTENSION, f"m.{TAGGED}"),
        ({"duo.pyd": "", "duo.py": ""}, "duo", ModuleKind.EXTENSION, "duo.pyd"),
        ({"both\\__init__.py": "", "both.pyd": ""}, "both", ModuleKind.PACKAGE, "both\\__init__.py"),
        ({"UP.PYD": ""}, "UP", ModuleKind.EXTENSION, "UP.PYD"),
        ({"old.pyc": b""}, "old", ModuleKind.BYTECODE, "old.pyc"),
        ({"p\\__init__.py": "", f"p\\_c.{TAGGED}": ""}, "p._c", ModuleKind.EXTENSION, f"p\\_c.{TAGGED}"),
        ({"os.py": ""}, "os", ModuleKind.STANDARD, None),
        ({"ns\\m.py": ""}, "ns", ModuleKind.NAMESPACE, None),
    ],
)
def test_what_is_taken(files: dict[str, Content], name: str, kind: ModuleKind, file: str | None) -> None:
    found = find_module(machine(files), name)
    assert found is not None
    assert found.kind is kind
    assert (found.file.text if found.file else None) == (f"{SITE}\\{file}" if file else None)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("m.cp39-win_amd64.pyd", "m"),
        ("m.cp311-win32.pyd", "m"),
        ("m.cp313t-win_amd64.pyd", "m"),
        ("m.abi3.pyd", "m"),
        ("m.dll", "m"),
        ("m_d.pyd", "m"),
        ("good.pyd", "Good"),
    ],
)
def test_what_is_not_taken_is_a_near_miss(file: str, name: str) -> None:
    found = find_module(machine({file: ""}), name)
    assert found is not None
    assert found.kind is ModuleKind.MISSING
    assert [path.text for path in found.near_misses] == [f"{SITE}\\{file}"]


def test_a_file_beside_the_program_hides_the_standard_library() -> None:
    found = find_module(machine({"C:\\work\\random.py": ""}), "random")
    assert found is not None
    assert found.kind is ModuleKind.SOURCE


def test_a_namespace_folder_gives_way_to_a_later_module() -> None:
    found = find_module(machine({"C:\\work\\pk\\data.txt": "", "pk\\__init__.py": ""}), "pk")
    assert found is not None
    assert found.kind is ModuleKind.PACKAGE


def test_the_submodule_of_a_module() -> None:
    found = find_module(machine({"m.py": ""}), "m.x")
    assert found is not None
    assert (found.kind, found.parent_kind) == (ModuleKind.MISSING, ModuleKind.SOURCE)


def test_the_suffix_of_a_free_threaded_python() -> None:
    there = world({f"{SITE}\\m.cp313t-win_amd64.pyd": ""}, python=PythonVersion(3, 13, True))
    found = find_module(there, "m")
    assert found is not None
    assert found.kind is ModuleKind.EXTENSION


@pytest.mark.parametrize("name", ["", ".", "a..b"])
def test_no_name(name: str) -> None:
    assert find_module(machine({}), name) is None


def test_names_of_other_systems_and_versions() -> None:
    modern = world({}, python=PythonVersion(3, 12))
    old = world({}, python=PythonVersion(3, 11))
    kinds = [
        (name, find_module(there, name)) for there, name in ((old, "fcntl"), (old, "distutils"), (modern, "distutils"))
    ]
    assert [found.kind for _, found in kinds if found] == [ModuleKind.MISSING, ModuleKind.STANDARD, ModuleKind.MISSING]
