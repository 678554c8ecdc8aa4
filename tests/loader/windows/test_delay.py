"""Delay imports: nothing at the load, an exception at the first call (loader.md R2.52, rows 74 to 76).

Source: Microsoft, "Understanding the helper function" and "Error handling and notification"; Wine runs the calls.
"""

from __future__ import annotations

import pytest

from tests.testbed.memory import SITE, Files, world
from tests.testbed.pewriter import Call, Dll, build
from tests.testbed.wine import WineMachine
from whyload.base.paths import WinPath
from whyload.engine.simulate import started_process
from whyload.loader.model import Node
from whyload.loader.windows.load import load

TOP = f"{SITE}\\top.dll"
LATE = Dll(name="late.dll", exports={"g": 7})


def late(files: Files, *, added: tuple[str, ...] = (), default: int = 0) -> Node:
    """The delay import of a library that loads."""
    top = Dll(name="top.dll", exports={"f": Call("late.dll", "g")}, delay={"late.dll": ["g"]})
    process = started_process(world({TOP: top, **files}, added=added))
    process.default_directories = default
    tree = load(process, TOP, 0x1100)
    assert (tree.status.winerror, tree.missing) == (0, ())
    assert WinPath(f"{SITE}\\late.dll") not in tree.modules
    (node,) = tree.root.delayed
    return node


def test_row_74_a_missing_delay_dll_is_an_exception_later() -> None:
    node = late({})
    assert (node.status.winerror, node.delay_exception) == (126, 0xC06D007E)


def test_row_75_beside_the_module_and_added_it_is_still_missing() -> None:
    """The helper's call has flags 0."""
    assert late({f"{SITE}\\late.dll": LATE}, added=(SITE,)).delay_exception == 0xC06D007E
    assert late({"C:\\Python\\late.dll": LATE}).delay_exception is None


def test_row_76_after_setdefaultdlldirectories_it_is_found() -> None:
    """R2.26: the helper's call gets the list of that function."""
    node = late({f"{SITE}\\late.dll": LATE}, added=(SITE,), default=0x1000)
    assert (node.delay_exception, str(node.path)) == (None, f"{SITE}\\late.dll")


CODE = """
import ctypes, os
library = ctypes.CDLL(r'C:\\w\\own\\top.dll')
kept = os.add_dll_directory(r'C:\\w\\own')
try:
    print(library.f())
except OSError as error:
    print(error.winerror)
ctypes.WinDLL('kernel32').SetDefaultDllDirectories(0x1000)
print(library.f())
"""


@pytest.mark.wine
def test_rows_74_75_76_as_the_real_loader_has_it(machine: WineMachine) -> None:
    top = Dll(name="top.dll", exports={"f": Call("late.dll", "g")}, delay={"late.dll": ["g"]})
    laid = [machine.write(f"C:\\w\\own\\{dll.name}", build(dll)) for dll in (top, LATE)]
    assert machine.run_python(CODE).stdout.split() == ["-1066598274", "7"]
    for place in laid:
        place.unlink()
