"""Names of DLLs and what they belong to; expectations typed from vendors' lists, not from the data."""

from __future__ import annotations

import pytest

from whyload.base.machine import Machine
from whyload.knowledge.libraries import Family, identify, remedy, same_library

FAMILIES = {
    Family.VC_RUNTIME: """
        vcruntime140.dll vcruntime140_1.dll vcruntime140_threads.dll msvcp140.dll msvcp140_1.dll
        msvcp140_2.dll msvcp140_atomic_wait.dll msvcp140_codecvt_ids.dll concrt140.dll vccorlib140.dll
        vcamp140.dll mfc140.dll mfc140u.dll mfcm140.dll mfcm140u.dll msvcr120.dll msvcp120.dll msvcr110.dll
        msvcp110.dll msvcr100.dll msvcp100.dll msvcr90.dll msvcp90.dll msvcr80.dll ucrtbase.dll
    """,
    Family.DEBUG_RUNTIME: """
        vcruntime140d.dll vcruntime140_1d.dll vcruntime140_threadsd.dll msvcp140d.dll msvcp140_1d.dll
        msvcp140_2d.dll msvcp140d_atomic_wait.dll msvcp140d_codecvt_ids.dll concrt140d.dll vcomp140d.dll
        vccorlib140d.dll mfc140d.dll mfc140ud.dll ucrtbased.dll msvcr120d.dll
    """,
    Family.OPENMP: """
        libiomp5md.dll libiompstubs5md.dll libomp140.x86_64.dll libomp140.i386.dll libomp140.aarch64.dll
        libomp.dll vcomp140.dll vcomp120.dll vcomp110.dll vcomp100.dll vcomp90.dll libgomp-1.dll
    """,
    Family.CUDA: """
        cudart64_100.dll cudart64_110.dll cudart64_12.dll cudart64_13.dll cublas64_11.dll cublasLt64_12.dll
        nvblas64_12.dll cufft64_10.dll cufftw64_12.dll curand64_10.dll cusolver64_11.dll cusolverMg64_12.dll
        cusparse64_12.dll nvrtc64_112_0.dll nvrtc64_120_0.dll nvrtc-builtins64_129.dll nvJitLink_120_0.dll
        nvvm64_40_0.dll cupti64_2025.2.1.dll nvToolsExt64_1.dll nppc64_12.dll nvjpeg64_12.dll
    """,
    Family.CUDNN: """
        cudnn64_7.dll cudnn64_8.dll cudnn_ops_infer64_8.dll cudnn_adv_train64_8.dll cudnn64_9.dll
        cudnn_graph64_9.dll cudnn_engines_precompiled64_9.dll cudnn_engines_tensor_ir64_9.dll zlibwapi.dll
    """,
    Family.NVIDIA_DRIVER: "nvcuda.dll nvml.dll nvcuvid.dll nvEncodeAPI64.dll nvapi64.dll",
    Family.WINDOWS_FEATURE: """
        mf.dll mfplat.dll mfreadwrite.dll mfcore.dll evr.dll dxva2.dll avicap32.dll msvfw32.dll opengl32.dll
        glu32.dll gdiplus.dll oledlg.dll d3d12.dll dxgi.dll
    """,
    Family.API_SET: """
        api-ms-win-core-path-l1-1-0.dll api-ms-win-crt-heap-l1-1-0.dll ext-ms-win-ntuser-window-l1-1-0.dll
    """,
    Family.WINDOWS: """
        kernel32.dll winhttp.dll ws2_32.dll dbghelp.dll msvcrt.dll msvcp_win.dll msvcp110_win.dll dxcore.dll
        msvcp140_clr0400.dll vcruntime140_clr0400.dll mfc42.dll msvcp60.dll winspool.drv
    """,
    Family.PYTHON: """
        python3.dll python38.dll python310.dll python313t.dll python27.dll python311_d.dll libffi-8.dll
        sqlite3.dll
    """,
    Family.OTHER_VENDOR: """
        nvinfer.dll nvinfer_10.dll nvonnxparser_10.dll amdhip64.dll ze_loader.dll vulkan-1.dll
        avcodec-61.dll
    """,
    Family.PACKAGE: """
        onnxruntime.dll onnxruntime_providers_cuda.dll mkl_intel_thread.1.dll mkl_rt.2.dll tbb12.dll c10.dll
        torch_cpu.dll Qt5Core.dll libcrypto-3-x64.dll libcrypto.dll libopenblas64__v0.3.21-gcc_10_3_0.dll
        msvcp140-263139962577ecda4cd9469ca360a746.dll
    """,
    Family.MINGW: "libstdc++-6.dll libgcc_s_seh-1.dll libwinpthread-1.dll libgfortran-5.dll cygwin1.dll",
}


@pytest.mark.parametrize(("family", "name"), [(f, name) for f, names in FAMILIES.items() for name in names.split()])
def test_family_of_a_name(family: Family, name: str) -> None:
    for spelling in (name, name.upper(), f"C:\\somewhere\\{name}"):
        library = identify(spelling)
        assert library is not None
        assert library.family is family
        assert library.source


@pytest.mark.parametrize("name", ["foo.dll", "_core.cp311-win_amd64.pyd", "", "pythonnet.dll", "python3000.dll"])
def test_nothing_is_invented_for_other_names(name: str) -> None:
    assert identify(name) is None


@pytest.mark.parametrize(
    ("name", "major", "stem"),
    [
        ("cudart64_12.dll", 12, "cudart64"),
        ("cudart64_110.dll", 11, "cudart64"),
        ("cublasLt64_13.dll", 13, "cublaslt64"),
        ("cufft64_10.dll", 11, "cufft64"),  # numbered apart from the toolkit
        ("cufft64_11.dll", 12, "cufft64"),
        ("curand64_10.dll", None, "curand64"),  # one name for all
        ("nvrtc64_120_0.dll", 12, "nvrtc64"),
        ("nvrtc-builtins64_118.dll", 11, "nvrtc-builtins64"),
        ("nvJitLink_130_0.dll", 13, "nvjitlink"),
        ("cudart64_14.dll", 14, "cudart64"),  # newer than the data
        ("cudnn64_8.dll", 8, "cudnn64"),
        ("cudnn_ops_infer64_8.dll", 8, "cudnn_ops_infer64"),
        ("cudnn64_9.dll", 9, "cudnn64"),
        ("nvinfer_10.dll", 10, "nvinfer"),
        ("nvcuda.dll", None, "nvcuda"),
        ("python310.dll", None, "python"),
        ("avcodec-61.dll", 61, "avcodec"),
    ],
)
def test_major_and_stem(name: str, major: int | None, stem: str) -> None:
    library = identify(name)
    assert library is not None
    assert (library.major, library.stem) == (major, stem)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("cublas64_11.dll", "CUBLAS64_12.dll", True),
        ("cudart64_110.dll", "cudart64_12.dll", True),
        ("cudnn64_8.dll", "cudnn64_9.dll", True),
        ("nvrtc64_112_0.dll", "nvrtc64_120_0.dll", True),
        ("msvcr110.dll", "msvcr120.dll", True),
        ("python310.dll", "python311.dll", True),
        ("avcodec-60.dll", "avcodec-61.dll", True),
        ("Foo.dll", "foo.DLL", True),
        ("cublas64_12.dll", "cublasLt64_12.dll", False),
        ("cudnn64_8.dll", "cudnn_ops_infer64_8.dll", False),
        ("vcruntime140.dll", "vcruntime140_1.dll", False),
        ("msvcp140.dll", "msvcp140d.dll", False),
        ("foo1.dll", "foo2.dll", False),
    ],
)
def test_same_library(first: str, second: str, same: bool) -> None:
    assert same_library(first, second) is same
    assert same_library(second, first) is same


def commands(name: str, machine: Machine = Machine.AMD64) -> list[str]:
    library = identify(name, machine)
    assert library is not None
    return [command for remedy in library.remedies for command in remedy.commands]


def test_the_redistributable_is_that_of_the_process() -> None:
    assert commands("msvcp140.dll")[0] == "winget install --id Microsoft.VCRedist.2015+.x64 -e"
    assert commands("msvcp140.dll", Machine.I386)[0] == "winget install --id Microsoft.VCRedist.2015+.x86 -e"
    assert commands("msvcp140.dll", Machine.ARM64)[0] == "winget install --id Microsoft.VCRedist.2015+.arm64 -e"


def test_nvidia_names_lead_to_their_package() -> None:
    assert commands("cublas64_12.dll") == ['{python} -m pip install "nvidia-cublas-cu12"']
    assert commands("cudnn64_8.dll") == [
        '{python} -m pip install "nvidia-cudnn-cu11==8.9.*"',
        '{python} -m pip install "nvidia-cudnn-cu12==8.9.*"',
    ]
    library = identify("cudnn64_8.dll")
    assert library is not None
    assert [remedy.when for remedy in library.remedies] == ["cuda-11", "cuda-12"]
    assert commands("nvcuda.dll") == []  # no package has the driver


def test_openmp_runtimes_keep_their_vendor() -> None:
    names = {
        "libiomp5md.dll": "intel",
        "libomp140.x86_64.dll": "llvm",
        "vcomp140.dll": "microsoft",
        "libgomp-1.dll": "gnu",
    }
    assert {name: library.vendor for name in names if (library := identify(name))} == names


def test_no_placeholder_of_the_data_is_left_over() -> None:
    for names in FAMILIES.values():
        for name in names.split():
            library = identify(name)
            assert library is not None
            for entry in library.remedies:
                words = " ".join([entry.title, entry.title_zh, *entry.commands, *entry.conda_commands])
                assert not {"{arch}", "{package}", "{folder}", "{requirement}", "{cuda}"} & set(words.split())
                assert "{arch}" not in words


@pytest.mark.parametrize(
    ("names", "release"),
    [
        ("mkl_rt.1.dll mkl_core.1.dll mkl_intel_thread.1.dll mkl_blacs_lp64.1.dll", "mkl==2021.*"),
        ("mkl_rt.2.dll mkl_core.2.dll mkl_def.2.dll mkl_intel_thread.2.dll", "mkl==2025.*"),
        ("mkl_rt.3.dll mkl_core.3.dll mkl_def.3.dll mkl_intel_thread.3.dll", "mkl>=2026"),
        # of the wheels 2025.3.1 and 2026.0.0 both have these:
        ("mkl_cdft_core.2.dll mkl_blacs_lp64.2.dll mkl_scalapack_lp64.2.dll", "mkl==2025.*"),
    ],
)
def test_the_release_of_mkl_that_has_the_file(names: str, release: str) -> None:
    for name in names.split():
        assert commands(name) == [f'{{python}} -m pip install "{release}"']


def test_no_release_of_mkl_on_offer_has_a_name_without_a_digit() -> None:
    assert commands("mkl_rt.dll") == ["{python} -m pip install --upgrade {dist}"]


def test_remedies_by_id() -> None:
    assert remedy("install-intel-openmp").commands == ("{python} -m pip install intel-openmp",)
    with pytest.raises(KeyError):
        remedy("download-the-dll")
