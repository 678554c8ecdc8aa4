"""Interleaved rounds: every contender once a round, in rotated order; a ratio is made within a round.

Source of truth: docs/performance.md, "How it was measured".
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Seconds of one contender, one a round (None where it sat a round out); `found` is what its job counted."""

    seconds: tuple[float | None, ...]
    found: int | None = None
    processor: tuple[float, ...] = ()
    """Processor time of each round, where the system says it: it depends less on what else the machine does."""

    @property
    def known(self) -> list[float]:
        """The rounds that it took part in."""
        return [each for each in self.seconds if each is not None]

    @property
    def median(self) -> float:
        """In seconds."""
        return statistics.median(self.known)

    def over(self, other: Times) -> float:
        """How many times as long as the other: the median of the ratios within each round."""
        pairs = zip(self.seconds, other.seconds, strict=True)
        return statistics.median(a / b for a, b in pairs if a is not None and b is not None)

    def processor_over(self, other: Times) -> float:
        """How many times as much processor time as the other, each in its best round."""
        return min(self.processor) / min(other.processor)


class Child:
    """A contender's process, which waits between rounds."""

    def __init__(self, name: str, files: Path) -> None:
        command = [sys.executable, "-m", "benchmarks.child", name, str(files)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def round(self) -> tuple[float, float, int]:
        """Seconds, processor seconds and what was found."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        return answer["seconds"], answer["processor"], answer["found"]

    def __enter__(self) -> Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def _order(names: Sequence[str], index: int) -> list[str]:
    turn = index % len(names)
    return [*names[turn:], *names[:turn]]


def jobs(names: Sequence[str], files: Path, rounds: int, slow: dict[str, int]) -> dict[str, Times]:
    """Time jobs; `slow` names contenders that take part in the first few rounds only."""
    seconds: dict[str, list[float | None]] = {name: [] for name in names}
    processor: dict[str, list[float]] = {name: [] for name in names}
    found: dict[str, int] = {}
    with ExitStack() as stack:
        children = {name: stack.enter_context(Child(name, files)) for name in names}
        for name in names:
            if name not in slow:
                children[name].round()  # warms up
        for index in range(rounds):
            for name in _order(names, index):
                if index >= slow.get(name, rounds):
                    seconds[name].append(None)
                    continue
                taken, used, found[name] = children[name].round()
                seconds[name].append(taken)
                processor[name].append(used)
    return {
        name: Times(seconds=tuple(seconds[name]), processor=tuple(processor[name]), found=found[name]) for name in names
    }


def commands(calls: dict[str, Sequence[str | Path]], rounds: int) -> dict[str, Times]:
    """Time whole programs from start to exit; exit codes 0 and 1 are answers."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    processor: dict[str, list[float]] = {name: [] for name in calls}
    for index in range(-1, rounds):  # the first round warms up
        for name in _order(list(calls), max(index, 0)):
            start, used = time.perf_counter(), _children()
            done = subprocess.run(calls[name], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            taken, used = time.perf_counter() - start, _children() - used
            if done.returncode not in (0, 1):
                raise RuntimeError(f"{name} ended with {done.returncode}: {done.stderr[-500:]}")
            if index >= 0:
                seconds[name].append(taken)
                processor[name].append(used)
    return {name: Times(seconds=tuple(seconds[name]), processor=tuple(processor[name])) for name in calls}


def _children() -> float:
    """Processor seconds of all processes that this one has waited for; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0.0
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
