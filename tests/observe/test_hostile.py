"""Programs that do their worst: whyload always comes back, in bounded time and memory, with what it saw.

What the programs do is written with the standard library alone; the judge is that the call returns, what it returns,
and what is left of processes and files.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
import tracemalloc
from pathlib import Path

import pytest

from tests.observe.test_child import LINUX, ends, state_of
from whyload.observe import probe
from whyload.observe.events import ModuleStarted
from whyload.observe.observation import Observation, Outcome, ask_code
from whyload.observe.run import observe
from whyload.world.interpreter import find_launch

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals and forks; Windows has its own tests")
FIRST = "import wave\n"
"""Something that is to be seen whatever comes after it."""


def ask(code: str, timeout: float = 60.0, cwd: Path | None = None) -> Observation:
    question = ask_code(FIRST + textwrap.dedent(code), cwd=str(cwd) if cwd else None)
    seen = observe(question, find_launch(), timeout=timeout)
    assert any(isinstance(event, ModuleStarted) and event.module == "wave" for event in seen.events)
    return seen


@pytest.mark.parametrize("stream", [1, 2])
def test_a_gibibyte_of_output(stream: int) -> None:
    tracemalloc.start()
    seen = ask(f"import os\nchunk = b'x' * (1 << 20)\nfor _ in range(1024): os.write({stream}, chunk)", 300.0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert seen.outcome is Outcome.FINISHED
    assert max(len(seen.stdout), len(seen.stderr)) <= 64 << 10
    assert peak < 16 << 20


@pytest.mark.parametrize("bound", ["MOST_LINES", "MOST_BYTES"])
def test_events_without_end_do_not_fill_the_disk(bound: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, bound, {"MOST_LINES": 100, "MOST_BYTES": 5000}[bound])
    journal = probe.Journal(str(tmp_path / "result"))
    for number in range(10_000):
        journal.write("environment", name="X", value=str(number))
    journal.write("end", outcome="finished")
    os.close(journal.file)
    lines = (tmp_path / "result").read_text().splitlines()
    assert len(lines) < 110
    assert '"later events"' in lines[-2]
    assert '"finished"' in lines[-1]


@LINUX
def test_a_daemon_that_keeps_everything_open(tmp_path: Path) -> None:
    """The usual double fork: the grandchild has left the session and keeps the output open."""
    seen = ask(
        """
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork():
                os._exit(0)
            open("pid", "w").write(str(os.getpid()))
            time.sleep(300)
        while not os.path.exists("pid") or not open("pid").read():
            time.sleep(0.01)
        """,
        cwd=tmp_path,
    )
    pid = int((tmp_path / "pid").read_text())
    assert state_of(pid) not in ("gone", "Z")
    os.kill(pid, signal.SIGKILL)
    assert seen.outcome is Outcome.FINISHED
    assert any("holds it open" in str(why) for _, why in seen.notes)


@LINUX
def test_many_forks_that_hang_are_ended_with_the_program(tmp_path: Path) -> None:
    seen = ask(
        """
        import os, time
        for _ in range(20):
            if os.fork() == 0:
                open(f"pid-{os.getpid()}", "w").close()
                time.sleep(300)
                os._exit(0)
        time.sleep(300)
        """,
        timeout=4.0,
        cwd=tmp_path,
    )
    assert seen.outcome is Outcome.TIMED_OUT
    pids = [int(path.name.partition("-")[2]) for path in tmp_path.glob("pid-*")]
    assert len(pids) == 20
    assert all(ends(pid) for pid in pids)


@pytest.mark.parametrize(
    "stubborn",
    [
        "import signal as s\nfor n in (s.SIGINT, s.SIGTERM, s.SIGHUP): s.signal(n, s.SIG_IGN)\nwhile True: pass",
        "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
        "import sys\nwhile True:\n    try:\n        while True: pass\n    except BaseException: pass",
        "import atexit, time\natexit.register(time.sleep, 300)",
        "import threading, time\nthreading.Thread(target=time.sleep, args=(300,)).start()",
        "import os, time\nos.closerange(0, 1024)\ntime.sleep(300)",
    ],
)
def test_what_will_not_end(stubborn: str) -> None:
    seen = ask(stubborn, timeout=3.0)
    assert (seen.outcome, seen.exit_status) == (Outcome.TIMED_OUT, None)


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("import os; os._exit(77)", 77),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -9),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", -11),
        ("import os, signal; os.kill(os.getpid(), signal.SIGILL)", -4),
        ("import ctypes; ctypes.CFUNCTYPE(None)(0)()", -11),
        ("import sys; sys.setrecursionlimit(10**9)\ndef f(): f()\nimport ctypes; ctypes.string_at(1)", -11),
    ],
)
def test_ways_to_die(code: str, status: int) -> None:
    seen = ask(code)
    assert (seen.outcome, seen.exit_status) == (Outcome.DIED, status)


@pytest.mark.parametrize("number", ["SIGSEGV", "SIGILL", "SIGABRT", "SIGFPE"])
def test_where_it_crashed_is_read(number: str) -> None:
    seen = ask(f"import os, signal\ndef in_here():\n    os.kill(os.getpid(), signal.{number})\nin_here()")
    assert "in in_here" in seen.fault
    assert "probe.py" not in seen.fault


def test_another_file_under_our_number_is_not_written_to(tmp_path: Path) -> None:
    """What daemons do: close every file, then open their own."""
    seen = ask(
        """
        import os
        os.closerange(3, 256)
        files = [open(f"own-{n}", "w") for n in range(20)]
        import colorsys
        """,
        cwd=tmp_path,
    )
    assert any(isinstance(event, ModuleStarted) and event.module == "colorsys" for event in seen.events)
    assert [path.read_bytes() for path in sorted(tmp_path.glob("own-*"))] == [b""] * 20


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos.unlink(RESULT)",
        "import shutil, os\nshutil.rmtree(os.path.dirname(RESULT))",
        'open(RESULT, "ab").write(b\'{"kind": 7}\\n[]\\n{"kind": "end", "outcome": {}}\\n\\xff\\xfe\\n\')',
        "open(RESULT, 'ab').write(b'[' * 100000)",
        "import os\nos.truncate(RESULT, 1 << 36)",
        "open(RESULT, 'r+b').truncate(0)",
    ],
)
def test_the_result_is_tampered_with(code: str) -> None:
    """The program can reach the probe's files: it may spoil the answer, not the one who asks."""
    find = "import sys\nRESULT = sys._getframe(2).f_globals['RECORDER'].journal.path\n"
    seen = observe(ask_code(find + code), find_launch(), timeout=60.0)
    assert isinstance(seen, Observation)


@pytest.mark.parametrize(
    "hook", ["sys.excepthook = None", "sys.excepthook = lambda *a: 1 / 0", "sys.stderr = None", "sys.stdout.close()"]
)
def test_a_program_that_breaks_its_own_reporting(hook: str) -> None:
    seen = ask(f"import sys\n{hook}\nimport nothing_of_that_name")
    assert [error.name for error in seen.exceptions][:1] == ["nothing_of_that_name"]


def test_an_exception_that_is_as_bad_as_it_gets() -> None:
    seen = ask(
        """
        class Worst(ImportError):
            def __str__(self): raise KeyboardInterrupt
            def __getattribute__(self, name): raise SystemExit(3)
        raise Worst()
        """
    )
    assert seen.outcome in (Outcome.RAISED, Outcome.DIED)


@LINUX
def test_ctrl_c_ends_whyload_and_the_program_that_ignores_it(tmp_path: Path) -> None:
    program = (
        "import os, signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "open('pid', 'w').write(str(os.getpid()))\ntime.sleep(300)"
    )
    asking = (
        "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"  # jobs in the background ignore it
        "from whyload.observe.run import observe\nfrom whyload.observe.observation import ask_code\n"
        "from whyload.world.interpreter import find_launch\n"
        f"observe(ask_code({program!r}), find_launch(), timeout=250)"
    )
    with subprocess.Popen([sys.executable, "-c", asking], cwd=tmp_path, stderr=subprocess.PIPE) as process:
        try:
            for _ in range(600):
                if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text():
                    break
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert b"KeyboardInterrupt" in errors
    assert ends(int((tmp_path / "pid").read_text()))
