"""The Windows machine of the tests: what the PE writer makes runs there, and what a fresh Windows lacks is absent.

Source of truth: Wine and the official CPython; Microsoft, "Understanding the helper function" (codes of delay loading).
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.testbed.pewriter import Call, Dll, Symbol, build
from tests.testbed.wheels import wheel
from tests.testbed.wine import WineMachine

pytestmark = pytest.mark.wine
FOLDER = "C:\\t"


@pytest.fixture
def place(machine: WineMachine) -> Iterator[Path]:
    """A folder of the machine for the files of one test."""
    folder = machine.host(FOLDER)
    folder.mkdir()
    yield folder
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()


def write(place: Path, *dlls: Dll) -> None:
    for dll in dlls:
        (place / dll.name).write_bytes(build(dll))


def test_functions_and_forwarders_run(machine: WineMachine, place: Path) -> None:
    write(
        place,
        Dll(name="leaf.dll", exports={"g": 41, 9: 43}),
        Dll(
            name="top.dll",
            exports={"f": 40, "call": Call("leaf.dll", "g"), "away": "leaf.g", 5: Call("leaf.dll", 9)},
            imports={"leaf.dll": ["g", 9]},
        ),
    )
    code = "import ctypes; d = ctypes.CDLL(r'C:\\t\\top.dll'); print(d.f(), d.call(), d.away(), d[5]())"
    assert machine.run_python(code).stdout.split() == ["40", "41", "41", "43"]


def test_an_extension_module_is_imported(machine: WineMachine, place: Path) -> None:
    leaf = Dll(name="leaf.dll", exports={"g": 1})
    module = Dll(name="tiny.pyd", pyinit="tiny", imports={"leaf.dll": ["g"]}, init_calls=[Call("leaf.dll", "g")])
    write(place, leaf, module)
    done = machine.run_python(
        "import sys; sys.path.insert(0, r'C:\\t'); import tiny; print(tiny.__name__, tiny.__file__)"
    )
    assert (done.stdout.split(), done.stderr) == (["tiny", "C:\\t\\tiny.pyd"], "")


def test_delay_loading_finds_and_raises(machine: WineMachine, place: Path) -> None:
    late: dict[str, list[Symbol]] = {"late.dll": ["g", 9, "newer"], "gone.dll": ["h"]}
    calls: dict[Symbol, int | str | Call] = {
        "f": Call("late.dll", "g"),
        "o": Call("late.dll", 9),
        "n": Call("late.dll", "newer"),
        "h": Call("gone.dll", "h"),
    }
    write(place, Dll(name="top.dll", exports=calls, delay=late), Dll(name="late.dll", exports={"g": 7, 9: 8}))
    code = (
        "import ctypes, os\n"
        "os.add_dll_directory(r'C:\\t')\n"
        "d = ctypes.CDLL(r'C:\\t\\top.dll')\n"
        "def ask(f):\n"
        "    try: return f()\n"
        "    except OSError as error: return hex(error.winerror & 0xFFFFFFFF)\n"
        "print(ask(d.f))\n"
        "ctypes.CDLL(r'C:\\t\\late.dll')\n"
        "print(ask(d.f), ask(d.o), ask(d.n), ask(d.h))\n"
    )
    said = machine.run_python(code).stdout.split()
    # neither the DLL's own folder nor an added one is searched; a module of that name in the process serves (R2.52)
    assert said == ["0xc06d007e", "7", "8", "0xc06d007f", "0xc06d007e"]


def test_version_is_read_by_windows(machine: WineMachine, place: Path) -> None:
    write(place, Dll(name="v.dll", version=(14, 38, 33130, 2), manifest=b"<assembly/>"))
    code = (
        "import ctypes\n"
        "v, name = ctypes.windll.version, r'C:\\t\\v.dll'\n"
        "size = v.GetFileVersionInfoSizeW(name, None)\n"
        "data = ctypes.create_string_buffer(size)\n"
        "v.GetFileVersionInfoW(name, 0, size, data)\n"
        "where, length = ctypes.c_void_p(), ctypes.c_uint()\n"
        "v.VerQueryValueW(data, '\\\\', ctypes.byref(where), ctypes.byref(length))\n"
        "n = (ctypes.c_uint32 * 13).from_address(where.value)\n"
        "print(hex(n[0]), n[2] >> 16, n[2] & 0xFFFF, n[3] >> 16, n[3] & 0xFFFF)\n"
    )
    assert machine.run_python(code).stdout.split() == ["0xfeef04bd", "14", "38", "33130", "2"]


def test_a_fresh_windows_has_no_runtimes(machine: WineMachine) -> None:
    for name in ("msvcp140.dll", "vcomp140.dll", "concrt140.dll"):
        answer = machine.load(name, 0x1000)
        assert (name, answer.winerror) == (name, 126)


@pytest.mark.wheels
def test_the_redistributable_brings_them() -> None:
    with WineMachine() as machine:
        machine.install_python("3.11", layout="full")
        assert machine.load("msvcp140.dll", 0x1000).winerror == 126
        machine.vcredist("14.40")
        answer = machine.load("msvcp140.dll", 0x1000)
        assert answer.winerror == 0
        assert "c:\\windows\\system32\\msvcp140.dll" in [path.lower() for path in answer.modules]


@pytest.mark.wheels
def test_an_installed_wheel_imports() -> None:
    with WineMachine() as machine:
        machine.install_python("3.11", layout="full")
        machine.install_wheel(wheel("MarkupSafe==2.1.5"))
        done = machine.run_python(
            "import markupsafe._speedups as m, os; print(m.__file__, os.getcwd())", cwd="C:\\work"
        )
        assert done.stdout.split() == [
            "C:\\Python\\Lib\\site-packages\\markupsafe\\_speedups.cp311-win_amd64.pyd",
            "C:\\work",
        ]


def test_environment_path_and_exit_code_arrive(machine: WineMachine) -> None:
    code = "import os, sys; print(os.environ['MARK'], os.environ['PATH'].split(';')[0]); sys.exit(3)"
    done = machine.run_python(code, env={"MARK": "here"}, path=["C:/some/where"])
    assert (done.returncode, done.stdout.split()) == (3, ["here", "C:\\some\\where"])


def test_machines_live_side_by_side() -> None:
    def count(number: int) -> str:
        with WineMachine() as machine:
            machine.install_python("3.11", layout="embed")
            machine.write("C:\\mark.txt", str(number).encode())
            return machine.run_python("print(open('C:/mark.txt').read())").stdout.strip()

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(count, [1, 2])) == ["1", "2"]


def test_a_closed_machine_leaves_nothing() -> None:
    machine = WineMachine()
    machine.install_python("3.11", layout="embed")
    machine.run_python("pass")
    machine.close()
    assert not machine.folder.exists()
