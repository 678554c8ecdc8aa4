"""Bodies that are parsed when they are called: the tree of the whole text is the judge."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.startup.sketch import lines
from whyload.startup.skeleton import Bodies, complete, parse

PACKAGES = ("", "email", "importlib", "json", "unittest", "asyncio", "concurrent/futures", "idlelib", "distutils")
SOURCES = [file for package in PACKAGES for file in sorted((Path(ast.__file__).parent / package).glob("*.py"))][::3]
FILLING = "    a = 1\n" * 90
DEEPER = FILLING.replace("    ", "        ")


def nodes(tree: ast.Module, bodies: Bodies) -> Iterator[str]:
    """Every node with its place, functions completed."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            complete(node, bodies)
            yield f"until {node.end_lineno}"
        fields = {name: value for name, value in ast.iter_fields(node) if not isinstance(value, (ast.AST, list))}
        yield f"{type(node).__name__} {getattr(node, 'lineno', 0)} {getattr(node, 'col_offset', 0)} {fields}"
        waiting += ast.iter_child_nodes(node)


def test_the_standard_library() -> None:
    count = 0
    for file in SOURCES:
        text = file.read_text("utf-8", "replace")
        bodies: Bodies = {}
        late, whole = parse(text, bodies), parse(text)
        count += len(bodies)
        assert (late is None) == (whole is None)
        if late is not None and whole is not None:
            assert list(nodes(late, bodies)) == list(nodes(whole, {})), file
        assert not bodies, f"{file}: not every function was found again"
    assert count > 50


def put_off(text: str) -> list[int]:
    bodies: Bodies = {}
    tree = parse(text, bodies)
    assert tree is not None
    assert list(nodes(tree, dict(bodies))) == list(nodes(ast.parse(text), {}))
    return list(bodies)


@pytest.mark.parametrize(
    ("text", "late"),
    [
        (f"import x\ndef f(a: 'x:y', b=[1][0:1]) -> X: # (\n    import b\n{FILLING}x = 1\n", [2]),
        (
            f"class C:\n    @d\n    async def f(\n        self,\n    ):\n        import b\n{DEEPER}    x = 1\n",
            [3],
        ),
        (f"def f(a='#(', b=\"):\"):\n    import b\n{FILLING}x = 1\n", [1]),
        (f"def f():\n    import b\n{FILLING}", []),
        (f"def f(): import b\nif x:\n{FILLING}y = 1\n", []),
        (f'def f(a=""":\n"""):\n    import b\n{FILLING}x = 1\n', []),
        (f"def f():\n    import b\n{FILLING}    x = '''\n\nbc'''\ny = 1\n", []),
        (f"def f():\n    import b\n{FILLING}    x = 1 + \\\n2\ny = 1\n", []),
        (f"def f():\n    import b\n{FILLING}    x = [\n2,\n]\ny = 1\n", []),
        (f"def f():\n\timport b\n{FILLING.replace('    ', chr(9))}y = 1\n", []),
        (f"def f(a={{'b': 1}}):\r\n    import b\r\n{FILLING}y = 1\r\n", [1]),
    ],
)
def test_which_bodies_are_put_off(text: str, late: list[int]) -> None:
    assert put_off(text) == late


def test_a_body_is_read_when_it_is_called() -> None:
    module = (
        f"def add(name):\n    import ctypes\n{FILLING}    ctypes.CDLL(name)\n\n"
        f"class C:\n    def load(self, name, *, end='.dll'):\n        import os\n{DEEPER}        add(name + end)\n\n"
        f"def never():\n    import ctypes\n{FILLING}    ctypes.CDLL('never.dll')\n\nC().load('a')\n"
    )
    assert lines({"m.py": module}, "import m") == ["load a.dll 0x1000"]
    assert lines({}, module) == ["load a.dll 0x1000"]
