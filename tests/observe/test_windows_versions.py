"""The probe in every official CPython for Windows that it is sent into, and how Windows ends a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.observe.test_windows import IMPORTS
from tests.observe.tool import evaluate, install_tool
from tests.testbed.dll import Call, Dll
from tests.testbed.pewriter import build
from tests.testbed.wheels import EMBEDDED
from tests.testbed.wine import WineMachine
from whyload.base.paths import WinPath
from whyload.observe.events import Attempt, DirectoryAdded, LibraryLoad, ModuleStarted, Via
from whyload.observe.failures import fatal_loads, loads_of
from whyload.observe.observation import Observation, Outcome

pytestmark = pytest.mark.wine
INIT = b"""
import os
os.add_dll_directory('C:\\\\app')
import good
try:
    import odd
except ImportError:
    pass
from . import bad
"""
THREAD = """
import ctypes, good
k = ctypes.WinDLL("kernel32")
p = ctypes.c_void_p
k.VirtualAlloc.restype = k.CreateThread.restype = p
k.VirtualAlloc.argtypes = [p, ctypes.c_size_t, ctypes.c_ulong, ctypes.c_ulong]
k.CreateThread.argtypes = [p, ctypes.c_size_t, p, p, ctypes.c_ulong, p]
k.WaitForSingleObject.argtypes = [p, ctypes.c_ulong]
code = k.VirtualAlloc(None, 4096, 0x3000, 0x40)
ctypes.memmove(code, bytes.fromhex({code!r}), {length})
k.WaitForSingleObject(k.CreateThread(None, 0, code, None, 0, None), 20000)
"""
"""Machine code in a thread of its own: what goes wrong there no handler of Python's sees."""


def observed(machine: WineMachine, question: str, python: str) -> Observation:
    code = f"{IMPORTS}answer = observe({question}, find_launch({python!r}), timeout=60)"
    seen = evaluate(machine, code, cwd="C:\\app")
    assert isinstance(seen, Observation)
    return seen


@pytest.fixture(scope="module")
def windows() -> Iterator[WineMachine]:
    with WineMachine() as made:
        install_tool(made)
        missing = Dll(
            name="late.pyd", pyinit="late", delay={"absent.dll": ["f"]}, init_calls=(Call("absent.dll", "f"),)
        )
        made.write("C:/Python/Lib/site-packages/late.pyd", build(missing))
        made.write("C:/Python/Lib/site-packages/good.pyd", build(Dll(name="good.pyd", pyinit="good")))
        made.host("C:/app").mkdir(exist_ok=True)
        yield made


@pytest.mark.parametrize("version", EMBEDDED)
def test_every_python(windows: WineMachine, version: str) -> None:
    root = f"C:/Python{version.replace('.', '')}"
    windows.install_python(version, layout="embed", root=root)
    site = f"{root}/Lib/site-packages"
    windows.write(f"{site}/pkg/__init__.py", INIT)
    windows.write(f"{site}/good.pyd", build(Dll(name="good.pyd", pyinit="good")))
    windows.write(f"{site}/odd.pyd", b"no library")
    windows.write(f"{site}/pkg/bad.pyd", build(Dll(name="bad.pyd", pyinit="bad", imports={"absent.dll": ["f"]})))
    seen = observed(windows, "ask_imports('pkg')", f"{root}/python.exe")
    assert (seen.outcome, seen.exit_status) == (Outcome.RAISED, 1)
    assert seen.python is not None
    assert str(seen.python.python_version) == version
    assert [event.module for event in seen.events if isinstance(event, ModuleStarted)][:1] == ["pkg"]
    assert DirectoryAdded(path=WinPath("C:\\app")) in [
        DirectoryAdded(path=event.path) for event in seen.events if isinstance(event, DirectoryAdded)
    ]
    loads = [(load.module, load.via, load.flags) for load in loads_of(seen.events)]
    assert loads == [(name, Via.IMPORT, 0x1100) for name in ("good", "odd", "pkg.bad")]
    survived = [isinstance(event, Attempt) for event in seen.events if isinstance(event, Attempt | LibraryLoad)]
    assert survived == [False, True, False]
    assert [load.module for load in fatal_loads(seen)] == ["pkg.bad"]
    assert seen.exceptions[0].type == "ImportError"
    assert seen.loaded is not None
    names = [path.name.lower() for path in seen.loaded]
    assert "good.pyd" in names
    assert "_ctypes.pyd" not in names


@pytest.mark.parametrize(
    ("code", "status", "words"),
    [
        ("31c08900c3", 0xC0000005, "access violation"),  # xor eax,eax; mov [rax],eax
        ("0f0bc3", 0xC000001D, "code 0xc000001d"),  # ud2
        ("b905000000cd29", 0xC0000409, ""),  # mov ecx,5; int 29h (__fastfail)
        ("31d2f7f2c3", 0xC0000094, "int divide by zero"),  # xor edx,edx; div edx
    ],
    ids=["access violation", "illegal instruction", "fail fast", "division by zero"],
)
def test_how_windows_ends_a_process(windows: WineMachine, code: str, status: int, words: str) -> None:
    program = THREAD.format(code=code, length=len(code) // 2)
    seen = observed(windows, f"ask_code({program!r})", "C:/Python/python.exe")
    assert (seen.outcome, seen.exit_status) == (Outcome.DIED, status)
    assert [load.module for load in loads_of(seen.events) if load.module == "good"] == ["good"]
    assert words in seen.fault


def test_a_delay_loaded_library_that_is_not_there(windows: WineMachine) -> None:
    """0xC06D007E, raised by the helper for delay loading in an init function; no Python exception comes of it."""
    seen = observed(windows, "ask_imports('late')", "C:/Python/python.exe")
    assert (seen.outcome, seen.exit_status) == (Outcome.DIED, 0xC06D007E)
    assert [load.module for load in fatal_loads(seen)] == ["late"]
