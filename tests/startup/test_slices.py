"""What a block needs of its module: reading the whole module is the judge."""

from __future__ import annotations

import ast

import pytest

from tests.startup.sketch import Line, lines
from whyload.startup import loading
from whyload.startup.module_code import read_module
from whyload.startup.modules import Module
from whyload.startup.reach import Reach
from whyload.startup.reader import Reader
from whyload.startup.slices import sliced

CAPSULE = '''"""Doc

import no
"""
import sys
import types as _types
__all__ = ["a"]

@decorated
class A:
    """
type = 1
"""
    def kind(self): ...

_kind = getattr(_types, "Kind", None)

if _kind is None:
    try:
        import _socket
    except ImportError:
        pass
    else:
        _kind = type(_socket)
B = A
'''


def part(text: str, wanted: str, *kept: str) -> list[str] | None:
    """The first line of each statement of the part, at its own line."""
    places = [line.strip() for line in text.split("\n")]
    tree = sliced(text, [places.index(line) + 1 for line in kept], [places.index(wanted) + 1])
    return None if tree is None else [places[node.lineno - 1] for node in tree.body]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_block_and_what_it_needs(ends: str) -> None:
    text = CAPSULE.replace("\n", ends)
    found = part(text, "import _socket", "import sys", "import types as _types")
    assert found == [
        "import sys", "import types as _types", '_kind = getattr(_types, "Kind", None)', "if _kind is None:",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "wanted", "needed"),
    [
        ("a = 1\nb = a\nif b: import c", "if b: import c", ["a = 1", "b = a", "if b: import c"]),
        ("def f(): a\na = 1\ntry: import c\nexcept f: pass", "try: import c", ["def f(): a", "a = 1", "try: import c"]),
        ("a = [\nb]\nif a: import c", "if a: import c", None),
        ("@a\ndef f(): pass\nif f(): import c", "if f(): import c", ["def f(): pass", "if f(): import c"]),
        ("len = id\nif len(a): import c", "if len(a): import c", None),
        ("def len(a): pass\nif len(a): import c", "if len(a): import c", None),
        ("for len in a: pass\nif len: import c", "if len: import c", None),
        ("from a import b\nb.c = 1\nif b.c: import d", "if b.c: import d", None),
        ("import a\nif a != b: import c", "if a != b: import c", ["import a", "if a != b: import c"]),
        ("import a\na>>=1\nif a: import c", "if a: import c", None),
        ("import a\na, b = 1, 2\nif a: import c", "if a: import c", None),
        ("a = 1\n" + "a += 1\n" * 20 + "if a: import c", "if a: import c", None),
        ("a = 1\rif a: import c", "if a: import c", None),
    ],
)  # fmt: skip
def test_what_is_needed(text: str, wanted: str, needed: list[str] | None) -> None:
    kept = [line for line in text.split("\n") if line.startswith(("from ", "import "))]
    if "\r" in text:
        assert sliced(text, [], [1]) is None
    else:
        assert part(text, wanted, *kept) == needed


FILES = {
    "C:\\Python\\DLLs\\_socket.pyd": "",
    "C:\\Python\\DLLs\\select.pyd": "",
    "_own.pyd": "",
}


@pytest.mark.parametrize(
    "block",
    [
        "try:\n    import _socket\nexcept ImportError:\n    pass",
        "if sys.platform == 'win32':\n    import select",
        "if sys.platform != 'win32':\n    import select",
        "_ask = True\nif _ask and sys:\n    import select as _s\nelse:\n    import _socket",
        "if unknown():\n    import select",
        "try:\n    import socket\nexcept ImportError:\n    socket = None\n    HAS = False",
        "for name in ('a',):\n    import select",
        "class A:\n    import select",
    ],
)
@pytest.mark.parametrize("before", ["import os\n", "def unknown():\n    return os.urandom(1)\n\nX = 1\n"])
def test_events_are_those_of_the_whole_module(block: str, before: str, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        **FILES,
        "m.py": f"import sys\n{before}{block}\n\ndef f():\n    return 1\n",
        "n.py": "import m\nimport _own",
    }

    def events() -> list[Line]:
        return lines(files, "import n\nimport m")

    whole: list[str] = []

    def noted(reader: Reader, module: Module) -> None:
        whole.append(module.name)
        read_module(reader, module)

    monkeypatch.setattr(loading, "read_module", noted)
    found = events()
    assert whole == ["n"]
    monkeypatch.setattr(Reach, "is_plain", lambda self, found: False)
    assert found == events()
    assert found, "nothing loads"


def test_the_part_is_parsed_at_its_own_lines() -> None:
    text = "x = 1\n\ny = 2\n\n\ntry:\n    import a\nexcept ImportError:\n    pass\n"
    tree = sliced(text, [], [7])
    assert tree is not None
    assert ast.dump(tree, include_attributes=True) == ast.dump(
        ast.Module(ast.parse(text).body[2:], []), include_attributes=True
    )
