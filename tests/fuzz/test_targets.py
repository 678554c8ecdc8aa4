"""Every reader on mutations of healthy inputs, on noise, and on large inputs: no exception, 64 MiB at most.

Source of truth: tests/fuzz/targets.py; `python -m tests.fuzz TARGET` looks on, guided by coverage.
"""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import LARGEST, TARGETS

PIECES = (b"\0", b"\xff", b"\0" * 4, b"\xff" * 4, b'"', b"{", b"[", b"\n", b",", b"\\", b"\xe4", b"9" * 40, b"(" * 50)
MIB = 1 << 20


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_healthy_inputs(name: str) -> None:
    for seed in TARGETS[name].seeds():
        TARGETS[name].run(seed)


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_mutations(name: str) -> None:
    seeds = TARGETS[name].seeds()

    @settings(max_examples=60, deadline=None, database=None)
    @given(
        seed=st.sampled_from(seeds),
        changes=st.lists(
            st.tuples(st.floats(0, 1), st.sampled_from(PIECES) | st.binary(max_size=8), st.booleans()), max_size=8
        ),
        cut=st.none() | st.floats(0, 1),
    )
    def mutated(seed: bytes, changes: list[tuple[float, bytes, bool]], cut: float | None) -> None:
        data = bytearray(seed)
        for where, new, inserted in changes:
            at = int(where * len(data))
            data[at : at + (0 if inserted else len(new))] = new
        TARGETS[name].run(bytes(data if cut is None else data[: int(cut * len(data))]))

    mutated()


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_noise(name: str) -> None:
    @settings(max_examples=40, deadline=None, database=None)
    @given(data=st.binary(max_size=600) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
    def noisy(data: bytes) -> None:
        TARGETS[name].run(data)

    noisy()


def _repeated(seed: bytes) -> bytes:
    return (seed * (LARGEST // max(len(seed), 1) + 1))[:LARGEST]


LARGE: list[tuple[str, bytes]] = [
    *((name, b"[") for name in ("conda", "journal", "world-json", "world-toml", "source")),
    *((name, b'{"a":') for name in ("conda", "journal", "world-json")),
    *((name, b"x.") for name in ("toml", "world-toml", "source")),
    ("settings", b"a = 1\n"),
    *(("source", unit) for unit in (b"a,", b"import a\n", b"def f(a, b): pass\n", b"not ", b"-", b"a or ")),
    *(("record", unit) for unit in (b"a,", b"\n", b'"')),
    *(("text", unit) for unit in (b"Error: ", b'Error loading "', b"0xC0000135 ")),
    *(("path-files", unit) for unit in (b"a\n", b"import a\n")),
]
"""Pieces that, repeated, have been or could be dear to a reader."""


@pytest.mark.parametrize(("name", "unit"), LARGE, ids=repr)
def test_large_inputs_stay_within_64_mib(name: str, unit: bytes) -> None:
    """One short piece over and over up to 1 MiB."""
    data = _repeated(unit)
    TARGETS[name].run(b"x = 1")  # what is read once and kept does not count
    tracemalloc.start()
    try:
        TARGETS[name].run(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= 64 * MIB
