"""The measurement on a wheel made here; the index is not asked."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.testbed.pewriter import Dll, build
from tools.measure_releases import Measurement, by_minor, deciding_members, differences, measured_wheel
from whyload.knowledge.reader import toml_loads
from whyload.knowledge.releases import release_of
from whyload.world.wheel import Wheel, open_wheel

MODULE = "onnxruntime/capi/onnxruntime_pybind11_state.pyd"
PROVIDER = "onnxruntime/capi/onnxruntime_providers_cuda.dll"


@pytest.fixture
def wheel(tmp_path: Path) -> Wheel:
    members = {
        MODULE: build(Dll(name="state.pyd", imports={"MSVCP140.dll": ["f"]}, linker=(14, 42))),
        PROVIDER: build(
            Dll(name="cuda.dll", imports={"cublas64_12.dll": ["f"], "cudnn64_9.dll": ["f"]}, linker=(14, 29))
        ),
        "onnxruntime/capi/other.dll": build(Dll(name="other.dll", imports={"msvcp140.dll": ["f"]}, linker=(14, 44))),
        "onnxruntime_gpu-1.20.1.dist-info/METADATA": b"Name: onnxruntime-gpu\nVersion: 1.20.1\n",
    }
    path = tmp_path / "onnxruntime_gpu-1.20.1-cp311-cp311-win_amd64.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return open_wheel(path)


def measured(wheel: Wheel, distribution: str = "onnxruntime-gpu") -> Measurement:
    return measured_wheel(wheel, distribution, "1.20", ("1.20.0", "1.20.1"), ("3.10", "3.11", "3.12"))


def test_the_members_that_decide_are_measured(wheel: Wheel) -> None:
    found = measured(wheel)
    assert (found.linker, found.cuda, found.cudnn) == ((14, 42), 12, 9)
    assert found.imports == {PROVIDER: ("cublas64_12.dll", "cudnn64_9.dll")}


def test_of_a_package_without_a_list_every_native_member_decides(wheel: Wheel) -> None:
    assert len(deciding_members(wheel, "something-else")) == 3
    assert measured(wheel, "something-else").linker == (14, 44)


def test_the_row_reads_as_the_tables_do(wheel: Wheel) -> None:
    row = toml_loads(measured(wheel).toml())["onnxruntime-gpu"][0]
    assert row["minor"] == "1.20"
    assert (row["vc_runtime"], row["cuda"], row["cudnn"]) == ("14.42", 12, 9)
    assert row["source"]
    known = release_of("onnxruntime-gpu", "1.20.1")
    assert known is not None
    assert (known.cuda_major, known.cudnn_major) == (row["cuda"], row["cudnn"])


def test_differences_from_the_table_are_named(wheel: Wheel) -> None:
    assert any(text.startswith("vc_runtime: table ") for text in differences(measured(wheel)))
    assert differences(measured(wheel, "something-else")) == ["the table does not have it"]


def test_versions_are_grouped_by_minor_release_oldest_first() -> None:
    listed = ["2.10.0", "2.9.1", " 2.9.0", "2.9.0rc1", "2.10.0.dev1"]
    assert by_minor(listed) == {"2.9": ["2.9.0", "2.9.1"], "2.10": ["2.10.0"]}
