"""The program ends at once only where nobody waits for its proper end. Python's own end is the judge."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

END = "from whyload.cli.ending import end_at_once; end_at_once(3); sys.stderr.write('went on'); sys.exit(3)"


def ended(code: str, *options: str) -> tuple[int, str, str]:
    """Exit code, output and error output of a program that ends with `END`."""
    command = [sys.executable, "-I", *options, "-c", f"import sys\n{code}\n{END}"]
    done = subprocess.run(command, capture_output=True, text=True, input="")
    return done.returncode, done.stdout, done.stderr


def test_what_was_written_arrives() -> None:
    assert ended("print('x' * 100_000, end='')") == (3, "x" * 100_000, "")


@pytest.mark.parametrize(
    "code",
    [
        "import atexit; atexit.register(print, 'handled')",
        "import tempfile; folder = tempfile.TemporaryDirectory()",
        "import threading, time; threading.Thread(target=time.sleep, args=(0.2,)).start()",
        "sys.setprofile(lambda *given: None)",
        "sys.settrace(lambda *given: None)",
    ],
)
def test_what_is_pending_comes_first(code: str) -> None:
    status, output, errors = ended(code)
    assert (status, errors) == (3, "went on")
    assert output == ("handled\n" if "handled" in code else "")


def test_a_profiler_says_what_it_saw(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(f"import sys\n{END}")
    done = subprocess.run([sys.executable, "-m", "cProfile", str(program)], capture_output=True, text=True)
    assert "function calls" in done.stdout


def test_a_person_who_waits_is_not_left() -> None:
    assert ended("", "-i")[2].startswith("went on")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_what_cannot_be_written_is_left_to_python() -> None:
    command = [sys.executable, "-I", "-c", f"import sys; print('x'); {END}"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert "went on" in done.stderr


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_closed_stream_is_no_hindrance(stream: str) -> None:
    assert ended(f"sys.{stream}.close()")[0] == 3
    assert ended(f"sys.{stream} = None")[0] == 3
