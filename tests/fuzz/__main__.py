"""A coverage-guided fuzzer on one reader, for development:

    python -m pip install atheris
    python -m tests.fuzz pe --seconds 600 [--corpus DIR]

It stops at the first input that raises what it must not, takes more than a second of the processor or more than 64 MiB,
and writes it to the folder; the input then becomes a test. Source of truth: tests/fuzz/targets.py.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

from tests.fuzz.targets import LARGEST, TARGETS

MOST_SECONDS = 1.0
MOST_MEMORY = 64 << 20
_SLACK = 8
"""Watched code is that much slower than plain code."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Fuzz one reader with coverage as the guide.")
    parser.add_argument("target", choices=sorted(TARGETS))
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--corpus", type=Path, help="keep the inputs there from run to run")
    parser.add_argument("--input", type=Path, help="run one input, measured, and no more")
    chosen = parser.parse_args()
    if chosen.input:
        measured(chosen.target, chosen.input.read_bytes())
        return
    try:
        import atheris
    except ImportError:
        sys.exit("atheris is not installed (python -m pip install atheris; it has builds for Linux and macOS)")
    corpus = chosen.corpus or Path(tempfile.mkdtemp(prefix=f"fuzz-{chosen.target}-"))
    corpus.mkdir(parents=True, exist_ok=True)
    target = TARGETS[chosen.target]
    for number, seed in enumerate(target.seeds()):
        (corpus / f"seed-{number}").write_bytes(seed)
    atheris.instrument_all()

    def one(data: bytes) -> None:
        began = time.process_time()
        target.run(data)
        spent = time.process_time() - began
        if spent > MOST_SECONDS * _SLACK:
            raise AssertionError(f"{spent:.1f} s")

    options = [f"-max_total_time={chosen.seconds}", f"-max_len={LARGEST}", "-rss_limit_mb=2048", "-timeout=60"]
    os.chdir(corpus)  # what is found is written to the current folder
    atheris.Setup([sys.argv[0], *options, str(corpus.resolve())], one)
    atheris.Fuzz()


def measured(name: str, data: bytes) -> None:
    """One input: its time and memory, each measured on its own."""
    began = time.process_time()
    TARGETS[name].run(data)
    spent = time.process_time() - began
    tracemalloc.start()
    TARGETS[name].run(data)
    peak = tracemalloc.get_traced_memory()[1]
    print(f"{name}: {len(data)} bytes, {spent:.2f} s, {peak >> 20} MiB")
    if spent > MOST_SECONDS or peak > MOST_MEMORY:
        sys.exit(1)


if __name__ == "__main__":
    main()
