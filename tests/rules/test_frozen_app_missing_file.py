"""Cause: docs/causes.md `frozen-app-missing-file`; PyInstaller's onedir layout."""

from __future__ import annotations

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


def ask(files: dict[str, Dll | bytes], traceback: str | None = None) -> Report:
    base = {
        f"{APP}\\App.exe": Dll(name="App.exe", is_dll=False),
        f"{APP}\\_internal\\python311.dll": Dll(name="python311.dll", exports={"PyModule_Create2": 1}),
        f"{APP}\\_internal\\python3.dll": Dll(
            name="python3.dll", exports={"PyModule_Create2": "python311.PyModule_Create2"}
        ),
        f"{SYSTEM32}\\kernel32.dll": Dll(name="kernel32.dll", exports={"f": 1}),
    }
    executable = WinPath(f"{APP}\\App.exe")
    return ask_bundle(
        World(
            kind=WorldKind.FOLDER,
            files=MemoryFiles({**base, **files}),
            registry=KnownRegistry({}),
            environment=Environment({"PATH": SYSTEM32}),
            system=SystemInfo(),
            python=PythonInstallation(executable=executable, version=PythonVersion(3, 11), layout=Layout.PYINSTALLER),
            process=ProcessState(application=executable, cwd=WinPath("C:\\")),
            traceback=traceback,
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
