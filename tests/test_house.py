"""The rules of the house that a tool does not check: sizes of files and functions, what the project may name."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import whyload

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


def _errors() -> frozenset[str]:
    """The names of every exception that whyload raises on purpose, FormatError apart: that has fields."""
    from whyload.base.errors import FormatError, WhyloadError

    for module in walk_packages(whyload.__path__, "whyload."):
        if module.name.partition(".")[2].partition(".")[0] in ("base", "world", "remedies", "engine", "cli"):
            import_module(module.name)
    waiting, found = [WhyloadError], set()
    while waiting:
        waiting += waiting.pop().__subclasses__()
        found |= {kind.__name__ for kind in waiting if not issubclass(kind, FormatError)}
    return frozenset(found)


def test_errors_are_said_in_two_languages() -> None:
    """A plain text where an error is made would be shown to everybody; what others say is passed on as `said`."""
    errors = _errors()
    assert {"UsageError", "ApplyError", "NoReleaseError", "NotThisWheelError"} <= errors
    plain = []
    for path in (ROOT / "src" / "whyload").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in errors:
                told = node.args[:1]
                if any(isinstance(item, ast.Constant | ast.JoinedStr) or _is_str_call(item) for item in told):
                    plain.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert plain == []


def _is_str_call(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "str"


_HOME = re.compile(
    r"(?i)(?:\b[a-z]:|/mnt/[a-z]|(?<![\w.]))[\\/]{1,4}(?:Users|home)[\\/]{1,4}([^\\/\n\"'<>|:*?,;()\[\] ]+)"
)
_NOBODY = frozenset(
    [
        "admin",
        "administrator",
        "admini~1",
        "asus",
        "debian",
        "dell",
        "ec2-user",
        "foo",
        "foobar",
        "jetbot",
        "jetson-orin1",
        "lab",
        "mac",
        "macos",
        "me",
        "my",
        "myname",
        "mypath",
        "myuser",
        "myusername",
        "name",
        "new",
        "owner",
        "pc",
        "pi",
        "public",
        "redacted",
        "runner",
        "runner~1",
        "testaccount",
        "thinkpad",
        "ubuntu",
        "user",
        "user1",
        "user_name",
        "username",
        "usuario",
        "фвьшт",
        "vagrant",
        "wdagutilityaccount",
        "win7",
        "xxx",
        "xxxx",
        "xxxxx",
        "ai",
        "anaconda3",
        "common_modules",
        "envs",
        "project",
        "py",
        "pytorch3d",
        "text-generation-webui#",
        "tmp",
        "toolkit",
        "torch",
    ]
)
"""Accounts of nobody, and folders that stand where an account would."""


@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "engine").glob("*.toml")), ids=lambda path: path.stem)
def test_stored_texts_name_no_persons_account(path: Path) -> None:
    names = {name.lower() for name in _HOME.findall(path.read_text(encoding="utf-8"))}
    assert {name for name in names if len(name) > 1 and name[0].isalpha()} <= _NOBODY
