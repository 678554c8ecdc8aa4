"""The usual suspects, and which package a module or file belongs to."""

from __future__ import annotations

import re

import pytest

from whyload.knowledge.causes import causes
from whyload.knowledge.reader import data_tables
from whyload.knowledge.releases import concerns
from whyload.knowledge.suspects import (
    Shape,
    Situation,
    Suspect,
    find_suspects,
    import_name,
    is_standard,
    known_packages,
    package_of,
    suspects,
)
from whyload.observe.text.clues import Platform, Trait

ENTRIES = suspects()
CODES = {cause.code for cause in causes()}
_NAMES_A_PLACE = re.compile(r"\w/\w|\bdocs?\b|documentation|guide|\.(?:org|ai)\b|What's New|Microsoft, ")


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: "-".join((*entry.packages[:1], *entry.shapes[:1])))
def test_entries(entry: Suspect) -> None:
    assert _NAMES_A_PLACE.search(entry.source), "others can look it up"
    assert set(entry.causes) <= CODES
    assert len(set(entry.causes)) == len(entry.causes)
    assert set(entry.shapes) <= {shape.value for shape in Shape}
    assert {*entry.traits, *entry.without} <= {trait.value for trait in Trait}
    assert entry.platform in (None, *(platform.value for platform in Platform))
    assert all(package in known_packages() or is_standard(package) for package in entry.packages)
    assert (entry.why is None) == (entry.why_zh is None)
    assert not entry.known or entry.why or entry.object, "what is established is said in words"


@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.platform == "windows"])
def test_what_is_absent_is_no_failed_initialisation(entry: Suspect) -> None:
    """Windows says 126 of a library that is not there; 1114 is said of one that is, and whose start failed."""
    if entry.shapes == (Shape.INIT_FAILED.value,):
        assert not entry.causes[0].startswith("missing-")
    assert not {Shape.NOT_FOUND.value, Shape.INIT_FAILED.value} <= set(entry.shapes)


@pytest.mark.parametrize("index", range(len(ENTRIES)))
def test_every_entry_is_reached(index: int) -> None:
    """A failure made after the entry finds it, and nothing in front of it hides it wholly."""
    entry = ENTRIES[index]
    situation = Situation(
        packages=entry.packages[:1],
        shapes=(Shape(entry.shapes[0]),),
        versions={entry.packages[0]: _version(entry.versions)} if entry.versions else {},
        python=next(one for one in ("3.11", "3.8", "3.6") if entry.python is None or concerns(entry.python, one)),
        platform=entry.platform,
        traits=frozenset(entry.traits),
        names=_NAMES,
    )
    assert entry in find_suspects(situation)


_NAMES = (
    "cuda_utils",
    "fbgemm.dll", "shm.dll", "c10.dll", "_C", "cudnn64_9.dll", "libcudnn.so.9", "torch_cuda.dll", "__nvJitLinkAddData",
    "iJIT_NotifyEvent", "onnxruntime_pybind11_state", "libgomp.so.1", "msvcp140.dll",
    "mkl_intel_thread.dll", "torch_cuda_cu.dll", "libc10.so", "_win32sysloader", "shiboken6", "libmxnet.dll",
    "libbitsandbytes_cpu.so", "caffe2_nvrtc.dll", "nvinfer.dll", "cublasLt64_12.dll", "libcublas.so.12", "LoadLibraryA",
    "libpython3.8.so.1.0", "cudnnCreateTensorDescriptor", "libcuda.so.1", "driver", "QtWebEngineWidgets",
    "libtorch_cpu.so", "cupti64_110.dll", "image.pyd",
)  # fmt: skip


def _version(specifier: str) -> str:
    return specifier.partition(",")[0].lstrip("=<>")


def test_packages_have_one_owner_each() -> None:
    tables = data_tables("suspects")
    table = tables["package"] | tables["standard"]
    modules = [module.lower() for names in table.values() for module in names]
    assert len(modules) == len(set(modules))
    assert all(name == name.lower() for name in table)
    assert all(name == name.lower() for names in table.values() for name in names[1:])


@pytest.mark.parametrize(
    ("package", "name"),
    [
        ("pillow", "PIL"),
        ("opencv-python", "cv2"),
        ("python-ssl", "_ssl"),
        ("stylegan", None),
        ("tensorflow-gpu", None),
        ("some-thing", "some_thing"),
    ],
)
def test_what_a_program_imports_of_a_package(package: str, name: str | None) -> None:
    assert import_name(package) == name


def test_groups_of_the_standard_library_are_no_distributions() -> None:
    assert is_standard("python-ssl")
    assert not is_standard("pillow")
    assert "python-ssl" not in known_packages()


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("C:\\v\\Lib\\site-packages\\torch\\lib\\fbgemm.dll", "torch"),
        ("onnxruntime_pybind11_state", "onnxruntime"),
        ("numpy.core._multiarray_umath", "numpy"),
        ("/v/lib/python3.11/site-packages/cv2/cv2.abi3.so", "opencv-python"),
        ("/v/lib/python3.11/site-packages/unheard_of/_x.so", "unheard-of"),
        ("win32api", "pywin32"),
        ("unheard_of", None),
    ],
)
def test_which_package_a_name_belongs_to(name: str, package: str | None) -> None:
    assert package_of(name) == package


def test_what_is_about_the_package_comes_before_what_is_about_any() -> None:
    situation = Situation(
        packages=("pywin32",),
        shapes=(Shape.NOT_FOUND,),
        versions={},
        python="3.11",
        platform="windows",
        traits=frozenset(),
        names=(),
    )
    first, *rest = find_suspects(situation)
    assert first.packages == ("pywin32",)
    assert all(not entry.packages for entry in rest)
