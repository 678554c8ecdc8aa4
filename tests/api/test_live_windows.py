"""One fault, four ways to ask: the real run, the machine's files read elsewhere, and a snapshot of either."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.observe.tool import TOOL, install_tool
from tests.testbed.dll import Dll
from tests.testbed.pewriter import build
from tests.testbed.wine import WineMachine
from whyload.api.questions import ask_import, ask_run
from whyload.api.snapshots import take_snapshot
from whyload.api.worlds import WorldChoice
from whyload.findings.report import Question, QuestionKind, Report, Verdict

pytestmark = pytest.mark.wine
SITE = "C:/Python/Lib/site-packages"
PACKAGES: dict[str, dict[str, bytes]] = {
    "fine": {"__init__.py": b"from . import _x\n", "_x.pyd": build(Dll(name="_x.pyd", pyinit="_x"))},
    "gone": {
        "__init__.py": b"from . import _x\n",
        "_x.pyd": build(Dll(name="_x.pyd", pyinit="_x", imports={"absent.dll": ["f"]})),
    },
    "added": {
        "__init__.py": b"import os\nos.add_dll_directory(os.path.join(os.path.dirname(__file__), 'lib'))\n"
        b"from . import _x\n",
        "_x.pyd": build(Dll(name="_x.pyd", pyinit="_x", imports={"dep.dll": ["f"]})),
        "lib/dep.dll": build(Dll(name="dep.dll", exports={"f": 1}, imports={"deeper.dll": ["g"]})),
    },
    "byctypes": {"__init__.py": b"import ctypes\nctypes.CDLL('nowhere-at-all.dll')\n"},
    "empty": {"__init__.py": b"from . import _x\n", "_x.pyd": b""},
    "elsewhere": {
        "__init__.py": b"from . import _x\n",
        "_x.pyd": build(Dll(name="_x.pyd", pyinit="_x", imports={"onpath.dll": ["f"]})),
    },
    "survives": {
        "__init__.py": b"try:\n    from . import _y\nexcept ImportError:\n    pass\n",
        "_y.pyd": b"no library",
    },
}


@pytest.fixture(scope="module")
def windows() -> Iterator[WineMachine]:
    with WineMachine() as made:
        install_tool(made)
        for package, files in PACKAGES.items():
            for name, data in files.items():
                made.write(f"{SITE}/{package}/{name}", data)
        made.write("C:/onpath/onpath.dll", build(Dll(name="onpath.dll", exports={"f": 1})))
        made.host("C:/app").mkdir(exist_ok=True)
        yield made


def essence(values: dict[str, object]) -> object:
    findings = values["findings"]
    assert isinstance(findings, list)
    keys = ("code", "culprit", "object", "found_at", "symbol")
    return values["verdict"], [[str(finding[key]).lower() for key in keys] for finding in findings[:1]]


def of(report: Report) -> object:
    first = [
        [f.code, str(f.culprit).lower(), str(f.object).lower(), str(f.found_at).lower(), str(f.symbol).lower()]
        for f in report.findings[:1]
    ]
    return report.verdict.value, first


@pytest.mark.parametrize("package", PACKAGES)
def test_all_ways_have_one_answer(windows: WineMachine, tmp_path: Path, package: str) -> None:
    options = ["--python", "C:\\Python\\python.exe"]
    how = {"cwd": "C:\\app", "path": ["C:\\onpath"]}
    live = windows.run([TOOL, "-X", "utf8", "-m", "whyload", "import", "--json", *options, package], **how)  # type: ignore[arg-type]
    answer = essence(json.loads(live.stdout))
    taking = [TOOL, "-X", "utf8", "-m", "whyload", "snapshot", "-o", "C:\\app\\s.zip", *options, package]
    taken = windows.run(taking, **how)  # type: ignore[arg-type]
    assert taken.returncode == 0, taken.stderr
    recorded = tmp_path / "live.zip"
    recorded.write_bytes(windows.host("C:/app/s.zip").read_bytes())
    assert of(ask_import((), WorldChoice(snapshot=str(recorded)))) == answer

    described = tmp_path / "world.json"
    path = "C:\\onpath;C:\\Windows\\System32;C:\\Windows"
    described.write_text(json.dumps({"python": "C:/Python/python.exe", "cwd": "C:/app", "env": {"PATH": path}}))
    folder = WorldChoice(root=str(windows.drive), world=str(described))
    assert of(ask_import((package,), folder)) == answer
    take_snapshot(str(tmp_path / "folder.zip"), Question(kind=QuestionKind.IMPORT, modules=(package,)), folder)
    assert of(ask_import((package,), WorldChoice(snapshot=str(tmp_path / "folder.zip")))) == answer


def test_a_program_is_run_and_its_traceback_is_shown(windows: WineMachine) -> None:
    windows.write("C:/app/main.py", b"print('to the output')\nimport gone\n")
    command = [TOOL, "-X", "utf8", "-m", "whyload", "run", "--python", "C:\\Python\\python.exe", "main.py"]
    done = windows.run(command, cwd="C:\\app")
    assert done.returncode == 1
    assert "ImportError: DLL load failed" in done.stderr
    assert done.stdout.startswith("error[missing-dependency]")
    assert "to the output" not in done.stdout


def test_a_snapshot_of_a_program_names_its_script_only(windows: WineMachine, tmp_path: Path) -> None:
    windows.write("C:/app/mine.py", b"recipe = 'of the house'\nimport gone\n")
    command = [
        TOOL,
        "-X",
        "utf8",
        "-m",
        "whyload",
        "snapshot",
        "-o",
        "C:\\app\\m.zip",
        "--python",
        "C:\\Python\\python.exe",
    ]
    assert windows.run([*command, "mine.py"], cwd="C:\\app").returncode == 0
    file = windows.host("C:/app/m.zip")
    report = ask_run(WorldChoice(snapshot=str(file)), script="mine.py")
    assert (report.verdict, report.findings[0].object) == (Verdict.FAILS, "absent.dll")
