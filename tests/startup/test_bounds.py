"""Reading always ends, whatever the source is."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.startup.sketch import lines, read
from whyload.startup.model import Limits
from whyload.startup.scan import Scan
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


SIMPLE = [
    *(
        "import _n",
        "import gone",
        "from . import x",
        "from _n import *",
        "raise",
        "raise e",
        "return f()",
        "break",
        "continue",
    ),
    *("f()", "x = [f(i) for i in a]", "del x", "a.b.c = d", "global a", "import ctypes", "ctypes.CDLL(x)", "x += y"),
    *(
        "x, *y = 1, 2, 3",
        "yield x",
        "f = lambda *a: f()",
        "__path__.append(x)",
        "import os; os.environ[x] = y",
        "exec(x)",
    ),
    *("assert 0", "a = a[a]", "x = {**a, 'b': 1}", "a = ctypes.CDLL('a.dll')", "x = None", "a = not x or a"),
    *("x = ctypes.windll.kernel32.LoadLibraryW('a')", "raise ImportError(x) from e", "x = (x, x)", "a = [*a, *a]"),
]
BLOCKS = [
    *("try:\n{0}\nexcept ImportError as e:\n{1}", "try:\n{0}\nexcept:\n{1}\nelse:\n{0}\nfinally:\n{1}"),
    *("try:\n{0}\nexcept OSError as x:\n{1}\nexcept Exception:\n{0}", "if a:\n{0}\nelse:\n{1}", "if x:\n{0}"),
    *("while b:\n{0}\nelse:\n{1}", "for x in (1, 2, 3):\n{0}\nelse:\n{1}", "for x in y:\n{0}", "while True:\n{0}"),
    *("def f(*a, **k):\n{0}", "class C(f):\n{0}", "with open(x) as y:\n{0}", "match a:\n    case 1:\n        pass\n"),
]


def _blocks(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, min_size=1, max_size=4).map("\n".join).map(lambda text: textwrap.indent(text, "    "))
    return st.builds(lambda block, one, two: block.format(one, two), st.sampled_from(BLOCKS), body, body)


PROGRAMS = st.lists(st.recursive(st.sampled_from(SIMPLE), _blocks, max_leaves=12), max_size=6).map("\n".join)


@given(PROGRAMS, PROGRAMS)
@settings(max_examples=200, deadline=None)
def test_odd_programs_never_raise(one: str, two: str) -> None:
    files = {"m.py": one, "_n.pyd": "", "n.py": two}
    read(files, f"import m\n{two}", limits=Limits(work=20_000, events=500))


@given(st.text(max_size=300))
@settings(max_examples=100, deadline=None)
def test_any_text_can_be_looked_through(text: str) -> None:
    assert all(name in text for name in Scan(text).loaders)
    parse(text)
    assert skeleton(text).count("\n") == text.count("\n")
