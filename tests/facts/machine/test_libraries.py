"""C++ runtime, CUDA and OpenMP: which copies there are, and what the registry, variables and the driver say."""

from __future__ import annotations

import json

import pytest

from tests.facts.machine.machines import Keys, facts, machine
from tests.testbed.memory import SITE, SYSTEM32, Files, record
from tests.testbed.pewriter import Dll
from whyload.base.versions import FileVersion
from whyload.facts.machine.cuda import driver_number
from whyload.world.measured import Gpu, Measured, NvidiaDriver

RUNTIMES = "HKLM\\SOFTWARE\\Microsoft\\VisualStudio\\14.0\\VC\\Runtimes"


def test_copies_of_the_cpp_runtime() -> None:
    files: Files = {f"{SYSTEM32}\\msvcp140.dll": Dll(name="msvcp140.dll", version=(14, 44, 1, 0))}
    files |= record("old", "1.0", {"old/msvcp140.dll": Dll(name="msvcp140.dll", version=(14, 26, 0, 0))})
    keys: Keys = {f"{RUNTIMES}\\X64": {"Installed": 1, "Version": "v14.44.35211.00"}, f"{RUNTIMES}\\X86": {}}
    found = facts(machine(files, keys)).vc_runtime
    places = {(copy.place, copy.path.name, copy.version, copy.owner) for copy in found.copies}
    assert ("System32", "msvcp140.dll", FileVersion(14, 44, 1), None) in places
    assert ("environment", "msvcp140.dll", FileVersion(14, 26), "old 1.0") in places
    assert ("beside the interpreter", "vcruntime140.dll", None, None) in places
    assert found.system_version == FileVersion(14, 44, 1)
    assert found.installed is not None
    assert [(item.architecture, item.installed, str(item.version)) for item in found.installed] == [
        ("X64", True, "14.44.35211.0")
    ]


def test_without_a_registry() -> None:
    found = facts(machine()).vc_runtime
    assert (found.installed, found.system_version) == (None, None)
    assert set(found.unknown) == {"installed", "system_version"}
    assert facts(machine(keys={f"{RUNTIMES}\\X64": {}})).vc_runtime.installed == ()


@pytest.mark.parametrize(
    ("version", "number"),
    [((31, 0, 15, 3758), "537.58"), ((32, 0, 15, 6094), "560.94"), ((30, 0, 15, 1179), "511.79"), ((1, 0, 0, 5), None)],
)
def test_numbers_of_drivers(version: tuple[int, int, int, int], number: str | None) -> None:
    """NVIDIA's numbering: 31.0.15.3758 is driver 537.58."""
    assert driver_number(FileVersion(*version)) == number


def test_cuda() -> None:
    toolkit = "C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA"
    files: Files = {
        f"{toolkit}\\v12.4\\bin\\cudart64_12.dll": Dll(name="cudart64_12.dll"),
        f"{toolkit}\\v12.4\\version.json": json.dumps({"cuda": {"version": "12.4.1"}}),
        f"{toolkit}\\v11.8\\readme.txt": "",
        f"{SYSTEM32}\\nvcuda.dll": Dll(name="nvcuda.dll", version=(31, 0, 15, 3758)),
        **record("nvidia-cudnn-cu12", "9.1.0.70", {"nvidia/cudnn/bin/cudnn64_9.dll": Dll(name="cudnn64_9.dll")}),
    }
    variables = {"CUDA_PATH": f"{toolkit}\\v12.4", "CUDA_PATH_V10_2": "C:\\gone"}
    found = facts(machine(files, environment=variables)).cuda
    assert [(item.folder.name, item.version, item.found_by, item.has_libraries) for item in found.toolkits] == [
        ("v12.4", "12.4.1", "CUDA_PATH", True),
        ("v11.8", "11.8", "folder", False),
    ]
    assert [(item.name, item.is_there) for item in found.variables] == [("CUDA_PATH", True), ("CUDA_PATH_V10_2", False)]
    assert (found.driver, found.driver_cuda, found.gpus) == ("537.58", None, None)
    assert [copy.owner for copy in found.cudnn] == ["nvidia-cudnn-cu12 9.1.0.70"]
    assert [(item.name, str(item.folder)) for item in found.wheels] == [
        ("nvidia-cudnn-cu12", f"{SITE}\\nvidia\\cudnn\\bin")
    ]


def test_what_the_drivers_tool_says() -> None:
    asked = NvidiaDriver(version="560.94", cuda="12.6", gpus=(Gpu(name="RTX", memory=8192),))
    found = facts(machine(measured=Measured(nvidia=asked))).cuda
    assert (found.driver, found.driver_cuda, found.gpus) == ("560.94", "12.6", asked.gpus)
    none = facts(machine()).cuda
    assert none.driver is None
    assert "not in System32" in none.unknown["driver"]


def test_openmp() -> None:
    files = record("torch", "2.4.1", {"torch/lib/libiomp5md.dll": Dll(name="libiomp5md.dll")})
    files |= record("sklearn", "1.5", {"sklearn/.libs/vcomp140.dll": Dll(name="vcomp140.dll")})
    found = facts(machine(files, environment={"KMP_DUPLICATE_LIB_OK": "TRUE"})).openmp
    assert {(item.copy.path.name, item.vendor, item.copy.owner) for item in found.copies} == {
        ("libiomp5md.dll", "intel", "torch 2.4.1"),
        ("vcomp140.dll", "microsoft", "sklearn 1.5"),
    }
    assert found.duplicate_allowed
