"""The rules of the house that a tool does not check: sizes of files and functions, what the project may name."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted(path for top in ("src", "tests", "benchmarks", "tools") for path in (ROOT / top).rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_sizes(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 600, "a file of more than 600 lines"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, f"{node.name} has more than 60 lines"


@pytest.mark.parametrize("path", [path for path in FILES if "src" in path.parts], ids=lambda path: path.stem)
def test_no_module_is_a_drawer_of_odds_and_ends(path: Path) -> None:
    assert path.stem not in {"utils", "util", "common", "helpers", "helper", "manager", "misc"}


def test_paths_of_the_host_stay_in_the_world_and_the_command_line() -> None:
    rooms = ("world", "cli", "api", "observe")
    for path in (ROOT / "src" / "whyload").rglob("*.py"):
        room = path.relative_to(ROOT / "src" / "whyload").parts[0]
        if room not in rooms and path.name != "resolver.py":  # pip's files are the host's
            text = path.read_text(encoding="utf-8")
            assert "import pathlib" not in text, path
            assert "from pathlib" not in text, path


_SAYING = frozenset({"note", "not_checked", "doubt"})


@pytest.mark.parametrize("path", [path for path in FILES if "src" in path.parts], ids=lambda path: path.stem)
def test_what_was_not_checked_is_said_in_two_languages(path: Path) -> None:
    """A plain text stands for a name or a foreign error; a sentence of ours is a Message."""
    if "formats" in path.parts or path.name == "probe.py":
        return  # they know no languages: `Incomplete`, and the lines that `observe.reading` translates
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name in _SAYING:
            for text in (item for item in node.args if isinstance(item, ast.Constant | ast.JoinedStr)):
                words = [part.value for part in ast.walk(text) if isinstance(part, ast.Constant)]
                assert not any(" " in str(word).strip(": ") for word in words), f"line {node.lineno}"
