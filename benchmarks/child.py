"""One contender in a process of its own: does its job once for every line on standard input, and says what it took.

Source of truth: the protocol is `benchmarks.rounds`; one JSON value a line in each direction.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path

from benchmarks.contenders import JOBS, Job, everything_of, keep_symbols, names_of
from benchmarks.source import Source


def peak_memory() -> int | None:
    """The most memory that this process ever held, in bytes; None where the system does not say (only Linux does)."""
    try:
        text = Path("/proc/self/status").read_text()
    except OSError:
        return None
    return next(int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith("VmHWM"))


def timed(job: Job, files: list[str]) -> dict[str, object]:
    """One round over all files."""
    gc.collect()
    start, used = time.perf_counter(), time.process_time()
    found = job(files)
    taken, used = time.perf_counter() - start, time.process_time() - used
    return {"seconds": taken, "processor": used, "found": sum(found)}


def main() -> None:
    """Argument 1: the contender; argument 2: a file with the list of files, for `memory JOB` one to be read itself."""
    name = sys.argv[1]
    if name.startswith("memory "):
        from whyload.formats.pe import Image  # noqa: F401 - it belongs to what was there before

        before = peak_memory()
        source = Source(sys.argv[2])
        found = names_of(source) if name == "memory names" else everything_of(source)["exports"]
        print(json.dumps({"before": before, "after": peak_memory(), "found": found}))
        return
    files = json.loads(Path(sys.argv[2]).read_text())
    if name == "memory":
        before = peak_memory()
        kept = keep_symbols(files)
        print(json.dumps({"before": before, "after": peak_memory(), "kept": len(kept)}))
        return
    job = JOBS[name]
    if not name.startswith("bind"):
        job(files[:1])  # imports are not part of a round
    for _ in sys.stdin:
        print(json.dumps(timed(job, files)), flush=True)


if __name__ == "__main__":
    main()
