"""Cause: docs/causes.md `frozen-app-missing-file`; PyInstaller's onedir layout."""

from __future__ import annotations

import pytest

from tests.rules.asking import module
from tests.testbed.memory import SYSTEM32, MemoryFiles
from tests.testbed.pewriter import Dll
from whyload.base.paths import WinPath
from whyload.base.versions import PythonVersion
from whyload.engine.bundle import ask_bundle
from whyload.findings.model import Severity
from whyload.findings.report import Report, Verdict
from whyload.world.files import KnownRegistry
from whyload.world.model import Environment, Layout, ProcessState, PythonInstallation, SystemInfo, World, WorldKind

APP = "C:\\Program Files\\App"


def ask(
    files: dict[str, Dll | bytes], said: str | None = None, layout: Layout = Layout.PYINSTALLER, *, bare: bool = False
) -> Report:
    base: dict[str, Dll | bytes] = {
        f"{APP}\\App.exe": Dll(name="App.exe", is_dll=False),
        f"{SYSTEM32}\\kernel32.dll": Dll(name="kernel32.dll", exports={"f": 1}),
    }
    if not bare:
        folder = f"{APP}\\_internal" if layout is Layout.PYINSTALLER else APP
        python = Dll(name="python311.dll", exports={"PyModule_Create2": 1})
        stable = Dll(name="python3.dll", exports={"PyModule_Create2": "python311.PyModule_Create2"})
        base |= {f"{folder}\\python311.dll": python, f"{folder}\\python3.dll": stable}
    executable = WinPath(f"{APP}\\App.exe")
    return ask_bundle(
        World(
            kind=WorldKind.FOLDER,
            files=MemoryFiles({**base, **files}),
            registry=KnownRegistry({}),
            environment=Environment({"PATH": SYSTEM32}),
            system=SystemInfo(),
            python=PythonInstallation(executable=executable, version=PythonVersion(3, 11), layout=layout),
            process=ProcessState(application=executable, cwd=WinPath("C:\\")),
            traceback=said,
        )
    )


def test_an_extension_module_without_its_library() -> None:
    path = f"{APP}\\_internal\\pkg\\_x.pyd"
    report = ask({path: module({"openblas.dll": ["f"]})})
    assert report.verdict is Verdict.FAILS
    assert [(f.code, str(f.culprit), f.object) for f in report.findings] == [
        ("frozen-app-missing-file", path, "openblas.dll")
    ]


def test_libraries_in_the_bundle_are_found_through_setdlldirectory() -> None:
    files = {
        f"{APP}\\_internal\\pkg\\_x.pyd": module({"openblas.dll": ["f"]}),
        f"{APP}\\_internal\\openblas.dll": Dll(name="openblas.dll", exports={"f": 1}),
    }
    report = ask(dict(files))
    assert (report.verdict, report.findings) == (Verdict.LOADS, ())


def test_a_plugin_that_nothing_reaches_is_a_warning() -> None:
    report = ask({f"{APP}\\_internal\\plugin.dll": Dll(name="plugin.dll", imports={"gone.dll": ["f"]})})
    assert report.verdict is Verdict.LOADS
    assert [finding.severity for finding in report.findings] == [Severity.WARNING]


def test_a_bundle_that_lacks_the_driver_is_not_healthy() -> None:
    report = ask({f"{APP}\\_internal\\_x.pyd": module({"nvcuda.dll": ["f"]})})
    assert (report.verdict, [finding.code for finding in report.findings]) == (Verdict.FAILS, ["missing-nvidia-driver"])


def test_another_version_in_the_bundle_does_not_help() -> None:
    files: dict[str, Dll | bytes] = {
        f"{APP}\\_internal\\_x.pyd": module({"cudart64_12.dll": ["f"]}),
        f"{APP}\\_internal\\cudart64_110.dll": Dll(name="cudart64_110.dll", exports={"f": 1}),
    }
    report = ask(files)
    assert (report.verdict, [finding.code for finding in report.findings]) == (
        Verdict.FAILS,
        ["frozen-app-missing-file"],
    )


def test_a_library_in_another_folder_of_the_bundle_may_be_loaded_first() -> None:
    """PySide6's `__init__`, which is packed, adds the folder of shiboken6."""
    files: dict[str, Dll | bytes] = {
        f"{APP}\\_internal\\pkg\\_x.pyd": module({"other.dll": ["f"]}),
        f"{APP}\\_internal\\sib\\other.dll": Dll(name="other.dll", exports={"f": 1}),
    }
    report = ask(files)
    assert (report.verdict, [f.severity for f in report.findings]) == (Verdict.LOADS, [Severity.WARNING])
    told = ask(files, said="ImportError: DLL load failed while importing _x: The specified module could not be found.")
    assert (told.verdict, told.findings[0].object, told.findings[0].severity) == (
        Verdict.FAILS,
        "other.dll",
        Severity.ERROR,
    )


@pytest.mark.parametrize(
    "said",
    [
        "ModuleNotFoundError: No module named 'pkg._y'",
        "ImportError: cannot import name '_y' from 'pkg' (pkg\\__init__.pyc)",
    ],
)
def test_a_module_that_was_not_collected(said: str) -> None:
    report = ask({f"{APP}\\_internal\\pkg\\_x.pyd": module({})}, said=said)
    assert report.verdict is Verdict.FAILS
    assert [(f.code, f.object) for f in report.findings] == [("frozen-app-missing-file", "pkg._y")]
    there = ask({f"{APP}\\_internal\\pkg\\_y.pyd": Dll(name="_y.pyd", pyinit="_y")}, said=said)
    assert "frozen-app-missing-file" not in [f.code for f in there.findings]


def test_the_lib_folder_of_cx_freeze_is_searched() -> None:
    files: dict[str, Dll | bytes] = {
        f"{APP}\\lib\\library.zip": b"PK",
        f"{APP}\\lib\\pkg\\_x.pyd": module({"other.dll": ["f"]}),
        f"{APP}\\lib\\other.dll": Dll(name="other.dll", exports={"f": 1}),
    }
    assert ask(files, layout=Layout.FROZEN).findings == ()
    del files[f"{APP}\\lib\\other.dll"]
    assert [(f.code, f.object) for f in ask(files, layout=Layout.FROZEN).findings] == [
        ("frozen-app-missing-file", "other.dll")
    ]


def test_nuitka_keeps_everything_beside_the_program() -> None:
    files: dict[str, Dll | bytes] = {
        f"{APP}\\pkg\\_x.pyd": module({"other.dll": ["f"]}),
        f"{APP}\\other.dll": Dll(name="other.dll", exports={"f": 1}),
    }
    assert ask(files, layout=Layout.FROZEN).verdict is Verdict.LOADS


def test_a_program_in_one_file_is_not_known() -> None:
    report = ask({}, bare=True)
    assert (report.verdict, report.findings) == (Verdict.UNKNOWN, ())
    assert any("_MEI" in item.why.en for item in report.not_checked)
