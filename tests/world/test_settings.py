"""The module of an environment's settings: what it does when it is imported, and what is read back from it."""

from __future__ import annotations

import os
import runpy
from pathlib import Path

import pytest

from whyload.world.settings import Settings, read_settings


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
