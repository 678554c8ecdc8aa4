"""NVIDIA's files: toolkit, package and folder of each, toolkits by version, drivers."""

from __future__ import annotations

import pytest

from whyload.knowledge import cuda


@pytest.mark.parametrize(
    ("dll", "major", "package", "folder"),
    [
        ("cudart64_110.dll", 11, "nvidia-cuda-runtime-cu11", "nvidia\\cuda_runtime\\bin"),
        ("cudart64_12.dll", 12, "nvidia-cuda-runtime-cu12", "nvidia\\cuda_runtime\\bin"),
        ("cudart64_13.dll", 13, "nvidia-cuda-runtime", "nvidia\\cu13\\bin\\x86_64"),
        ("cublasLt64_12.dll", 12, "nvidia-cublas-cu12", "nvidia\\cublas\\bin"),
        ("cufft64_11.dll", 12, "nvidia-cufft-cu12", "nvidia\\cufft\\bin"),
        ("curand64_10.dll", 13, "nvidia-curand", "nvidia\\cu13\\bin\\x86_64"),
        ("cusparse64_12.dll", 12, "nvidia-cusparse-cu12", "nvidia\\cusparse\\bin"),
        ("cusparse64_12.dll", 13, "nvidia-cusparse", "nvidia\\cu13\\bin\\x86_64"),
        ("nvJitLink_120_0.dll", 12, "nvidia-nvjitlink-cu12", "nvidia\\nvjitlink\\bin"),
        ("nvrtc64_120_0.dll", 12, "nvidia-cuda-nvrtc-cu12", "nvidia\\cuda_nvrtc\\bin"),
        ("cudnn64_9.dll", 13, "nvidia-cudnn-cu13", "nvidia\\cudnn\\bin"),
        ("cudnn64_8.dll", 12, "nvidia-cudnn-cu12", "nvidia\\cudnn\\bin"),
    ],
)
def test_package_of_a_dll(dll: str, major: int, package: str, folder: str) -> None:
    library = cuda.library(dll.upper())
    assert library is not None
    found = library.package_for(major)
    assert found is not None
    assert (found.name, found.folder) == (package, folder)


def test_no_package_for_a_major_that_does_not_have_it() -> None:
    library = cuda.library("cudart64_12.dll")
    assert library is not None
    assert library.package_for(11) is None
    assert cuda.library("cudart.dll") is None


@pytest.mark.parametrize(
    ("dll", "major"),
    [
        ("cublas64_12.dll", 12),
        ("cusolver64_12.dll", 13),
        ("cusolver64_11.dll", None),
        ("curand64_10.dll", None),
        ("cufft64_99.dll", None),
    ],
)
def test_cuda_major(dll: str, major: int | None) -> None:
    assert cuda.cuda_major(dll) == major


def test_dll_names_are_said_once() -> None:
    rows = cuda.libraries()
    assert len({row.dll.lower() for row in rows}) == len(rows)
    assert all(row.first is None or row.last is None or row.first <= row.last for row in rows)


def test_toolkit_of_a_version() -> None:
    eleven = cuda.toolkit((11, 8))
    assert str(eleven.folder).endswith("CUDA\\v11.8\\bin")
    assert {"cudart64_110.dll", "cufft64_10.dll", "cusolver64_11.dll", "cusparse64_11.dll", "nvrtc64_112_0.dll"} <= set(
        eleven.files
    )
    assert "nvJitLink_120_0.dll" not in eleven.files
    thirteen = cuda.toolkit((13, 0))
    assert str(thirteen.folder).endswith("CUDA\\v13.0\\bin\\x64")
    assert {"cudart64_13.dll", "cufft64_12.dll", "cusolver64_12.dll", "nvJitLink_130_0.dll"} <= set(thirteen.files)
    assert not [name for name in thirteen.files if name.startswith(("cudnn", "nvinfer", "nvcuda"))]


def test_every_toolkit_has_one_runtime() -> None:
    for text in cuda.toolkit_versions():
        version = cuda.parse_toolkit(text)
        assert version is not None
        assert len([name for name in cuda.toolkit(version).files if name.startswith("cudart64_")]) == 1


def test_toolkits_are_ordered() -> None:
    versions = [cuda.parse_toolkit(text) for text in cuda.toolkit_versions()]
    assert None not in versions
    assert versions == sorted(versions, key=lambda version: version or (0, 0))
    assert cuda.parse_toolkit("12.7") is None
    assert cuda.parse_toolkit("12") is None


def test_drivers() -> None:
    packaged = cuda.driver_of_toolkit((12, 4))
    assert packaged is not None
    assert packaged.driver == (551, 61)
    assert cuda.driver_of_toolkit((13, 0)) is None  # NVIDIA's table names no Windows driver
    assert [minimum.driver for major in (11, 12, 13) if (minimum := cuda.driver_of_major(major))] == [
        (452, 39),
        (525,),
        (580,),
    ]
    assert cuda.driver_of_major(10) is None
