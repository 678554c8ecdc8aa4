"""A child process with bounds: on its time, and on what is kept of its output."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from whyload.base.dataclass import dataclass
from whyload.base.message import Message, Text
from whyload.base.typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    import subprocess
    import threading

_STREAMS = (Message(en="output", zh="标准输出"), Message(en="error output", zh="标准错误输出"))

KEPT_OUTPUT = 64 << 10
GRACE = 2.0
"""Seconds that the output may stay open after the process has ended (a grandchild may hold it for ever)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a child ended."""

    exit_status: int
    timed_out: bool
    stdout: str
    stderr: str
    notes: tuple[tuple[Text, Text], ...]


def run_child(
    command: Sequence[str], *, environment: Mapping[str, str], cwd: str | None, timeout: float, stdin: bool = False
) -> Ended:
    """Run `command` and wait for it; its process tree is ended after `timeout` seconds or when we are interrupted.

    Raises OSError where it cannot be started.
    """
    import subprocess

    process = subprocess.Popen(
        list(command),
        stdin=None if stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=dict(environment),
        start_new_session=os.name != "nt",
    )
    tree = _Tree(process)
    assert process.stdout is not None and process.stderr is not None
    tails = (_Tail(process.stdout), _Tail(process.stderr))
    timed_out = False
    try:
        process.wait(timeout)
    except subprocess.TimeoutExpired:
        timed_out = True
        tree.end()
    except BaseException:
        tree.end()
        raise
    ended = [tail.finish(GRACE) for tail in tails]
    stdout, stderr = (tail.text() for tail in tails)
    status = process.returncode
    return Ended(
        exit_status=status & 0xFFFFFFFF if os.name == "nt" else status,
        timed_out=timed_out,
        stdout=stdout,
        stderr=stderr,
        notes=tuple(_notes(ended, [tail.cut for tail in tails])),
    )


def _notes(ended: Iterable[bool], cut: Iterable[bool]) -> Iterator[tuple[Text, Text]]:
    kept = Message(en="a program that the run started still holds it open", zh="它启动的某个程序仍占用着这个输出")
    yield from ((name, kept) for name, is_ended in zip(_STREAMS, ended, strict=True) if not is_ended)
    last = Message(en=f"only the last {KEPT_OUTPUT} bytes are kept", zh=f"只保留最后 {KEPT_OUTPUT} 字节")
    yield from ((name, last) for name, is_cut in zip(_STREAMS, cut, strict=True) if is_cut)


class _Tail:
    """Reads a pipe in a thread and keeps the last part."""

    def __init__(self, pipe: IO[bytes]) -> None:
        import threading

        self._pipe = pipe
        self._chunks: deque[bytes] = deque()
        self._kept = 0
        self.cut = False
        self._thread: threading.Thread = threading.Thread(target=self._read, name="whyload-output", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with self._pipe, contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self._pipe.fileno(), 1 << 16):
                self._chunks.append(chunk)
                self._kept += len(chunk)
                while self._kept - len(self._chunks[0]) >= KEPT_OUTPUT:
                    self._kept -= len(self._chunks.popleft())
                    self.cut = True

    def finish(self, seconds: float) -> bool:
        """True where the end of the output was seen within that time."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def text(self) -> str:
        """What was kept, decoded as UTF-8, or else as the machine's own code page."""
        data = b"".join(tuple(self._chunks))
        if len(data) > KEPT_OUTPUT:
            self.cut, data = True, data[-KEPT_OUTPUT:]
        return decode(data).replace("\r\n", "\n")


def decode(data: bytes) -> str:
    """UTF-8 where it is valid but for a character cut at the front, otherwise the machine's own code page."""
    whole = data.lstrip(bytes(range(0x80, 0xC0))) if data[:3].lstrip(bytes(range(0x80, 0xC0))) != data[:3] else data
    try:
        return whole.decode("utf-8")
    except UnicodeDecodeError:
        import locale

        return data.decode(locale.getpreferredencoding(False), "replace")


class _Tree:
    """The child and all that it starts."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._job = _job_for(process) if os.name == "nt" else None

    def end(self) -> None:
        """End all of them and wait for the child."""
        if self._job is not None:
            self._job()
        elif os.name == "nt":
            self._end_without_job()
        else:
            self._end_group()
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.wait()

    def _end_group(self) -> None:
        import signal

        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _end_without_job(self) -> None:
        import subprocess

        quiet: dict[str, Any] = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.DEVNULL,
            "stderr": subprocess.DEVNULL,
        }
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(self._process.pid)], check=False, timeout=20, **quiet)


def _job_for(process: subprocess.Popen[bytes]) -> Any:
    """Put the process into a job; a call of the result ends everything in it. None where that is not possible (our own
    ctypes may be what is broken)."""
    try:
        import ctypes

        library: Any = ctypes
        kernel32 = library.WinDLL("kernel32", use_last_error=True)
        handle_type = ctypes.c_void_p
        kernel32.CreateJobObjectW.restype = handle_type
        kernel32.CreateJobObjectW.argtypes = [handle_type, ctypes.c_wchar_p]
        kernel32.AssignProcessToJobObject.argtypes = [handle_type, handle_type]
        kernel32.TerminateJobObject.argtypes = [handle_type, ctypes.c_uint]
        job = kernel32.CreateJobObjectW(None, None)
        raw: Any = process
        if not job or not kernel32.AssignProcessToJobObject(job, int(raw._handle)):
            return None
    except (ImportError, OSError, AttributeError):
        return None
    return lambda: kernel32.TerminateJobObject(job, 1)
