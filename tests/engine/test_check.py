"""`check` on wheels made for the purpose; what is missing is known by construction."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.testbed.memory import Content, _content
from tests.testbed.pewriter import Dll
from whyload.base.errors import UsageError
from whyload.base.versions import PythonVersion
from whyload.engine.check import check_wheels
from whyload.findings.model import Severity
from whyload.findings.report import Report, Verdict
from whyload.knowledge.systems import parse_profile
from whyload.world.clean_machine import Target
from whyload.world.wheel import Wheel, open_wheel


def wheel(folder: Path, files: Mapping[str, Content], name: str = "pkg") -> Wheel:
    path = folder / f"{name}-1.0-cp311-cp311-win_amd64.whl"
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in files.items():
            archive.writestr(member, _content(member, content))
        names = [*files, f"{info}/METADATA", f"{info}/RECORD"]
        archive.writestr(f"{info}/METADATA", f"Name: {name}\nVersion: 1.0\n")
        archive.writestr(f"{info}/RECORD", "".join(f"{member},,\n" for member in names))
    return open_wheel(path)


def check(folder: Path, files: Mapping[str, Content], profile: str = "windows-11", name: str = "pkg") -> Report:
    target = Target(python=PythonVersion(3, 11), profile=parse_profile(profile))
    return check_wheels((wheel(folder, files, name),), target, name)


MODULE = Dll(name="_x.pyd", pyinit="_x", imports={"MSVCP140.dll": ["f"]})
INIT = "from . import _x\n"


def test_a_clean_windows_has_no_cpp_runtime(tmp_path: Path) -> None:
    report = check(tmp_path, {"pkg/__init__.py": INIT, "pkg/_x.pyd": MODULE})
    finding = report.findings[0]
    assert (report.verdict, finding.code, finding.object) == (Verdict.FAILS, "missing-vc-runtime", "MSVCP140.dll")
    assert str(finding.culprit) == "C:\\Python\\Lib\\site-packages\\pkg\\_x.pyd"


def test_with_the_redistributable_it_loads(tmp_path: Path) -> None:
    report = check(tmp_path, {"pkg/__init__.py": INIT, "pkg/_x.pyd": MODULE}, "windows-11+vcredist")
    assert (report.verdict, report.findings) == (Verdict.LOADS, ())


def test_a_module_that_the_import_does_not_reach_is_a_warning(tmp_path: Path) -> None:
    report = check(tmp_path, {"pkg/__init__.py": "", "pkg/_x.pyd": MODULE, "pkg/other.cp39-win_amd64.pyd": MODULE})
    assert report.verdict is Verdict.DEGRADED
    assert [(f.code, f.severity) for f in report.findings] == [("missing-vc-runtime", Severity.WARNING)]
    assert report.exit_code == 0


def test_delvewheels_folder_is_added(tmp_path: Path) -> None:
    block = (
        "def _delvewheel_patch_1_5_2():\n"
        "    import os\n"
        "    libs_dir = os.path.abspath(os.path.join(os.path.dirname(__file__), os.pardir, 'pkg.libs'))\n"
        "    if os.path.isdir(libs_dir):\n"
        "        os.add_dll_directory(libs_dir)\n\n"
        "_delvewheel_patch_1_5_2()\n"
    )
    files: dict[str, Content] = {
        "pkg/__init__.py": block + INIT,
        "pkg/_x.pyd": Dll(name="_x.pyd", pyinit="_x", imports={"zlib-1234.dll": ["f"]}),
        "pkg.libs/zlib-1234.dll": Dll(name="zlib-1234.dll", exports={"f": 1}),
    }
    assert check(tmp_path, files).verdict is Verdict.LOADS


def test_several_top_level_modules_share_a_cause(tmp_path: Path) -> None:
    files: dict[str, Content] = {"pkg/__init__.py": INIT, "pkg/_x.pyd": MODULE, "twin/__init__.py": "import pkg\n"}
    report = check(tmp_path, files)
    assert report.question.modules == ("pkg", "twin")
    assert len(report.findings) == 1


def test_a_single_module_at_the_top(tmp_path: Path) -> None:
    report = check(tmp_path, {"_x.cp311-win_amd64.pyd": MODULE}, name="x")
    assert report.question.modules == ("_x",)
    assert report.findings[0].code == "missing-vc-runtime"


def test_what_is_not_installed(tmp_path: Path) -> None:
    from whyload.engine.check import check_distribution
    from whyload.world.clean_machine import requirement_world

    target = Target(python=PythonVersion(3, 11), profile=parse_profile("windows-11"))
    with pytest.raises(UsageError, match="not installed"):
        check_distribution(requirement_world((), target), "ghost")


def test_a_folder_of_installed_packages_and_a_single_library(tmp_path: Path) -> None:
    from whyload.api.checks import CheckOptions, check

    site = tmp_path / "site"
    with zipfile.ZipFile(wheel(tmp_path, {"pkg/__init__.py": INIT, "pkg/_x.pyd": MODULE}).path) as archive:
        archive.extractall(site)
    clean, equipped = (
        CheckOptions(profile="windows-11", python="3.11"),
        CheckOptions(profile="windows-11+vcredist", python="3.11"),
    )
    assert check(str(site), clean, print).findings[0].code == "missing-vc-runtime"
    assert check(str(site), equipped, print).verdict is Verdict.LOADS
    library = str(site / "pkg" / "_x.pyd")
    assert check(library, clean, print).findings[0].object == "MSVCP140.dll"
    assert check(library, equipped, print).verdict is Verdict.LOADS
    with pytest.raises(UsageError, match="no installed distribution"):
        check(str(tmp_path), clean, print)


def test_a_frozen_application(tmp_path: Path) -> None:
    from tests.testbed.pewriter import build
    from whyload.api.checks import CheckOptions, check

    (tmp_path / "_internal").mkdir()
    (tmp_path / "App.exe").write_bytes(build(Dll(name="App.exe", is_dll=False)))
    (tmp_path / "_internal" / "python311.dll").write_bytes(
        build(Dll(name="python311.dll", exports={"PyModule_Create2": 1}))
    )
    (tmp_path / "_internal" / "_x.pyd").write_bytes(build(Dll(name="_x.pyd", imports={"MSVCP140.dll": ["f"]})))
    report = check(str(tmp_path), CheckOptions(profile="windows-11", python="3.11"), print)
    assert (report.verdict, report.findings[0].code) == (Verdict.FAILS, "frozen-app-missing-file")


def test_a_runtime_of_the_profile_that_is_too_old(tmp_path: Path) -> None:
    module = Dll(name="_x.pyd", pyinit="_x", imports={"msvcp140.dll": ["_Mtx_lock"]}, linker=(14, 40))
    files: dict[str, Content] = {"pkg/__init__.py": INIT, "pkg/_x.pyd": module}
    old = check(tmp_path, files, "windows-11+vcredist=14.34")
    assert [finding.code for finding in old.findings] == ["old-vc-runtime"]
    assert check(tmp_path, files, "windows-11+vcredist=14.44").findings == ()


def test_modules_below_a_namespace_package(tmp_path: Path) -> None:
    files: dict[str, Content] = {
        "google/protobuf/__init__.py": "",
        "google/_upb/_message.pyd": Dll(name="_message.pyd", pyinit="_message"),
    }
    report = check(tmp_path, files)
    assert report.question.modules == ("google._upb._message", "google.protobuf")
    assert report.verdict is Verdict.LOADS


def test_a_distribution_with_nothing_to_load(tmp_path: Path) -> None:
    report = check(tmp_path, {"pkg-docs.txt": "text"})
    assert (report.verdict, report.exit_code) == (Verdict.UNKNOWN, 3)
    assert "it has no module and no library that could be loaded" in [item.why.en for item in report.not_checked]


def test_a_distribution_of_libraries_only(tmp_path: Path) -> None:
    files: dict[str, Content] = {
        "nvidia/cudnn/bin/cudnn64_9.dll": Dll(name="cudnn64_9.dll", imports={"cudnn_ops64_9.dll": ["f"]}),
        "nvidia/cudnn/bin/cudnn_ops64_9.dll": Dll(name="cudnn_ops64_9.dll", exports={"f": 1}),
    }
    assert check(tmp_path, files).verdict is Verdict.LOADS
    del files["nvidia/cudnn/bin/cudnn_ops64_9.dll"]
    report = check(tmp_path, files)
    assert (report.verdict, report.findings[0].code) == (Verdict.DEGRADED, "missing-cudnn")


@pytest.mark.parametrize(("minor", "verdict"), [(11, Verdict.LOADS), (12, Verdict.UNKNOWN)])
def test_setuptools_comes_with_python_up_to_3_11(minor: int, verdict: Verdict, tmp_path: Path) -> None:
    """What's New In Python 3.12: ensurepip and venv do not install setuptools any more."""
    made = wheel(tmp_path, {"pkg/__init__.py": "import pip\nimport setuptools\n", "pkg/_x.pyd": Dll(name="_x.pyd")})
    report = check_wheels((made,), Target(python=PythonVersion(3, minor), profile=parse_profile("windows-11")), "pkg")
    assert (report.verdict, report.findings) == (verdict, ())
