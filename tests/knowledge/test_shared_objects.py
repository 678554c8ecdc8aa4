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


def test_what_a_distribution_calls_it() -> None:
    assert name_library("libGL.so.1").apt == "libgl1"
    assert name_library("libomp.dylib").brew == "libomp"


def test_entries_have_a_source() -> None:
    assert all(row["source"] for row in data_tables("shared_objects")["library"])
