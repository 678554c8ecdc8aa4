"""The live world on a Windows machine of the test bed: its real files, registry and interpreters."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.observe.tool import evaluate, install_tool
from tests.testbed.wine import WineMachine

pytestmark = pytest.mark.wine
OPEN = """from whyload.world.live import open_live_world
from whyload.world.interpreter import find_launch
from whyload.observe.run import ask_interpreter
from whyload.base.paths import WinPath
"""


@pytest.fixture(scope="module")
def windows() -> Iterator[WineMachine]:
    """A machine with whyload and a Python."""
    with WineMachine() as made:
        install_tool(made)
        yield made


def test_files(windows: WineMachine) -> None:
    names = ["C:/windows/SYSTEM32/Kernel32.dll", "C:/Python/DLLs", "C:/Python/absent.dll", "Q:/x.dll"]
    code = f"""{OPEN}
files = open_live_world().files
paths = [WinPath(name) for name in {names!r}]
source = files.source(paths[0])
answer = [[files.presence(path).value for path in paths], source.read(0, 2), source.size == files.size(paths[0]),
          files.actual(WinPath("c:/PYTHON")).name, "python.exe" in files.listdir(WinPath("C:/Python")),
          files.identity(paths[0]) == files.identity(WinPath("c:/Windows/system32/KERNEL32.DLL"))]"""
    assert evaluate(windows, code) == [["file", "directory", "absent", "absent"], b"MZ", True, "Python", True, True]


def test_the_system_and_the_registry(windows: WineMachine) -> None:
    windows.registry("HKLM\\SOFTWARE\\whyload-test", {"Version": "v14.38.33130.00", "Bld": 33130})
    code = f"""{OPEN}
world = open_live_world()
keys = [world.registry.values("HKLM\\\\SOFTWARE\\\\" + name) for name in ("whyload-test", "absent")]
system = world.system
answer = [*keys, system.windir.key, system.machine.name, system.build > 0, world.environment["systemroot"].lower()]"""
    assert evaluate(windows, code) == [
        {"Version": "v14.38.33130.00", "Bld": 33130},
        {},
        "c:\\windows",
        "AMD64",
        True,
        "c:\\windows",
    ]


def test_its_own_interpreter(windows: WineMachine) -> None:
    code = f"""{OPEN}
python = open_live_world().python
answer = [python.executable.text, str(python.version), python.machine.name, python.layout.value]"""
    assert evaluate(windows, code) == ["C:\\whyload\\python.exe", "3.11", "AMD64", "embed"]


def test_another_interpreter_with_and_without_its_own_word(windows: WineMachine) -> None:
    code = f"""{OPEN}
exe = "C:\\\\Python\\\\python.exe"
facts = ask_interpreter(find_launch(exe)).python
answer = []
for world in open_live_world(exe), open_live_world(exe, facts=facts):
    python = world.python
    answer.append([python.executable.text, str(python.version), python.machine.name, python.layout.value,
                   [path.text for path in python.paths][:2], world.process.cwd.text, len(world.unknown)])"""
    common = ["C:\\Python\\python.exe", "3.11"]
    assert evaluate(windows, code, cwd="C:\\app") == [
        [*common, "UNKNOWN", "full", [], "C:\\app", 1],
        [*common, "AMD64", "full", ["C:\\app", "C:\\Python\\python311.zip"], "C:\\app", 0],
    ]


def test_what_the_machine_says_of_itself(windows: WineMachine) -> None:
    code = f"""{OPEN}
from whyload.base.values import plain
answer = plain(open_live_world(thorough=True).measured)"""
    seen = evaluate(windows, code)
    assert isinstance(seen, dict)
    assert seen["unmeasured"] == {}
    assert seen["processor_features"]["sse3"] is True
    assert 0 < seen["memory"]["physical_free"] < seen["memory"]["physical"] <= seen["memory"]["commit_limit"]
    assert seen["drives"]["C"] == "fixed"
    assert seen["ui_language"] == "en-US"
    assert seen["nvidia"] == {"version": None, "cuda": None, "gpus": []}
    assert seen["events"] == []
