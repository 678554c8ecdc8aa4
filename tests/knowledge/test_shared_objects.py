"""Libraries of any system by name."""

from __future__ import annotations

import pytest

from whyload.knowledge.libraries import Family
from whyload.knowledge.reader import data_tables
from whyload.knowledge.shared_objects import name_library


@pytest.mark.parametrize(
    ("name", "family", "major"),
    [
        ("libcudnn_ops_infer.so.8", Family.CUDNN, 8),
        ("libcudnn.so.9.1.0", Family.CUDNN, 9),
        ("/usr/lib/libcublas.so.11", Family.CUDA, 11),
        ("libcudart.so", Family.CUDA, None),
        ("libcuda.so.1", Family.NVIDIA_DRIVER, None),
        ("libgomp.so.1", Family.OPENMP, None),
        ("/opt/homebrew/opt/libomp/lib/libomp.dylib", Family.OPENMP, None),
        ("libpython3.10.so.1.0", Family.PYTHON, None),
        ("cublas64_12.dll", Family.CUDA, 12),
        ("MSVCP140.dll", Family.VC_RUNTIME, None),
        ("libunheard.so.3", None, None),
    ],
)
def test_families(name: str, family: Family | None, major: int | None) -> None:
    library = name_library(name)
    assert library.family is family
    if family is not Family.VC_RUNTIME:
        assert library.major == major


@pytest.mark.parametrize(
    ("name", "majors"),
    [
        ("libcublas.so.12", (12,)),
        ("libcufft.so.10", (10, 11)),  # jax and the wheels: CUDA 12 has libcufft.so.11, CUDA 13 libcufft.so.12
        ("libcufft.so.11.0.8.103", (12,)),
        ("libcusolver.so.11", (11, 12)),
        ("libcusparse.so.12", (12, 13)),
        ("libcurand.so.10", (10, 11, 12, 13)),
        ("libnvToolsExt.so.1", ()),
        ("libcudart.so", ()),
        ("curand64_10.dll", (10, 11, 12, 13)),
        ("cublas64_12.dll", (12,)),
        ("libcudnn.so.9", ()),
    ],
)
def test_which_cuda_has_a_library_of_that_name(name: str, majors: tuple[int, ...]) -> None:
    """The libraries that count their own versions do not have the major of their toolkit in their names."""
    assert name_library(name).cuda_majors == majors


def test_what_a_distribution_calls_it() -> None:
    assert name_library("libGL.so.1").apt == "libgl1"
    assert name_library("libomp.dylib").brew == "libomp"


def test_entries_have_a_source() -> None:
    assert all(row["source"] for row in data_tables("shared_objects")["library"])
