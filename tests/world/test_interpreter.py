"""How an interpreter is started (loader.md R3.16) and what it says of itself."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from whyload.base.errors import UsageError
from whyload.base.machine import Machine
from whyload.world.interpreter import Launch, find_launch, interpreter_facts, own_facts


def file(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A base interpreter with its DLL."""
    file(tmp_path / "Python/python311.dll")
    return file(tmp_path / "Python/python.exe")


def environment(tmp_path: Path, settings: str) -> Path:
    file(tmp_path / "venv/pyvenv.cfg", settings)
    return file(tmp_path / "venv/Scripts/python.exe")


def test_a_plain_interpreter_is_started_as_it_is(base: Path) -> None:
    assert find_launch(str(base), windows=True) == Launch(image=str(base))


def test_row_91_an_environments_launcher_stands_for_its_base(tmp_path: Path, base: Path) -> None:
    exe = environment(tmp_path, f"\ufeffHome = {base.parent}\ninclude-system-site-packages = false\nodd line\n")
    launch = find_launch(str(exe), windows=True)
    assert launch == Launch(image=str(base), launcher=str(exe), venv=str(tmp_path / "venv"))


def test_settings_beside_the_executable_come_first(tmp_path: Path, base: Path) -> None:
    exe = environment(tmp_path, "home = /nowhere\n")
    file(exe.parent / "pyvenv.cfg", f"home = {base.parent}\n")
    assert find_launch(str(exe), windows=True).venv == str(exe.parent)


def test_the_recorded_executable_where_home_has_none(tmp_path: Path, base: Path) -> None:
    exe = environment(tmp_path, f"home = {tmp_path / 'gone'}\nexecutable = {base}\n")
    assert find_launch(str(exe), windows=True).image == str(base)


def test_row_92_an_environment_with_the_runtime_in_scripts_is_no_launcher(tmp_path: Path, base: Path) -> None:
    """`venv --symlinks`: the application folder is Scripts."""
    exe = environment(tmp_path, f"home = {base.parent}\n")
    file(exe.parent / "python311.dll")
    assert find_launch(str(exe), windows=True) == Launch(image=str(exe), venv=str(tmp_path / "venv"))


def test_elsewhere_an_environments_python_is_a_link(tmp_path: Path, base: Path) -> None:
    exe = environment(tmp_path, f"home = {base.parent}\n")
    assert find_launch(str(exe), windows=False) == Launch(image=str(exe), venv=str(tmp_path / "venv"))


@pytest.mark.parametrize("settings", ["home = /nowhere/at/all\n", "version = 3.11\n"])
def test_an_environment_whose_base_is_gone(tmp_path: Path, settings: str) -> None:
    exe = environment(tmp_path, settings)
    with pytest.raises(UsageError, match="base interpreter of the environment is gone"):
        find_launch(str(exe), windows=True)


def test_what_is_no_interpreter(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such interpreter"):
        find_launch(str(tmp_path / "none.exe"))
    with pytest.raises(UsageError, match="not a folder"):
        find_launch(str(tmp_path))


def test_a_name_is_looked_up_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = Path(sys.executable).name
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    monkeypatch.chdir(tmp_path)
    assert Path(find_launch(name, windows=False).image) == Path(sys.executable)


def test_our_own_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_launch(windows=False).image == sys.executable
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(UsageError, match="--python"):
        find_launch()


def test_the_launcher_variable_is_the_targets_not_ours() -> None:
    """CPython reads it at start; a child must not take this process's for its own."""
    ours = {"__PYVENV_LAUNCHER__": "C:\\ours\\python.exe", "PATH": "x"}
    assert Launch(image="C:\\Python\\python.exe").environment(ours) == {"PATH": "x"}
    theirs = Launch(image="C:\\Python\\python.exe", launcher="C:\\venv\\Scripts\\python.exe").environment(ours)
    assert theirs == {"PATH": "x", "__PYVENV_LAUNCHER__": "C:\\venv\\Scripts\\python.exe"}


@pytest.mark.parametrize(
    ("text", "bits", "machine"),
    [
        ("3.11.9 (tags/v3.11.9:de54cf5) [MSC v.1938 64 bit (AMD64)]", 64, Machine.AMD64),
        ("3.11.9 (tags/v3.11.9:de54cf5) [MSC v.1938 32 bit (Intel)]", 32, Machine.I386),
        ("3.12.1 (tags/v3.12.1:2305ca5) [MSC v.1937 64 bit (ARM64)]", 64, Machine.ARM64),
        ("3.11.6 (main) [GCC UCRT 13.2.0 64 bit (AMD64)]", 64, Machine.AMD64),
        ("3.11.7 (main) [GCC 12.2.0]", 64, Machine.UNKNOWN),
    ],
)
def test_the_processor_that_it_was_built_for(text: str, bits: int, machine: Machine) -> None:
    assert interpreter_facts({"version": text, "version_info": [3, 11, 9], "bits": bits}).machine is machine


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("3.13.0 experimental free-threading build (tags/v3.13.0:60403a5)", "3.13t"),
        ("3.14.0 free-threading build (tags/v3.14.0:ebf955d)", "3.14t"),
        ("3.13.0 (tags/v3.13.0:60403a5)", "3.13"),
    ],
)
def test_free_threaded_builds(text: str, version: str) -> None:
    info = [3, int(version[2:4]), 0]
    assert str(interpreter_facts({"version": text, "version_info": info}).python_version) == version


def test_odd_records_give_defaults() -> None:
    facts = interpreter_facts({"version_info": ["3"], "sys_path": "x", "flags": 1, "bits": None})
    assert (facts.version, facts.sys_path, facts.flags, facts.bits, facts.windows) == ((0, 0, 0), (), {}, 64, None)


def test_own_facts_leave_out_where_the_command_came_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["/where/whyload/lies", "/lib"])
    facts = own_facts()
    assert facts.version == sys.version_info[:3]
    assert facts.sys_path == ("", "/lib")
    assert facts.windows is None or os.name == "nt"
