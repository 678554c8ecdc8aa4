"""The module of an environment's settings: what it does when it is imported, and what is read back from it."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from whyload.world.settings import MODULE_FILE, PATH_FILE, PATH_LINE, Settings, read_settings


def run(settings: Settings, folder: Path) -> None:
    module = folder / "settings.py"
    module.write_text(settings.source(), encoding="utf-8")
    runpy.run_path(str(module))


def test_folders_are_added_and_those_that_are_gone_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    added: list[str] = []
    monkeypatch.setattr(os, "add_dll_directory", added.append, raising=False)
    run(Settings().with_folder(str(tmp_path)).with_folder(str(tmp_path / "gone")), tmp_path)
    assert added == [str(tmp_path)]


def test_path_and_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "rest")
    monkeypatch.setenv("GONE", "1")
    monkeypatch.delenv("NEW", raising=False)
    (tmp_path / "b").mkdir()
    settings = Settings().with_path(str(tmp_path)).with_path(str(tmp_path / "b")).with_path(str(tmp_path / "gone"))
    run(settings.with_variable("NEW", 'it\'s "quoted"').with_variable("GONE", None), tmp_path)
    assert os.environ["PATH"].split(os.pathsep) == [str(tmp_path / "b"), str(tmp_path), "rest"]
    assert os.environ["NEW"] == 'it\'s "quoted"'
    assert "GONE" not in os.environ


def test_folders_of_pythonpath_leave_sys_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, own, rest = (str(tmp_path / name) for name in ("old", "own", "rest"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((old, own)))
    monkeypatch.setattr(sys, "path", [old, own, rest])
    run(Settings().with_variable("PYTHONPATH", own), tmp_path)
    assert (sys.path, os.environ["PYTHONPATH"]) == ([own, rest], own)
    run(Settings().with_variable("PYTHONPATH", None), tmp_path)
    assert (sys.path, os.environ.get("PYTHONPATH")) == ([rest], None)


def test_a_real_start_leaves_them_out(tmp_path: Path) -> None:
    """CPython's own site module reads the line."""
    site = tmp_path / "site-packages"
    site.mkdir()
    (site / MODULE_FILE).write_text(Settings().with_variable("PYTHONPATH", None).source(), encoding="utf-8")
    (site / PATH_FILE).write_text(PATH_LINE, encoding="utf-8")
    code = "import site, sys; site.addsitedir(sys.argv[1]); print(sys.argv[2] in sys.path)"
    command = [sys.executable, "-c", code, str(site), str(tmp_path / "old")]
    variables = {**os.environ, "PYTHONPATH": str(tmp_path / "old")}
    assert subprocess.check_output(command, env=variables, text=True).strip() == "False"


def test_before_python_3_8_there_is_path_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "add_dll_directory", raising=False)
    monkeypatch.setenv("PATH", "rest")
    run(Settings().with_folder(str(tmp_path)), tmp_path)
    assert os.environ["PATH"].split(os.pathsep) == [str(tmp_path), "rest"]


def test_what_is_written_is_read_back() -> None:
    settings = Settings(folders=("C:\\a b", "C:\\ü"), path=("C:\\c",), variables=(("A", "1"), ("B", None)))
    assert read_settings(settings.source()) == settings


def test_a_folder_and_a_variable_stand_there_once() -> None:
    twice = Settings().with_folder("C:\\A").with_folder("C:\\b").with_folder("c:\\a").with_variable("x", "1")
    assert twice.with_variable("X", "2") == Settings(folders=("C:\\b", "c:\\a"), variables=(("X", "2"),))


@pytest.mark.parametrize("text", ["", "FOLDERS = [", "FOLDERS = open('x')", "FOLDERS = 1\nVARIABLES = ['x']", "\0"])
def test_a_module_of_somebody_else_has_no_settings(text: str) -> None:
    assert read_settings(text) == Settings()
