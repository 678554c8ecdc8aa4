"""A coverage-guided fuzzer on one reader, for development:

    python -m pip install atheris
    python -m tests.fuzz pe --seconds 600 [--corpus DIR]
    python -m tests.fuzz pe --input FILE

It stops at the first input that raises what it must not, or takes too long, and writes it to the folder; the input then
becomes a test. With `--input` one input is run, its time and memory measured. Source of truth: tests/fuzz/targets.py.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.fuzz.targets import Target

LARGEST = 1 << 20
MOST_SECONDS = 1.0
MOST_MEMORY = 64 << 20
_SLACK = 8
"""Watched code is that much slower than plain code."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Fuzz one reader with coverage as the guide.")
    parser.add_argument("target", help="see tests/fuzz/targets.py")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--corpus", type=Path, help="keep the inputs there from run to run")
    parser.add_argument("--input", type=Path, help="run one input, measured, and no more")
    chosen = parser.parse_args()
    if chosen.input:
        measured(_target(chosen.target), chosen.input.read_bytes())
        return
    try:
        import atheris
    except ImportError:
        sys.exit("atheris is not installed (python -m pip install atheris; it has builds for Linux and macOS)")
    with atheris.instrument_imports(include=["whyload"]):  # also what the readers import later
        target = _target(chosen.target)
        corpus = chosen.corpus or Path(tempfile.mkdtemp(prefix=f"fuzz-{chosen.target}-"))
        corpus.mkdir(parents=True, exist_ok=True)
        for number, seed in enumerate(target.seeds()):
            (corpus / f"seed-{number}").write_bytes(seed)

        def one(data: bytes) -> None:
            began = time.process_time()
            target.run(data)
            spent = time.process_time() - began
            if spent > MOST_SECONDS * _SLACK:
                raise AssertionError(f"{spent:.1f} s")

        options = [f"-max_total_time={chosen.seconds}", f"-max_len={LARGEST}", "-rss_limit_mb=2048", "-timeout=60"]
        place = str(corpus.resolve())
        os.chdir(corpus)  # what is found is written to the current folder
        atheris.Setup([sys.argv[0], *options, place], one)
        atheris.Fuzz()


def _target(name: str) -> Target:
    from tests.fuzz.targets import TARGETS

    if name not in TARGETS:
        sys.exit(f"no such target: {name}; there are {', '.join(sorted(TARGETS))}")
    return TARGETS[name]


def measured(target: Target, data: bytes) -> None:
    """One input: its time and memory, each measured on its own."""
    began = time.process_time()
    target.run(data)
    spent = time.process_time() - began
    tracemalloc.start()
    target.run(data)
    peak = tracemalloc.get_traced_memory()[1]
    print(f"{len(data)} bytes, {spent:.2f} s, {peak >> 20} MiB")
    if spent > MOST_SECONDS or peak > MOST_MEMORY:
        sys.exit(1)


if __name__ == "__main__":
    main()
