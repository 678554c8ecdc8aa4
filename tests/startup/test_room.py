"""Deeply nested source is read or passed by; it never ends the process."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.startup.sketch import lines, read
from whyload.base.message import message
from whyload.base.room import with_room

ROOT = Path(__file__).parents[2]
DEEP = {
    "attributes": "x = a" + ".b" * 50_000,
    "additions": "x = 1" + "+1" * 50_000,
    "signs": "x = " + "-" * 50_000 + "1",
    "calls": "x = f" + "()" * 50_000,
    "subscripts": "x = a" + "[0]" * 20_000,
    "branches": "if a: pass\n" + "elif b: pass\n" * 20_000,
    "conditions": "x = " + "a if b else " * 20_000 + "c",
    "functions": "x = " + "lambda: " * 15_000 + "1",
}


@pytest.mark.parametrize("name", DEEP)
def test_a_module_that_is_nested_too_deeply(name: str) -> None:
    startup = read({"m.py": f"import ctypes\n{DEEP[name]}\nctypes.CDLL(x)\n", "_n.pyd": ""}, "import m\nimport _n")
    assert [message(note.what).en for note in startup.notes] == ["m"]
    assert lines({"m.py": f"import ctypes\n{DEEP[name]}\nctypes.CDLL(x)\n", "_n.pyd": ""}, "import m\nimport _n") == [
        "load _n.pyd 0x1100"
    ]


def test_nesting_that_python_bears_is_read() -> None:
    code = "import ctypes\nname = 'x'" + " + 'y'" * 1500 + "\nctypes.CDLL(name)"
    assert lines({}, code) == ["load x" + "y" * 1500 + " 0x1000"]


def test_a_small_stack_does_not_matter() -> None:
    """The process of the test has a stack of 1 MB, as a program on Windows may have."""
    code = (
        "import resource, sys\n"
        "from tests.startup.sketch import read\n"
        "text = 'import ctypes\\nx = a' + '.b' * 2900 + '\\nctypes.CDLL(x)'\n"
        "print([str(note.what) for note in read({'m.py': text}, 'import m').notes])\n"
    )
    if sys.platform == "win32":
        pytest.skip("the main thread's stack is small as it is: the other tests show it")
    shell = 'ulimit -s 1024 && exec "$0" -c "$1"'
    done = subprocess.run(
        ["sh", "-c", shell, sys.executable, code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_work_is_done_elsewhere_and_nothing_is_left_behind() -> None:
    before = sys.getrecursionlimit(), threading.stack_size()
    assert with_room(lambda: (threading.current_thread().name, sys.getrecursionlimit())) == ("whyload-room", 12_000)
    assert (sys.getrecursionlimit(), threading.stack_size()) == before


def test_errors_come_back() -> None:
    empty: dict[str, int] = {}
    with pytest.raises(KeyError, match="gone"):
        with_room(lambda: empty["gone"])


def test_without_threads_it_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    assert with_room(lambda: threading.current_thread() is threading.main_thread())
