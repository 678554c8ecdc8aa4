"""Tables of published releases (ordered, complete) and known defects."""

from __future__ import annotations

import itertools

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from whyload.base.versions import PythonVersion
from whyload.knowledge.releases import concerns, defects, distributions, find_defects, release_of, releases

LAST_MINOR = {("torch", 1): 13}
"""The last minor of a major that was followed by the next major."""


@pytest.mark.parametrize("distribution", distributions())
def test_minors_are_ordered_and_none_is_left_out(distribution: str) -> None:
    minors = [
        (version.major, version.minor) for release in releases(distribution) for version in [Version(release.minor)]
    ]
    assert minors
    for (major, minor), following in itertools.pairwise(minors):
        end = LAST_MINOR.get((distribution, major)) == minor
        assert following == ((major + 1, 0) if end else (major, minor + 1))


@pytest.mark.parametrize("distribution", distributions())
def test_versions_belong_to_their_minor_and_ascend(distribution: str) -> None:
    for release in releases(distribution):
        versions = [Version(text) for text in release.versions]
        assert versions == sorted(versions)
        assert all(f"{version.major}.{version.minor}" == release.minor for version in versions)
        assert all(release_of(distribution, text) == release for text in release.versions)


@pytest.mark.parametrize("distribution", distributions())
def test_pythons_are_a_range_that_only_moves_up(distribution: str) -> None:
    ends: list[tuple[PythonVersion, PythonVersion]] = []
    for release in releases(distribution):
        standard = [version for version in release.pythons if not version.free_threaded]
        if not standard:
            assert release.versions == ()
            continue
        assert [version.minor for version in standard] == list(range(standard[0].minor, standard[-1].minor + 1))
        ends.append((standard[0], standard[-1]))
    assert ends == sorted(ends)
    assert [last for _, last in ends] == sorted(last for _, last in ends)


def test_facts_of_some_releases() -> None:
    torch = release_of("torch", "2.9.1+cu128")
    assert torch is not None
    assert torch.vc_runtime == (14, 42)  # linker version of c10.dll in the wheel
    assert PythonVersion(3, 14, True) in torch.pythons
    gpu = {minor: release_of("onnxruntime_gpu", f"{minor}.0") for minor in ("1.18", "1.19", "1.26", "1.27")}
    assert {minor: (release.cuda_major, release.cudnn_major) for minor, release in gpu.items() if release} == {
        "1.18": (11, 8),
        "1.19": (12, 9),
        "1.26": (12, 9),
        "1.27": (13, 9),
    }
    assert releases("no-such-package") == ()
    assert release_of("torch", "0.4.1") is None
    assert release_of("torch", "nonsense") is None


def test_torch_2_4_0_and_its_openmp_runtime() -> None:
    (defect,) = find_defects("torch", "2.4.0", "LIBOMP140.x86_64.dll")
    assert defect.fixed_in == "2.4.1"
    assert defect.cause == "missing-openmp"
    assert find_defects("torch", "2.4.0+cu121", "libomp140.x86_64.dll") == (defect,)
    assert find_defects("torch", "2.4.0", "libomp140.x86_64.dll", "cp311") == (defect,)
    assert find_defects("torch", "2.4.0", "libomp140.x86_64.dll", "cp38") == ()
    assert find_defects("torch", "2.4.1", "libomp140.x86_64.dll") == ()
    assert find_defects("torchvision", "2.4.0", "libomp140.x86_64.dll") == ()


def test_torch_2_3_and_its_mkl() -> None:
    for version in ("2.3.0", "2.3.1"):
        assert {d.id for d in find_defects("torch", version)} == {"torch-2.3-vcomp", "torch-2.3-mkl"}
    assert find_defects("torch", "2.2.2") == ()


@pytest.mark.parametrize(
    ("distribution", "version", "dll", "ids"),
    [
        ("torch", "2.8.0", "msvcp140.dll", []),
        ("torch", "2.9.0", "msvcp140.dll", ["torch-2.9-vc-floor"]),
        ("torch", "2.15.0", "vcruntime140_threads.dll", ["torch-2.14-threads"]),
        ("onnxruntime", "1.20.1", "msvcp140.dll", []),
        ("onnxruntime", "1.21.0", "msvcp140.dll", ["ort-vc-floor-1.21"]),
        ("onnxruntime", "1.22.0", "dxcore.dll", ["ort-dxcore-1.22.0"]),
        ("onnxruntime", "1.22.1", "dxcore.dll", []),
        ("ONNXRuntime_GPU", "1.22.0", "dxcore.dll", ["ort-gpu-dxcore-1.22.0"]),
        ("onnxruntime-gpu", "1.31.1", "msvcp140_atomic_wait.dll", ["ort-gpu-atomic-wait-1.31"]),
        ("onnxruntime", "not a version", "dxcore.dll", []),
    ],
)
def test_defects_by_version_and_file(distribution: str, version: str, dll: str, ids: list[str]) -> None:
    assert [defect.id for defect in find_defects(distribution, version, dll)] == ids


def test_cures_are_outside_the_defect() -> None:
    for defect in defects():
        affected = SpecifierSet(defect.versions)
        for cure in (defect.fixed_in, defect.last_good):
            assert cure is None or cure not in affected
        assert defect.fixed_in or defect.last_good or defect.id == "ort-gpu-extras-miss-cublas"


def test_cures_are_published() -> None:
    for defect in defects():
        published = {version for release in releases(defect.distribution) for version in release.versions}
        if defect.distribution in ("torch", "onnxruntime"):
            assert {cure for cure in (defect.fixed_in, defect.last_good) if cure} <= published


@pytest.mark.parametrize("operator", ["==", "!=", "<=", ">=", "<", ">"])
def test_plain_versions_are_compared_as_packaging_does(operator: str) -> None:
    versions = [
        "2",
        "2.4",
        "2.4.0",
        "2.4.0+cpu",
        "2.4.1",
        "2.4.10+cu121",
        "2.10",
        "10.0.0.0",
        "2.4.0rc1",
        "2.4.0.post1",
        "odd",
    ]
    for bound in ("2.4", "2.4.0", "2.4.1", "2.10", "2.4.0rc1", "2.4.*" if operator in ("==", "!=") else "3"):
        for specifier in (f"{operator}{bound}", f"{operator} {bound}, >=2.4, !=2.9"):
            for version in versions:
                try:
                    expected = SpecifierSet(specifier).contains(Version(version), prereleases=True)
                except InvalidVersion:
                    expected = False
                assert concerns(specifier, version) == expected, (specifier, version)
