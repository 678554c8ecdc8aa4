"""Reading always ends, whatever the source is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.startup.sketch import lines, read
from whyload.startup.model import Limits
from whyload.startup.scan import scan
from whyload.startup.skeleton import parse, skeleton

ENDLESS = [
    "import ctypes\nwhile True:\n    ctypes.windll",
    "import ctypes\ndef f(): return f()\nf()\nctypes.windll",
    "import ctypes\ndef f(n): return [f(n + 1) for _ in range(1000)]\nf(0)\nctypes.windll",
    "import ctypes\nx = 'a'\nfor _ in range(3000): x = x + x\nctypes.windll",
    "import ctypes\nx = 9 ** 9 ** 9\ny = 1 << 10**9\nz = 'a' * 10**12\nctypes.windll",
    "import ctypes\nx = [0]\nfor i in range(3000): x = x + x\nctypes.windll",
    "import ctypes\nx = '%0999999999d' % 1\ny = f'{1:999999999}'\nctypes.windll",
]


@pytest.mark.parametrize("text", ENDLESS)
def test_endless_programs_end(text: str) -> None:
    assert lines({"_n.pyd": ""}, text + "\nimport _n")[-1] == "load _n.pyd 0x1100"


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (Limits(events=3), "import ctypes\nfor i in range(9):\n    ctypes.CDLL(f'{i}.dll')"),
        (Limits(work=50), "import ctypes\nfor i in range(99):\n    ctypes.CDLL(f'{i}.dll')"),
        (Limits(iterations=3), "import ctypes\nfor i in range(9):\n    ctypes.CDLL(f'{i}.dll')"),
        (Limits(modules=2), "import a"),
        (Limits(import_depth=1), "import a"),
    ],
)
def test_a_bound_that_is_reached_is_a_note(limits: Limits, code: str) -> None:
    files = {"a.py": "import b", "b.py": "import c", "c.py": "import d", "d.py": "import _n", "_n.pyd": ""}
    assert read(files, code, limits=limits).notes


def test_what_was_read_before_a_bound_stands() -> None:
    startup = read({}, "import ctypes\nfor i in range(9):\n    ctypes.CDLL(f'{i}.dll')", limits=Limits(events=3))
    assert len(startup.events) == 3


PIECES = [
    "import _n", "import gone", "from . import x", "from _n import *", "try:", "except ImportError:", "except:", "else:", "finally:", "raise",
    "raise e", "if a:", "while b:", "for x in y:", "def f(*a, **k):", "class C(f):", "return f()", "break", "continue", "f()", "x = [f(i) for i in a]",
    "with open(x) as y:", "del x", "a.b.c = d", "global a", "import ctypes", "ctypes.CDLL(x)", "x, *y = 1, 2, 3", "yield x", "lambda: f()", "x += y",
    "__path__.append(x)", "import os; os.environ[x] = y", "match a:", "case 1:", "assert 0", "exec(x)", "a = a[a]", "x = {**a, 'b': 1}",
]  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(PIECES), st.integers(0, 3)), max_size=25))
@settings(max_examples=150, deadline=None)
def test_odd_programs_never_raise(pieces: list[tuple[str, int]]) -> None:
    text = "\n".join("    " * depth + piece for piece, depth in pieces)
    limits = Limits(work=20_000, events=500)
    read({"m.py": text, "_n.pyd": "", "n.py": text}, "import m", limits=limits)
    repaired = "\n".join(
        f"if a:\n    {piece}" if not piece.endswith(":") else f"if a:\n  {piece} pass" for piece, _ in pieces
    )
    read({"m.py": repaired, "_n.pyd": ""}, repaired, limits=limits)


@given(st.text(max_size=300))
@settings(max_examples=100, deadline=None)
def test_any_text_can_be_looked_through(text: str) -> None:
    scan(text)
    parse(text)
    assert skeleton(text).count("\n") == text.count("\n")
