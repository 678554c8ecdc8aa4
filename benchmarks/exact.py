"""Targets that are counted and not timed: what a file's size costs, what one file takes in memory, what is dropped.

Source of truth: targets 3, 10 and 13 of docs/performance.md; the same are tests, on a smaller corpus.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.contenders import everything_of, names_of, symbols_of
from benchmarks.corpus import Corpus
from benchmarks.source import Source
from benchmarks.table import Table

_LARGE = 6 << 30
_ROUNDS = 40
_MIB = 1 << 20


def size_of_the_file(measured: Corpus, scratch: Path) -> Table:
    """A real file and the same one padded to 6 GB: holes take no room on the disk."""
    table = Table(
        title="The same file, padded to 6 GB", columns=("job", "reads", "bytes", "padded reads", "bytes", "time")
    )
    small = next(path for path in measured.files if path.name.startswith("_multiarray_umath"))
    large = scratch / "large.pyd"
    large.write_bytes(small.read_bytes())
    os.truncate(large, _LARGE)
    equal, ratios = True, list[float]()
    for name, job in (("names", names_of), ("symbols", symbols_of)):
        calls: list[list[tuple[int, int]]] = []
        for path in (small, large):
            source = Source(str(path), [])
            job(source)
            calls.append(source.calls or [])
            source.close()
        ratio = statistics.median(_seconds(large, job) / _seconds(small, job) for _ in range(_ROUNDS))
        equal = equal and calls[0] == calls[1]
        ratios.append(ratio)
        counts = [str(value) for made in calls for value in (len(made), sum(length for _, length in made))]
        table.add(name, *counts, f"{ratio:.2f}x")
    said = f"{'equal' if equal else 'not equal'}, {max(ratios):.2f}x the time"
    table.judge(
        "3", "the same file padded to 6 GB", "equal reads and bytes, 1.5x the time", said, equal and max(ratios) <= 1.5
    )
    return table


def _seconds(path: Path, job: object) -> float:
    assert callable(job)
    start = time.perf_counter()
    source = Source(str(path))
    job(source)
    source.close()
    return time.perf_counter() - start


def memory_of_one(measured: Corpus) -> Table:
    """The most memory of a process that reads one file, over what it held before; each in a process of its own."""
    table = Table(title="Memory for one file", columns=("file", "MB", "names MiB", "everything MiB"))
    most = {"names": 0.0, "all": 0.0}
    for path in sorted(measured.files, key=lambda path: path.stat().st_size)[-3:]:
        used = {}
        for job in most:
            command = [sys.executable, "-m", "benchmarks.child", f"memory {job}", str(path)]
            answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            if answer["after"] is None:
                return table  # only Linux says
            used[job] = (answer["after"] - answer["before"]) / _MIB
            most[job] = max(most[job], used[job])
        table.add(path.name, f"{path.stat().st_size / 1e6:.0f}", f"{used['names']:.1f}", f"{used['all']:.1f}")
    for job, limit in (("names", 8), ("all", 32)):
        what = f"memory for one file of any size, {'names' if job == 'names' else 'everything'}"
        table.judge("10", what, f"at most {limit} MiB", f"{most[job]:.1f} MiB", most[job] <= limit)
    return table


def nothing_dropped(measured: Corpus) -> Table:
    """Counts that other readers miss because of their own limits."""
    table = Table(title="Nothing is dropped", columns=("file", "what", "wanted", "found"))
    files = {path.name: str(path) for path in reversed(measured.files)}  # of two with one name the first wheel's
    wanted = {
        ("torch_python.dll", "imported libraries"): 19,
        ("torch_cpu.dll", "exports"): 57_772,
        ("QtOpenGL.pyd", "imported functions"): 13_585,
    }
    found = {}
    for (name, what), count in wanted.items():
        if name not in files:
            return table
        found[name] = everything_of(Source(files[name]))
        table.add(name, what, str(count), str(found[name][what]), met=found[name][what] == count)
    longest = found["torch_cpu.dll"]["longest name"]
    right = all(found[name][what] == count for (name, what), count in wanted.items()) and longest > 512
    said = f"{'all' if right else 'not all'} found; longest name {longest} bytes"
    table.judge("13", "nothing dropped: libraries, exports, functions, long names", "exact", said, right)
    return table
