"""Where else a library is looked for: docs/causes.md, "Which code when a file of the name exists elsewhere"."""

from __future__ import annotations

from tests.testbed.memory import SITE, Files, record, world
from tests.testbed.pewriter import Dll
from whyload.base.machine import Machine
from whyload.base.paths import WinPath
from whyload.engine.simulate import case_of, started_process
from whyload.facts.copies import Copies
from whyload.loader.windows.playback import Playback

DLL = Dll(name="a.dll", exports={"f": 1}, version=(1, 2, 3, 4))


def copies(files: Files, **more: object) -> Copies:
    machine = world(files, **more)  # type: ignore[arg-type]
    process = started_process(machine)
    return case_of(machine, process, Playback(loads=(), failure=None, modules=()), "x").copies


def test_every_place_of_the_list() -> None:
    files: Files = {
        "C:\\p\\a.dll": DLL,
        "C:\\work\\a.dll": DLL,
        "C:\\Python\\Library\\bin\\a.dll": DLL,
        "C:\\cuda\\bin\\a.dll": DLL,
        **record("pkg", "1.0", {"pkg/a.dll": DLL}),
        "C:\\elsewhere\\a.dll": DLL,
    }
    found = copies(files, path=["C:\\p"], environment={"CUDA_PATH_V12_4": "C:\\cuda"}).of("A.DLL")
    assert {(str(copy.path), copy.found_by.en) for copy in found} == {
        ("C:\\p\\a.dll", "PATH"),
        ("C:\\work\\a.dll", "current folder"),
        ("C:\\Python\\Library\\bin\\a.dll", "environment"),
        ("C:\\cuda\\bin\\a.dll", "CUDA_PATH_V12_4"),
        (f"{SITE}\\pkg\\a.dll", "environment"),
    }


def test_only_a_copy_that_can_be_mapped_fits() -> None:
    files: Files = {"C:\\p\\a.dll": Dll(name="a.dll", machine=Machine.I386), "C:\\q\\a.dll": b"", "C:\\r\\a.dll": DLL}
    found = copies(files, path=["C:\\p", "C:\\q", "C:\\r"]).fitting("a.dll")
    assert found is not None
    assert str(found.path) == "C:\\r\\a.dll"


def test_other_versions_of_a_library() -> None:
    files: Files = {"C:\\p\\cudart64_110.dll": Dll(name="x"), "C:\\p\\cublas64_11.dll": Dll(name="y")}
    found = copies(files, path=["C:\\p"]).other_versions("cudart64_12.dll")
    assert [copy.path.name for copy in found] == ["cudart64_110.dll"]


def test_versions_of_files() -> None:
    found = copies({"C:\\p\\a.dll": DLL})
    assert str(found.version(WinPath("C:\\p\\a.dll"))) == "1.2.3.4"
    assert found.version(WinPath("C:\\p\\gone.dll")) is None
