"""The probe in the official CPython for Windows, under Wine, with libraries of our own making."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.observe.tool import evaluate, install_tool
from tests.testbed.dll import Dll
from tests.testbed.pewriter import build
from tests.testbed.wine import WineMachine
from whyload.base.machine import Machine
from whyload.base.paths import WinPath
from whyload.observe.events import (
    Attempt,
    DirectoryAdded,
    DirectoryRemoved,
    DllDirectorySet,
    EnvironmentChanged,
    LibraryLoad,
    ModuleStarted,
    Place,
    Via,
)
from whyload.observe.failures import failed_loads, fatal_loads
from whyload.observe.observation import Observation, Outcome

pytestmark = pytest.mark.wine
SITE = "C:\\Python\\Lib\\site-packages"
IMPORTS = """from whyload.observe.observation import *
from whyload.observe.run import observe
from whyload.world.interpreter import find_launch
"""


@pytest.fixture(scope="module")
def windows() -> Iterator[WineMachine]:
    """A machine with whyload, a Python, and packages that fail in every way."""
    with WineMachine() as made:
        install_tool(made)
        for name, dll in {
            "good.pyd": Dll(name="good.pyd", pyinit="good"),
            "bad.pyd": Dll(name="bad.pyd", pyinit="bad", imports={"absent.dll": ["f"]}),
            "lib/needs.dll": Dll(name="needs.dll", imports={"absent.dll": ["f"]}, exports={"g": 1}),
            "lib/fine.dll": Dll(name="fine.dll", exports={"g": 1}),
        }.items():
            made.write(f"{SITE}/{name}", build(dll))
        made.write(f"{SITE}/lib/text.dll", b"this is no library")
        made.host("C:/added").mkdir()
        yield made


def run(machine: WineMachine, question: str, **how: object) -> Observation:
    code = f"{IMPORTS}answer = observe({question}, find_launch('C:\\\\Python\\\\python.exe'), timeout=90)"
    seen = evaluate(machine, code, cwd="C:\\app", **how)
    assert isinstance(seen, Observation)
    return seen


def loads(seen: Observation) -> list[tuple[str, Via, int]]:
    """Bare events only: what was loaded, and the last thing that was not."""
    return [(event.name, event.via, event.flags) for event in seen.events if isinstance(event, LibraryLoad)]


def test_an_extension_module_that_fails(windows: WineMachine) -> None:
    seen = run(windows, "ask_imports('good', 'bad')")
    assert (seen.outcome, seen.exit_status) == (Outcome.RAISED, 1)
    assert [event for event in seen.events if not isinstance(event, ModuleStarted)] == [
        LibraryLoad(
            name=f"{SITE}\\{name}.pyd", via=Via.IMPORT, flags=0x1100, module=name, place=Place(file=None, line=line)
        )
        for line, name in enumerate(("good", "bad"), 1)
    ]
    (error,) = seen.exceptions
    assert (error.type, error.name, error.path) == ("ImportError", "bad", f"{SITE}\\bad.pyd")
    assert [load.module for load in fatal_loads(seen)] == ["bad"]
    assert seen.loaded is not None
    assert WinPath(f"{SITE}\\good.pyd") in seen.loaded
    assert WinPath(f"{SITE}\\bad.pyd") not in seen.loaded


def test_the_baseline_is_the_interpreters_own(windows: WineMachine) -> None:
    seen = run(windows, "ask_imports('good')")
    assert seen.baseline is not None
    assert seen.baseline[0] == WinPath("C:\\Python\\python.exe")
    names = [path.name.lower() for path in seen.baseline]
    assert {"ntdll.dll", "kernel32.dll", "python311.dll", "vcruntime140.dll"} <= set(names)
    assert not any(name.startswith(("_ctypes", "libffi", "good")) for name in names)


def test_asking_for_the_modules_leaves_no_trace(windows: WineMachine) -> None:
    """_ctypes and libffi are the probe's own where the program did not load them."""
    seen = run(windows, "ask_imports('good')")
    assert seen.loaded is not None
    assert not any(path.name.lower().startswith(("_ctypes", "libffi")) for path in seen.loaded)
    own = run(windows, "ask_imports('ctypes')")
    assert own.loaded is not None
    assert WinPath("C:\\Python\\DLLs\\_ctypes.pyd") in own.loaded


SCRIPT = r"""
import ctypes, os
held = os.add_dll_directory(r"C:\added")
with os.add_dll_directory(r"C:\Windows"):
    pass
try:
    os.add_dll_directory(r"C:\absent")
except FileNotFoundError:
    pass
os.environ["PATH"] = r"C:\tools"
ctypes.windll.kernel32.SetDllDirectoryW(ctypes.c_wchar_p(r"C:\added"))
os.chdir("C:\\added")
"""


def test_the_search_context_in_order(windows: WineMachine) -> None:
    """R3.15: a folder that is not there is not added; close() and the end of a with block take one back."""
    windows.write("C:/app/context.py", SCRIPT.encode())
    seen = run(windows, "ask_script('context.py')")
    kinds = (DirectoryAdded, DirectoryRemoved, EnvironmentChanged, DllDirectorySet)
    assert [event for event in seen.events if isinstance(event, kinds)] == [
        DirectoryAdded(path=WinPath("C:\\added"), place=Place(file=WinPath("C:\\app\\context.py"), line=3)),
        DirectoryAdded(path=WinPath("C:\\Windows"), place=Place(file=WinPath("C:\\app\\context.py"), line=4)),
        DirectoryRemoved(path=WinPath("C:\\Windows")),
        EnvironmentChanged(name="PATH", value="C:\\tools"),
        DllDirectorySet(path="C:\\added"),
    ]
    assert (seen.environment["PATH"], seen.cwd, seen.sys_path[0]) == ("C:\\tools", "C:\\added", "C:\\app")


def test_a_pth_line_that_adds_a_folder(windows: WineMachine) -> None:
    """As pywin32.pth does, before the question."""
    windows.write(f"{SITE}/boot.pth", b"import boot\n")
    windows.write(f"{SITE}/boot.py", b"import os\nos.add_dll_directory('C:/added')\n")
    seen = run(windows, "ask_imports('good')")
    windows.host(f"{SITE}/boot.pth").unlink()
    added = [event.path for event in seen.events if isinstance(event, DirectoryAdded)]
    assert (added, seen.early_modules) == ([WinPath("C:\\added")], ("boot",))
    assert isinstance(seen.events[-1], LibraryLoad)


CTYPES = r"""
import ctypes
def attempt(*args, **named):
    try:
        ctypes.CDLL(*args, **named)
    except OSError as error:
        return error
attempt("absent.dll")
attempt(r"C:\Python\Lib\site-packages\lib\fine.dll")
attempt(r"C:\Python\Lib\site-packages\lib\text.dll", winmode=0x8)
attempt("lib/needs.dll")
ctypes.CDLL(r"C:\Python\Lib\site-packages\lib\needs.dll", winmode=0)
"""


def test_ctypes_and_its_final_flags(windows: WineMachine) -> None:
    """R3.21: a bare name 0x1000; a path is made absolute and gets 0x1100; a winmode is taken as it is."""
    windows.write("C:/app/with_ctypes.py", CTYPES.encode())
    seen = run(windows, "ask_script('with_ctypes.py')")
    own = [
        (event.name, event.flags, "survived")
        for attempt in seen.events
        if isinstance(attempt, Attempt)
        for event in attempt.body
        if isinstance(event, LibraryLoad)
    ]
    assert own == [
        ("absent.dll", 0x1000, "survived"),
        (f"{SITE}\\lib\\text.dll", 0x8, "survived"),
        ("C:\\app\\lib\\needs.dll", 0x1100, "survived"),
    ]
    assert [(name, flags) for name, via, flags in loads(seen) if via is Via.CTYPES and "lib" in name] == [
        (f"{SITE}\\lib\\fine.dll", 0x1100),
        (f"{SITE}\\lib\\needs.dll", 0),
    ]
    assert [(load.name, load.flags) for load in fatal_loads(seen)] == [(f"{SITE}\\lib\\needs.dll", 0)]


DIRECT = r"""
import ctypes
def load(dll):
    kernel32 = ctypes.WinDLL("kernel32.dll", use_last_error=True)
    kernel32.LoadLibraryExW.restype = kernel32.LoadLibraryW.restype = ctypes.c_void_p
    if kernel32.LoadLibraryExW(dll, None, 0x00001100) is None:
        last_error = ctypes.get_last_error()
        if kernel32.LoadLibraryW(dll) is None:
            error = ctypes.WinError(last_error)
            error.strerror += f' Error loading "{dll}" or one of its dependencies.'
            raise error
load(r"C:\Python\Lib\site-packages\lib\fine.dll")
load(r"C:\Python\Lib\site-packages\lib\needs.dll")
"""


def test_direct_calls_of_loadlibrary_are_told_by_the_frame(windows: WineMachine) -> None:
    """R4.8: the way torch loads its libraries."""
    windows.write("C:/app/direct.py", DIRECT.encode())
    seen = run(windows, "ask_script('direct.py')")
    assert seen.exceptions[0].winerror == 126
    assert [(load.name, load.via, load.flags) for load in failed_loads(seen)] == [
        (f"{SITE}\\lib\\needs.dll", Via.LOADLIBRARY, 0x1100),
        (f"{SITE}\\lib\\needs.dll", Via.LOADLIBRARY, 0),
    ]
    assert seen.loaded is not None
    assert WinPath(f"{SITE}\\lib\\fine.dll") in seen.loaded


@pytest.mark.parametrize(
    ("how", "via", "flags"),
    [
        ("LoadHow.IMPORT", Via.IMPORT, 0x1100),
        ("LoadHow.CTYPES", Via.CTYPES, 0x1100),
        ("LoadHow.CTYPES, flags=8", Via.CTYPES, 8),
        ("LoadHow.FLAGS, flags=0x1100", Via.LOADLIBRARY, 0x1100),
        ("LoadHow.FLAGS", Via.LOADLIBRARY, 0),
    ],
)
def test_one_library(windows: WineMachine, how: str, via: Via, flags: int) -> None:
    name = "bad.pyd" if via is Via.IMPORT else "lib\\needs.dll"
    path = f"{SITE}\\{name}"
    seen = run(windows, f"ask_load({path!r}, {how})")
    assert [(load.name, load.via, load.flags) for load in fatal_loads(seen)] == [(path, via, flags)]


def test_a_library_that_loads(windows: WineMachine) -> None:
    seen = run(windows, f"ask_load({SITE!r} + '\\\\lib\\\\fine.dll')")
    assert seen.succeeded
    assert failed_loads(seen) == ()


def test_a_process_that_dies(windows: WineMachine) -> None:
    code = "import ctypes, good; ctypes.windll.kernel32.TerminateProcess(ctypes.c_void_p(-1), 0xC0000005)"
    seen = run(windows, f"ask_code({code!r})")
    assert (seen.outcome, seen.exit_status) == (Outcome.DIED, 0xC0000005)
    assert any(isinstance(event, LibraryLoad) and event.module == "good" for event in seen.events)
    assert seen.loaded is not None  # as of the last load: ctypes was there to ask with
    assert WinPath("C:\\Python\\DLLs\\_ctypes.pyd") in seen.loaded


def test_an_abort_says_where(windows: WineMachine) -> None:
    """What an OpenMP runtime does when it meets another one: the C library's abort()."""
    seen = run(windows, "ask_code('import os\\ndef deep():\\n    os.abort()\\ndeep()')")
    assert (seen.outcome, seen.exit_status) == (Outcome.DIED, 3)
    assert "Fatal Python error: Aborted" in seen.fault
    assert "in deep" in seen.fault
    assert "probe.py" not in seen.fault


def test_a_hang_is_ended_with_all_it_started(windows: WineMachine) -> None:
    late = "import time; time.sleep(6); open(r'C:\\\\app\\\\late.txt', 'w')"
    code = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {late!r}]); time.sleep(600)"
    question = f"ask_code({code!r})"
    text = f"""{IMPORTS}
import os, time
seen = observe({question}, find_launch("C:\\\\Python\\\\python.exe"), timeout=4)
time.sleep(5)
answer = seen, os.path.exists("C:\\\\app\\\\late.txt")"""
    answer = evaluate(windows, text, cwd="C:\\app")
    assert isinstance(answer, tuple)
    seen, written = answer
    assert isinstance(seen, Observation)
    assert (seen.outcome, seen.exit_status, written) == (Outcome.TIMED_OUT, None, False)
    assert len(seen.processes) == 1


def test_a_virtual_environment_runs_the_base_interpreter(windows: WineMachine) -> None:
    """R3.16: the process image is the base python.exe, sys.executable and sys.prefix are the environment's."""
    windows.write("C:/venv/Scripts/python.exe", b"stands for the launcher")
    windows.write("C:/venv/pyvenv.cfg", b"home = C:\\Python\ninclude-system-site-packages = false\n")
    windows.write(
        "C:/venv/Lib/site-packages/bad.pyd", build(Dll(name="bad.pyd", pyinit="bad", imports={"gone.dll": ["f"]}))
    )
    code = f"{IMPORTS}answer = observe(ask_imports('bad'), find_launch('C:/venv/Scripts/python.exe'), timeout=90)"
    seen = evaluate(windows, code, env={"__PYVENV_LAUNCHER__": "C:\\other\\Scripts\\python.exe"})
    assert isinstance(seen, Observation)
    assert seen.python is not None
    assert WinPath(seen.python.image) == WinPath("C:\\Python\\python.exe")
    assert WinPath(seen.python.executable) == WinPath("C:\\venv\\Scripts\\python.exe")
    assert WinPath(seen.python.prefix) == WinPath("C:\\venv")
    assert [load.name for load in fatal_loads(seen)] == ["C:\\venv\\Lib\\site-packages\\bad.pyd"]


def test_what_the_interpreter_says_of_itself(windows: WineMachine) -> None:
    seen = run(windows, "ask_code('')")
    assert seen.python is not None
    assert (str(seen.python.python_version), seen.python.machine) == ("3.11", Machine.AMD64)
    assert seen.python.sys_path[:2] == ("", "C:\\Python\\python311.zip")
    assert seen.python.windows is not None
