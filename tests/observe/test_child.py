"""A child process with bounds on time and output (architecture: a crash, a hang or endless output is a result)."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from whyload.base.message import message
from whyload.observe.child import KEPT_OUTPUT, decode, run_child

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks processes up in /proc")


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_both_outputs_and_the_status() -> None:
    code = "import sys; print('out'); sys.stderr.write('err'); sys.exit(5)"
    ended = run_child(python(code), environment=os.environ, cwd=None, timeout=60)
    assert (ended.exit_status, ended.stdout, ended.stderr, ended.timed_out) == (5, "out\n", "err", False)
    assert ended.notes == ()


def test_input_is_empty_by_default() -> None:
    ended = run_child(python("import sys; print(repr(sys.stdin.read()))"), environment=os.environ, cwd=None, timeout=60)
    assert ended.stdout == "''\n"


@pytest.mark.parametrize("more", [10, 3 * KEPT_OUTPUT])
def test_only_the_tail_is_kept(more: int) -> None:
    code = f"import sys; sys.stdout.write('a' * {more} + 'z' * {KEPT_OUTPUT})"
    ended = run_child(python(code), environment=os.environ, cwd=None, timeout=60)
    assert ended.stdout == "z" * KEPT_OUTPUT
    assert [message(what).en for what, _ in ended.notes] == ["output"]


def state_of(pid: int) -> str:
    """`gone`, or the letter of the process's state; Z is a process that has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "gone"


def ends(pid: int) -> bool:
    """True as soon as the process has ended; a signal needs a moment to be delivered."""
    for _ in range(200):
        if state_of(pid) in ("gone", "Z"):
            return True
        time.sleep(0.05)
    return False


@LINUX
def test_the_whole_tree_is_ended() -> None:
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(600)"
    )
    ended = run_child(python(code), environment=os.environ, cwd=None, timeout=3)
    assert ended.timed_out
    assert ends(int(ended.stdout))


@LINUX
def test_a_grandchild_that_keeps_the_output_open_is_not_waited_for() -> None:
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(child.pid, flush=True)"
    )
    ended = run_child(python(code), environment=os.environ, cwd=None, timeout=60)
    pid = int(ended.stdout)
    assert state_of(pid) not in ("gone", "Z")
    os.kill(pid, 9)
    assert [message(what).en for what, why in ended.notes if "holds it open" in message(why).en] == [
        "output",
        "error output",
    ]


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(OSError, match="no-such-program"):
        run_child(["/no-such-program"], environment={}, cwd=None, timeout=10)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("模块".encode(), "模块"),
        ("模块".encode()[1:], "块"),
        (b"plain", "plain"),
        (b"", ""),
    ],
)
def test_utf_8_also_where_a_character_is_cut(data: bytes, text: str) -> None:
    assert decode(data) == text


def test_other_bytes_never_raise() -> None:
    assert decode(b"ok \xd5\xd2\xb2\xbb\xb5\xbd").startswith("ok ")
