"""What packages that take CUDA from the machine were built with."""

from __future__ import annotations

import pytest

from whyload.knowledge.gpu_builds import GpuBuild, gpu_build
from whyload.knowledge.reader import data_tables


@pytest.mark.parametrize(
    ("package", "version", "cuda", "cudnn"),
    [
        ("tensorflow-gpu", "1.4.0", "8.0", 6),  # tensorflow.org, tested build configurations on Windows
        ("tensorflow-gpu", "1.12.0", "9.0", 7),
        ("tensorflow-gpu", "2.0.0", "10.0", 7),
        ("cupy-cuda101", "8.0.0", "10.1", None),
        ("cupy-cuda92", None, "9.2", None),
        ("cupy-cuda12x", "13.0.0", "12", None),
        ("mxnet-cu101mkl", "1.5.0", "10.1", None),
        ("dgl", "1.1.2+cu118", "11.8", None),
        ("llama-cpp-python", "0.2.88-cu124", "12.4", None),
        ("paddlepaddle-gpu", "1.6.3.post107", "10.0", 7),  # of old: the toolkit's major, then 7 for cuDNN 7
        ("paddlepaddle-gpu", "2.4.2.post117", "11.7", None),
    ],
)
def test_what_it_was_built_with(package: str, version: str | None, cuda: str, cudnn: int | None) -> None:
    assert gpu_build(package, version) == GpuBuild(package=package, cuda=cuda, cudnn=cudnn)


@pytest.mark.parametrize(
    ("package", "version"),
    [
        ("tensorflow-gpu", "2.1.0"),  # looks for CUDA only when it runs
        ("tensorflow", "1.14.0"),
        ("cupy", "8.0"),
        ("torch", "2.3.1+cu121"),  # brings CUDA along
        ("nvidia-cublas-cu12", "12.1"),
        ("numpy", None),
    ],
)
def test_those_that_bring_it_along_or_do_not_say(package: str, version: str | None) -> None:
    assert gpu_build(package, version) is None


@pytest.mark.parametrize(
    ("cuda", "toolkit", "takes"),
    [
        ("10.1", "10.1", True),
        ("10.1", "10.2", False),  # cudart64_101.dll, cudart64_102.dll
        ("9.0", "9", True),
        ("11.6", "11.8", True),  # cudart64_110.dll of every 11
        ("11.6", "12.1", False),
        ("12", "12.4", True),
        ("10.0", "10.x", True),
    ],
)
def test_which_toolkits_have_its_libraries(cuda: str, toolkit: str, takes: bool) -> None:
    assert GpuBuild(package="p", cuda=cuda, cudnn=None).takes(toolkit) is takes


def test_entries_have_a_source() -> None:
    tables = data_tables("gpu_builds")
    assert all(row["source"] for row in (*tables["build"], tables["own_tags"]))
