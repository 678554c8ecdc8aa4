"""The first look at source text: it may see too much, never too little."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from whyload.startup.scan import Scan
from whyload.startup.skeleton import is_stub, skeleton


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import a.b, c as d", ["a.b", "c"]),
        ("from a import (b,  # one\n    c)", ["a:b,c"]),
        ("from .. import x", ["..:x"]),
        ("from .a.b import *", [".a.b:*"]),
        ("def f():\n    import a\nimport b", ["b"]),
        ("class C:\n    import a\n    def f(self):\n        import b", ["a"]),
        ("if TYPE_CHECKING:\n    import a\nelse:\n    import b", ["b"]),
        ("try: import a\nexcept ImportError: pass", ["a"]),
        ("x = 1; import a", ["a"]),
        ("async def f():\n    import a", []),
        ('class C:\n    """So:\n\n    import a\n    """\n    import b', ["b"]),
        ("def f():\n    x\nif y:\n    import a", ["a"]),
        ('"""So:\n\n    import a\n"""\nimport b', ["b"]),
        ("x = '\\\n    import a'\nimport b", ["b"]),
        ("if x:\n    def f():\n        import a\n    import b", ["b"]),
        ("class C:\n    def f(self):\n        raise E\n    def g(self): import a\n    import b", ["b"]),
        ("class C:\n    async def f(self):\n        import a\n\n        import b\n    x = 1\n    import c", ["c"]),
        ("if x:\n    y; import a\nelse: import b", ["a", "b"]),
        ("def f(): pass; import a\nimport b", ["b"]),
        ("if x and \\\ny:\n    import a", ["a"]),
        ("if (x and\ny):\n    import a", ["a"]),
        ("class C(\nB,\nD\n):\n    import a", ["a"]),
        ("def f(\nb,\nc\n):\n    import a", []),
        ("importlib.x\nfrom_ = 1\nimport a", ["a"]),
        ("if x:\n\timport a\n\tdef f():\n\t\timport b\nimport c", ["a", "c"]),
    ],
)
def test_imports(text: str, found: list[str]) -> None:
    shown = [
        "." * line.level + line.module + (":" + ",".join(line.names) if line.names else "")
        for line in Scan(text).imports
    ]
    assert shown == found


SOURCES = sorted(Path(ast.__file__).parent.glob("*.py"))[::3] + sorted(Path(ast.__file__).parent.glob("*/__init__.py"))


@pytest.mark.parametrize("file", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_import_of_the_standard_library_is_overlooked(file: Path) -> None:
    text = file.read_text("utf-8", "replace")
    nodes: list[ast.AST] = [ast.parse(text)]
    lines = set()
    while nodes:
        node = nodes.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            lines.add(node.lineno)
        if isinstance(node, ast.If) and "__name__" in ast.unparse(node.test):
            nodes += node.orelse
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            nodes += ast.iter_child_nodes(node)
    assert lines <= {line.line for line in Scan(text).imports}


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("import os\nos.add_dll_directory(x)", True),
        ("class C:\n    def load(self):\n        self.x = CDLL(y)", True),
        ("os.environ['PATH'] = x", True),
        ("x = os.environ['PATH']", False),
        ("def f():\n    importlib.import_module(x)", False),
        ("def f():\n    importlib.import_module(x)\nf()", True),
        ("if sys.version_info < (3, 8):\n    raise ImportError", True),
        ("def f():\n    raise ValueError", False),
        ("re.exec(x)", False),
    ],
)
def test_markers(text: str, marked: bool) -> None:
    assert Scan(text).marked is marked


def test_an_import_whose_failure_is_raised_again_is_not_optional() -> None:
    text = "try:\n    import a\nexcept ImportError:\n    raise ImportError('get a')"
    assert [line.guarded for line in Scan(text).imports] == [False]


LONG = "def long(a):\n" + "    a += 1\n" * 90 + "    return a\n"


def test_long_harmless_functions_are_left_out() -> None:
    tree = ast.parse(skeleton("x = 1\n" + LONG + "y = 2\n"))
    function = tree.body[1]
    assert isinstance(function, ast.FunctionDef)
    assert is_stub(function.body)
    assert tree.body[2].lineno == 1 + LONG.count("\n") + 1


@pytest.mark.parametrize("hint", ["ctypes.CDLL(a)", "import b", "os.path.join(a)", "raise ImportError"])
def test_functions_with_a_hint_are_kept(hint: str) -> None:
    text = LONG + f"    {hint}\n"
    assert skeleton(text) == text


def test_a_function_that_others_may_call() -> None:
    text = "import importlib\ndef load(name):\n    return importlib.import_module(name)\n"
    assert (Scan(text).marked, Scan(text).loaders) == (False, ("load",))
    assert (Scan(f"{text}load('x')\n").marked, Scan(f"{text}load('x')\n").loaders) == (True, ())


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("# uses dlopen\nx = 1", False),
        ('def f():\n    """What exec() does."""\n', False),
        ("class C:\n    def f(self):\n        self.g()\n    def g(self):\n        __import__(x)\nC()", True),
        ("def f():\n    __import__(x)\ndef g():\n    f()", False),
        ("def f():\n    __import__(x)\ndef g():\n    f()\ng()", True),
        ("def f():\n    __import__(x)\ndef g():\n    f()\nregister(g)", True),
        ("def f():\n    __import__(x)\n@now\ndef g():\n    f()", True),
        ("def f():\n    __import__(x)\ndef g():\n    f()\ndef h():\n    g()\nx = h()", True),
        ("def f():\n    __import__(x)\ndef g():\n    f()\ndef h():\n    g()\n__all__ = ['h', 'g']", False),
        ("def f(x=__import__(y)):\n    pass", True),
    ],
)
def test_what_runs_on_import(text: str, marked: bool) -> None:
    assert Scan(text).marked is marked


def test_functions_that_lead_to_a_loader_are_loaders() -> None:
    text = "def f():\n    __import__(x)\ndef g():\n    f()\ndef h():\n    pass"
    assert sorted(Scan(text).loaders) == ["f", "g"]


def test_lines_of_imports() -> None:
    text = "import a; import b\n\ntry: import c\nexcept E:\n    from d import (e,\n  f)\nimport g"
    assert [(line.module, line.line) for line in Scan(text).imports] == [
        ("a", 1), ("b", 1), ("c", 3), ("d", 5), ("g", 7)
    ]  # fmt: skip
