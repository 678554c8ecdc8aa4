"""What starting costs, counted in modules and never in time (docs/performance.md, target 12)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.testbed.pewriter import Dll, build

NEVER = {"asyncio", "ctypes", "importlib.metadata", "multiprocessing", "subprocess"}
"""What no look at a described machine needs either."""
SLOW = NEVER | {
    "dataclasses",
    "email",
    "inspect",
    "json",
    "logging",
    "pathlib",
    "tomllib",
    "typing",
    "urllib",
    "zipfile",
}
UNNEEDED = {
    "ast",
    "dataclasses",
    "inspect",
    "email",
    "pathlib",
    "pkgutil",
    "shutil",
    "threading",
    "tomllib",
    "typing",
    "zipfile",
}
"""What no look at one library needs: each costs as much as the look (`base.dataclass`, `base.typing`,
`knowledge.plain_toml` stand for three of them)."""
HELLO = (".main", ".ending", ".arguments", ".option", ".options", ".help_command", ".output")
"""What the program itself has to say hello."""
TEXTS = {f"whyload.base.{name}" for name in ("message", "dataclass", "typing", "enumeration", "regular")}
TEXTS |= {
    "whyload.report",
    "whyload.report.layout",
    "whyload.report.punctuation",
    "whyload.api",
    "whyload.api.language",
}
"""What texts in two languages need."""
OURS = {"whyload", "whyload.__main__", "whyload.base", "whyload.base.errors"}


def loaded(code: str) -> set[str]:
    """Modules that this code loads in a fresh, isolated interpreter."""
    script = f"""
import atexit, sys
before = set(sys.modules)
def say():
    after = sorted(set(sys.modules) - before)
    import json
    sys.stderr.write(json.dumps(after))
atexit.register(say)
{code}
"""
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True)
    names: list[str] = json.loads(done.stderr.splitlines()[-1])
    return set(names)


def program(*arguments: str) -> set[str]:
    """Modules that the program loads with these arguments."""
    return loaded(
        f"import runpy; sys.argv[1:] = {list(arguments)!r}; runpy.run_module('whyload', None, '__main__', True)"
    )


def third_party(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules} - sys.stdlib_module_names - {"whyload"}


TOML: set[str] = set() if sys.version_info >= (3, 11) else {"tomli"}
"""Reads the knowledge base where Python itself cannot."""


def whyload_modules(modules: set[str]) -> set[str]:
    return {name for name in modules if name.partition(".")[0] == "whyload"}


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_target_12_little_is_loaded_to_say_hello(option: str) -> None:
    modules = program(option)
    assert "whyload.cli.main" in modules
    assert third_party(modules) == set()
    assert modules & SLOW == set()
    assert whyload_modules(modules) <= OURS | TEXTS | {f"whyload.cli{name}" for name in ("", *HELLO)}


def test_the_version_does_not_need_the_arguments() -> None:
    assert whyload_modules(program("--version")) <= OURS | {f"whyload.cli{name}" for name in ("", ".main", ".ending")}


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help", "--lang", "zh"], ["check", "a", "--how", "x"]])
def test_help_and_errors_do_not_need_argparse(arguments: list[str]) -> None:
    modules = loaded(f"from whyload.cli.main import main; main({arguments!r})")
    assert "whyload.cli.help_command" in modules
    assert not modules & {"argparse", "gettext", "shutil", "textwrap"}


def test_runtime_is_nearly_free() -> None:
    modules = loaded("import whyload.runtime")
    assert "whyload.runtime" in modules
    assert third_party(modules) == set()
    assert modules & SLOW == set()
    assert {name for name in whyload_modules(modules) if not name.startswith("whyload.runtime")} <= OURS


def test_a_page_does_not_load_the_loader() -> None:
    modules = program("cause")
    assert third_party(modules) <= TOML
    assert not {name.split(".")[1] for name in whyload_modules(modules) if "." in name} & {"loader", "observe", "world"}


def test_a_load_in_a_folder(tmp_path: Path) -> None:
    site = tmp_path / "Python" / "Lib" / "site-packages"
    site.mkdir(parents=True)
    (site / "a.dll").write_bytes(build(Dll(name="a.dll")))
    world = tmp_path / "world.json"
    world.write_text(json.dumps({"python": "C:/Python/python.exe", "python_version": "3.11"}))
    file = "C:\\Python\\Lib\\site-packages\\a.dll"
    modules = program("load", "--root", str(tmp_path), "--world", str(world), file)
    assert "whyload.loader.windows.load" in modules
    assert third_party(modules) == set()
    assert modules & (NEVER | UNNEEDED) == set()
    assert not any(name.startswith(("whyload.rules.", "whyload.world.live")) for name in modules)


def test_explaining_a_text_does_not_load_the_simulation(tmp_path: Path) -> None:
    text = tmp_path / "error.txt"
    text.write_text("OMP: Error #15: Initializing libiomp5md.dll, but found libiomp5md.dll already initialized.\n")
    modules = program("explain", str(text))
    rooms = {name.split(".")[1] for name in whyload_modules(modules) if name.count(".") > 0}
    assert "symptoms" in rooms
    assert not rooms & {"loader", "startup", "world", "formats", "rules", "facts"}
    assert third_party(modules) <= TOML
    assert not modules & (NEVER | {"email", "inspect", "logging", "urllib", "zipfile"})
