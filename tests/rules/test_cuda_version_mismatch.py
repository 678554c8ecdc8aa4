"""Cause: docs/causes.md `cuda-version-mismatch`."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, module
from tests.testbed.memory import record, world
from tests.testbed.pewriter import Dll


def test_a_version_of_a_package_counts_as_around() -> None:
    files = {MODULE: module({"cudart64_12.dll": ["f"]})}
    files |= record(
        "nvidia-cuda-runtime-cu11",
        "11.8.89",
        {"nvidia/cuda_runtime/bin/cudart64_110.dll": Dll(name="cudart64_110.dll", exports={"f": 1})},
    )  # type: ignore[arg-type]
    assert codes(ask(world(files))) == ["cuda-version-mismatch"]


def test_another_library_of_cuda_is_no_version_of_it() -> None:
    files = {MODULE: module({"cudart64_12.dll": ["f"]}), "C:\\cuda\\bin\\cublas64_11.dll": Dll(name="cublas64_11.dll")}
    assert codes(ask(world(files, path=["C:\\cuda\\bin"]))) == ["missing-cuda-toolkit"]
