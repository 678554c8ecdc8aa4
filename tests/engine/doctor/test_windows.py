"""`whyload doctor` on a Windows machine of the test bed, and on the same drive as a folder: the same answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from tests.observe.tool import TOOL, install_tool
from tests.testbed.memory import Content, _content, record
from tests.testbed.pewriter import Dll
from tests.testbed.wine import WineMachine
from whyload.base.machine import Machine
from whyload.engine.doctor.ask import ask_doctor
from whyload.report.as_json import report_values
from whyload.report.schema import report_schema
from whyload.world.description import Description
from whyload.world.folder import folder_world

pytestmark = pytest.mark.wine
PYTHON = "C:\\Python\\python.exe"
INIT = "from . import _x\n"
ADDS = "import os\nos.add_dll_directory(os.path.join(os.path.dirname(__file__), 'libs'))\nfrom . import _x\n"
WANTS_PART = Dll(name="_x.pyd", pyinit="_x", imports={"part.dll": ["f"]})
PACKAGES: dict[str, dict[str, Content]] = {
    "good": {"good/__init__.py": INIT, "good/_x.pyd": Dll(name="_x.pyd", pyinit="_x")},
    "adds": {
        "adds/__init__.py": ADDS,
        "adds/_x.pyd": WANTS_PART,
        "adds/libs/part.dll": Dll(name="part.dll", exports={"f": 1}),
    },
    "bad": {"bad/__init__.py": INIT, "bad/_x.pyd": Dll(name="_x.pyd", pyinit="_x", imports={"gone.dll": ["f"]})},
    "lazy": {"lazy/__init__.py": "", "lazy/_x.pyd": Dll(name="_x.pyd", pyinit="_x", imports={"vcomp140.dll": ["f"]})},
    "small": {"small/__init__.py": INIT, "small/_x.pyd": Dll(name="_x.pyd", machine=Machine.I386)},
}


@pytest.fixture(scope="module")
def windows() -> Iterator[WineMachine]:
    """A machine with whyload, and a Python with those packages."""
    with WineMachine() as made:
        install_tool(made)
        for name, files in PACKAGES.items():
            for path, content in record(name, "1.0", files).items():
                made.write(path, _content(path, content))
        yield made


@pytest.fixture(scope="module")
def live(windows: WineMachine) -> Any:
    """The report of that machine on itself."""
    done = windows.run([TOOL, "-B", "-m", "whyload", "doctor", "--json", "--python", PYTHON], cwd="C:\\app")
    assert done.returncode == 1, done.stderr
    return json.loads(done.stdout)


def findings(report: Any) -> list[tuple[str, str, str, str]]:
    return [(item["severity"], item["code"], item["object"], item["culprit"]) for item in report["findings"]]


def copies(report: Any) -> list[tuple[str, str]]:
    return [(item["path"].lower(), item["version"]) for item in report["facts"]["vc_runtime"]["copies"]]


def test_the_live_report(live: Any) -> None:
    jsonschema.validate(live, report_schema())
    site = "C:\\Python\\Lib\\site-packages"
    assert sorted(findings(live)) == [
        ("error", "bitness-mismatch", "_x.pyd", f"{site}\\small\\_x.pyd"),
        ("error", "missing-dependency", "gone.dll", f"{site}\\bad\\_x.pyd"),
        ("warning", "missing-openmp", "vcomp140.dll", f"{site}\\lazy\\_x.pyd"),
    ]


def test_a_folder_gives_the_same(windows: WineMachine, live: Any) -> None:
    values = {"python": PYTHON, "python_version": "3.11", "cwd": "C:\\app", "env": {"PATH": "C:\\windows\\system32"}}
    folder = report_values(ask_doctor(folder_world(windows.drive, Description(values, "world file"))))
    assert findings(folder) == findings(live)
    facts, same = live["facts"], folder["facts"]
    assert {**same["native_files"], "folders": 0} == {**facts["native_files"], "folders": 0}
    assert same["environment"] == facts["environment"]
    assert copies(folder) == copies(live)


def test_what_only_the_machine_knows(live: Any) -> None:
    facts = live["facts"]
    assert facts["interpreter"]["version"].startswith("3.11.")
    assert facts["interpreter"]["read_from"]["version"] == "sys.version"
    assert facts["windows"]["build"] > 0
    assert facts["windows"]["language"] == "en-US"
    assert facts["hardware"]["features"]["sse3"] is True
    assert facts["hardware"]["memory"]["physical"] > 1 << 28
    assert facts["security"]["detections"] == []
    assert facts["search_path"]["has_system32"] is True
