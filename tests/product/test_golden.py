"""The product on real published wheels and the real Windows Python: what each install does was established by reports.

torch 2.4.0 for Python 3.11 needs `libomp140.x86_64.dll`, which nothing but Visual Studio installs (kohya-ss/sd-scripts
issue 1597); 2.4.1 does not. onnxruntime needs the Visual C++ redistributable (its own documentation).
The last judge is the run itself: the same Windows Python imports the package under Wine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.testbed.cache import cache_dir, link_tree
from tests.testbed.pewriter import Dll, build
from tests.testbed.wheels import embed, wheel
from tests.testbed.wine import WineMachine
from whyload.cli.main import main
from whyload.report.schema import report_schema

ROOT = Path(__file__).parents[2]
SITE = "C:/Python/Lib/site-packages"
NEEDS = (
    "numpy==1.26.4", "typing_extensions==4.12.2", "filelock==3.16.0", "sympy==1.13.1", "mpmath==1.3.0",
    "networkx==3.3", "jinja2==3.1.4", "MarkupSafe==2.1.5", "fsspec==2024.9.0",
)  # fmt: skip
TORCH = "C:\\Python\\Lib\\site-packages\\torch\\lib\\fbgemm.dll"

pytestmark = [pytest.mark.wheels]


@pytest.fixture
def machine() -> Iterator[WineMachine]:
    with WineMachine() as made:
        made.install_python("3.11")
        yield made


@pytest.fixture(autouse=True)
def _cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHYLOAD_CACHE", str(cache_dir() / "product"))


def equip(machine: WineMachine, *requirements: str, runtime: bool = True) -> None:
    if runtime:
        machine.vcredist("14.44")
    for requirement in requirements:
        machine.install_wheel(wheel(requirement))


def install_whyload(machine: WineMachine, folder: str) -> None:
    """The project's own files and its one dependency, as pip would put them."""
    link_tree(ROOT / "src" / "whyload", machine.host(f"{folder}/whyload"))
    machine.install_wheel(wheel("packaging==24.1"))
    if not folder.startswith(SITE):
        link_tree(machine.host(f"{SITE}/packaging"), machine.host(f"{folder}/packaging"))


def asked(machine: WineMachine, *arguments: str) -> dict[str, Any]:
    """`whyload ARGUMENTS --json` typed on that machine, in an interpreter of its own."""
    tool = machine.host("C:/tool")
    if not tool.exists():
        tool.mkdir()
        link_tree(embed("3.11"), tool)
        machine.write("C:/tool/python311._pth", b"python311.zip\n.\nsite\n")
        install_whyload(machine, "C:/tool/site")
    done = machine.run(["C:\\tool\\python.exe", "-m", "whyload", arguments[0], "--json", *arguments[1:]])
    assert done.stdout, done.stderr[-2000:]
    report: dict[str, Any] = json.loads(done.stdout)
    jsonschema.validate(report, report_schema())
    return report


def first(report: dict[str, Any]) -> tuple[str, str | None, str | None]:
    finding = report["findings"][0]
    return finding["code"], finding["culprit"], finding["object"]


def described(
    machine: WineMachine, tmp_path: Path, *arguments: str, capsys: pytest.CaptureFixture[str]
) -> dict[str, Any]:
    """The same machine's drive as a folder, from here."""
    world = tmp_path / "world.json"
    world.write_text('{"python": "C:/Python/python.exe", "cwd": "C:/", "default_path": "C:\\\\Windows\\\\System32"}')
    main([arguments[0], "--root", str(machine.host("C:/")), "--world", str(world), "--json", *arguments[1:]])
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


@pytest.mark.wine
def test_torch_2_4_0_fails_for_want_of_openmp(
    machine: WineMachine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """R4.11, row 100: named is the first file in the order of the folder whose tree is broken (R4.9)."""
    equip(machine, "torch==2.4.0", *NEEDS)
    ran = machine.run(["C:\\Python\\python.exe", "-c", "import torch"])
    assert "fbgemm.dll" in ran.stderr, "the judge: the real import fails and names only this file"
    python = ("--python", "C:\\Python\\python.exe")
    for report in (
        asked(machine, "import", *python, "torch"),
        asked(machine, "run", *python, "-c", "import torch"),
        described(machine, tmp_path, "import", "torch", capsys=capsys),
    ):
        assert report["verdict"] == "fails"
        assert first(report) == ("missing-openmp", TORCH, "libomp140.x86_64.dll")
        assert report["findings"][0]["certainty"] == "proved"
        assert report["findings"][0]["remedies"][0]["commands"][0].endswith("pip install torch==2.4.1")


@pytest.mark.wine
def test_torch_2_4_1_loads(machine: WineMachine, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Row 101."""
    equip(machine, "torch==2.4.1", *NEEDS)
    ran = machine.run(["C:\\Python\\python.exe", "-c", "import torch; print(torch.ones(2).sum().item())"])
    assert ran.stdout.strip() == "2.0"
    for report in (
        asked(machine, "import", "--python", "C:\\Python\\python.exe", "torch"),
        described(machine, tmp_path, "import", "torch", capsys=capsys),
    ):
        assert (report["verdict"], report["findings"]) == ("loads", [])


@pytest.mark.wine
def test_typed_in_the_python_that_fails(machine: WineMachine) -> None:
    equip(machine, "onnxruntime==1.17.1", "numpy==1.26.4", runtime=False)
    install_whyload(machine, SITE)
    done = machine.run(["C:\\Python\\python.exe", "-m", "whyload", "onnxruntime"])
    assert done.returncode == 1
    head = "onnxruntime\\capi\\onnxruntime_pybind11_state.pyd` cannot load because `MSVCP140.dll` was not found"
    assert done.stdout.splitlines()[0] == f"error[missing-vc-runtime]: `{head}"


@pytest.mark.wine
def test_a_library_that_only_path_leads_to(machine: WineMachine) -> None:
    module = Dll(name="_C.pyd", pyinit="_C", imports={"cudart64_12.dll": ["cudaMalloc"]})
    machine.write(f"{SITE}/gpukern/_C.cp311-win_amd64.pyd", build(module))
    machine.write(f"{SITE}/gpukern/__init__.py", b"from . import _C\n")
    machine.write("C:/cuda/bin/cudart64_12.dll", build(Dll(name="cudart64_12.dll", exports={"cudaMalloc": 1})))
    code = "import os; os.environ['PATH'] += r';C:\\cuda\\bin'; import gpukern"
    report = asked(machine, "run", "--python", "C:\\Python\\python.exe", "-c", code)
    assert first(report)[0] == "dependency-not-on-search-path"
    assert report["findings"][0]["found_at"] == "C:\\cuda\\bin\\cudart64_12.dll"
    code = "import os; os.add_dll_directory(r'C:\\cuda\\bin'); import gpukern"
    assert asked(machine, "run", "--python", "C:\\Python\\python.exe", "-c", code)["verdict"] == "loads"


@pytest.mark.parametrize(
    ("requirement", "profile", "expected"),
    [
        ("torch==2.4.0", "windows-11-23h2+vcredist", ("missing-openmp", TORCH, "libomp140.x86_64.dll")),
        ("torch==2.4.1", "windows-11-23h2+vcredist", None),
        ("torch==2.4.1", "windows-11", ("missing-vc-runtime", TORCH.replace("fbgemm", "c10"), "MSVCP140.dll")),
        ("numpy==1.26.4", "windows-10", None),
    ],
)
def test_check(
    requirement: str, profile: str, expected: tuple[str, str, str] | None, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["check", requirement, "--python-version", "3.11", "--os", profile, "--json"])
    report = json.loads(capsys.readouterr().out)
    if expected is None:
        assert (code, report["verdict"], report["findings"]) == (0, "loads", [])
    else:
        assert (code, report["verdict"], first(report)) == (1, "fails", expected)
        assert report["findings"][0]["certainty"] == "proved"
