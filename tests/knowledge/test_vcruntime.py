"""The Visual C++ runtime: files, toolsets, and the runtime that a binary needs."""

from __future__ import annotations

import pytest

from whyload.base.machine import Machine
from whyload.base.versions import FileVersion
from whyload.knowledge import vcruntime
from whyload.knowledge.reader import data_tables


@pytest.mark.parametrize(
    ("dll", "first"),
    [
        ("msvcp140.dll", (14, 0)),
        ("msvcp140_1.dll", (14, 13)),
        ("vcruntime140_1.dll", (14, 20)),
        ("msvcp140_atomic_wait.dll", (14, 28)),
        ("vcruntime140_threads.dll", (14, 38)),
    ],
)
def test_files_came_with_a_toolset(dll: str, first: tuple[int, int]) -> None:
    versions = [version for text in vcruntime.runtime_versions() if (version := vcruntime.parse_runtime(text))]
    having = [version[:2] for version in versions if dll in vcruntime.runtime(version).files]
    assert having[0] == first
    assert having == [version[:2] for version in versions if version[:2] >= first]


def test_redistributable() -> None:
    files = vcruntime.redistributable_files()
    assert {"vcomp140.dll", "concrt140.dll", "mfc140u.dll", "mfc140deu.dll"} <= set(files)
    assert not {"libomp140.x86_64.dll", "msvcr120.dll", "ucrtbase.dll", "vcruntime140d.dll", "msvcrt.dll"} & set(files)
    assert "vcruntime140_1.dll" not in vcruntime.redistributable_files(Machine.I386)


@pytest.mark.parametrize(
    ("dll", "redist"),
    [
        ("msvcr120.dll", "2013"),
        ("msvcp110.dll", "2012"),
        ("msvcr100.dll", "2010"),
        ("msvcr90.dll", "2008"),
        ("msvcr80.dll", "2005"),
        ("ucrtbased.dll", "none"),
        ("msvcrt.dll", "windows"),
        ("ucrtbase.dll", "windows"),
        ("msvcp140.dll", "v14"),
    ],
)
def test_which_redistributable(dll: str, redist: str) -> None:
    assert [row["redist"] for row in data_tables("vcruntime")["dll"] if row["dll"] == dll] == [redist]


def test_toolsets_are_ordered_and_follow_the_compiler_number() -> None:
    toolsets = vcruntime.toolsets()
    assert [t.version for t in toolsets] == sorted(t.version for t in toolsets)
    assert all(t.msc_ver == 1900 + t.version[1] for t in toolsets)


def test_every_minor_of_a_generation_is_there() -> None:
    minors = {t.version[1] for t in vcruntime.toolsets()}
    for low, high in ((10, 16), (20, 29), (30, 44), (50, 51)):
        assert set(range(low, high + 1)) <= minors


@pytest.mark.parametrize("text", ["14.38", "14.38.33135", "14.38.33135.0", "14.0"])
def test_versions_of_the_runtime(text: str) -> None:
    version = vcruntime.parse_runtime(text)
    assert isinstance(version, FileVersion)
    assert str(version).startswith(text)


@pytest.mark.parametrize("text", ["", "14", "v14.38", "14.99", "15.0", "14.38.", "14.17"])
def test_other_versions_are_none(text: str) -> None:
    assert vcruntime.parse_runtime(text) is None


def test_a_binary_needs_its_own_toolset_by_the_rule() -> None:
    need = vcruntime.runtime_needed((14, 29), ["_Mtx_lock"])
    assert need == vcruntime.RuntimeNeed(version=(14, 29), certain=False)


def test_a_mutex_without_initialisation_needs_14_40_for_certain() -> None:
    assert vcruntime.runtime_needed((14, 42), ["_Mtx_lock", "_Mtx_unlock"]) == vcruntime.RuntimeNeed(
        version=(14, 40), certain=True
    )
    mixed = vcruntime.runtime_needed((14, 40), ["_Mtx_lock", "_Mtx_init_in_situ"])
    assert mixed == vcruntime.RuntimeNeed(version=(14, 40), certain=False)
    assert vcruntime.runtime_needed((14, 42), []) == vcruntime.RuntimeNeed(version=(14, 42), certain=False)


def test_other_linkers_say_nothing() -> None:
    assert vcruntime.runtime_needed((2, 39)) is None
    assert vcruntime.toolset_of((2, 39)) is None
    toolset = vcruntime.toolset_of((14, 40))
    assert toolset is not None
    assert (toolset.msc_ver, toolset.visual_studio) == (1940, "2022 17.10")
