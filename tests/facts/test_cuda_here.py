"""What CUDA a machine has and can run; the driver's minima are those of NVIDIA's release notes."""

from __future__ import annotations

import pytest

from tests.testbed.memory import SITE, SYSTEM32, Files, record, world
from tests.testbed.pewriter import Dll
from whyload.base.dataclass import replace
from whyload.engine.simulate import packages_of
from whyload.facts.cuda_here import CudaHere, cuda_here
from whyload.startup.paths import python_paths
from whyload.world.measured import Measured, NvidiaDriver
from whyload.world.model import World


def here(machine: World) -> CudaHere:
    return cuda_here(machine, packages_of(machine, python_paths(machine)))


def test_libraries_of_path_of_toolkits_and_of_wheels() -> None:
    files: Files = {
        "C:\\a\\cudart64_110.dll": "",
        "C:\\b\\bin\\x64\\cudart64_13.dll": "",
        "C:\\lone\\cublas64_10.dll": "",
        f"{SYSTEM32}\\cudart64_102.dll": "",
        **record("nvidia_cublas_cu12", "12.4", {"nvidia/cublas/bin/cublas64_12.dll": ""}),
        **record("nvidia_cudnn_cu12", "9.1", {"nvidia/cudnn/bin/cudnn64_9.dll": ""}),
    }
    found = here(world(files, path=["C:\\a"], environment={"CUDA_PATH_V13_0": "C:\\b", "OTHER": "C:\\lone"}))
    assert found.cuda == frozenset({11, 12, 13})
    assert found.cudnn == frozenset({9})


def test_what_a_wheel_has_recorded_and_is_gone_is_not_here() -> None:
    files = record("nvidia_cublas_cu12", "12.4", {"nvidia/cublas/bin/cublas64_12.dll": ""})
    del files[f"{SITE}\\nvidia/cublas/bin/cublas64_12.dll"]
    assert here(world(files)).cuda == frozenset()


@pytest.mark.parametrize(
    ("driver", "runs"),
    [
        (NvidiaDriver(version="551.61", cuda="12.4"), {11: True, 12: True, 13: False}),
        (NvidiaDriver(version="471.11", cuda="11.4"), {11: True, 12: False, 13: False}),
        (NvidiaDriver(version="525.85"), {11: True, 12: True, 13: False}),
        (NvidiaDriver(version="452.38"), {11: False, 12: False}),
        (NvidiaDriver(version="452.39"), {11: True, 12: False}),
        (NvidiaDriver(), {11: None, 12: None}),
        (NvidiaDriver(version="[N/A]", cuda="N/A"), {11: None}),
        (None, {12: None}),
    ],
)
def test_what_the_driver_runs(driver: NvidiaDriver | None, runs: dict[int, bool | None]) -> None:
    found = here(replace(world({}), measured=Measured(nvidia=driver)))
    assert {major: found.runs(major) for major in runs} == runs


def test_without_the_drivers_tool_its_own_library_tells_the_version() -> None:
    """31.0.15.2885 is 528.85: the last five digits."""
    driver = Dll(name="nvcuda.dll", exports={"cuInit": 1}, version=(31, 0, 15, 2885))
    assert here(world({f"{SYSTEM32}\\nvcuda.dll": driver})).driver == "528.85"
