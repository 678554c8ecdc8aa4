"""A file view seen through changes; the base stays as it is."""

from __future__ import annotations

from tests.testbed.memory import MemoryFiles
from whyload.base.paths import WinPath
from whyload.world.model import Presence
from whyload.world.overlay import GivenFiles, MovedFiles, WithoutFiles, laid_over

BASE = MemoryFiles(
    {"C:\\a\\One.dll": b"1", "C:\\a\\__pycache__\\x.pyc": b"", "C:\\a\\b\\two.dll": b"2", "C:\\c\\3": b"3"}
)


def path(text: str) -> WinPath:
    return WinPath(text)


def test_files_that_are_taken_out_are_absent_by_any_spelling() -> None:
    view = WithoutFiles(BASE, [path("C:\\a\\ONE.dll")])
    assert view.presence(path("c:/a/one.DLL")) is Presence.ABSENT
    assert view.source(path("C:\\a\\One.dll")) is None
    assert view.size(path("C:\\a\\One.dll")) is None
    assert view.listdir(path("C:\\a")) == ("__pycache__", "b")
    assert view.presence(path("C:\\a\\b\\two.dll")) is Presence.FILE


def test_a_folder_that_loses_all_goes_too_and_those_above_it() -> None:
    view = WithoutFiles(BASE, [path("C:\\a\\One.dll"), path("C:\\a\\b\\two.dll")])
    assert view.presence(path("C:\\a\\b")) is Presence.ABSENT
    assert view.presence(path("C:\\a")) is Presence.ABSENT
    assert view.presence(path("C:\\a\\__pycache__\\x.pyc")) is Presence.ABSENT
    assert view.listdir(path("C:\\")) == ("c",)


def test_a_folder_is_taken_out_with_all_in_it() -> None:
    view = WithoutFiles(BASE, [path("C:\\a")])
    assert view.presence(path("C:\\a\\b\\two.dll")) is Presence.ABSENT
    assert view.listdir(path("C:\\a\\b")) == ()


def test_files_that_are_given_lie_over_the_base() -> None:
    view = laid_over(BASE, GivenFiles({path("C:\\c\\3"): b"new", path("C:\\d\\4.py"): b"four"}))
    source = view.source(path("C:\\c\\3"))
    assert source is not None
    assert source.read(0, 10) == b"new"
    assert view.size(path("C:\\d\\4.PY")) == 4
    assert view.listdir(path("C:\\")) == ("a", "c", "d")


def test_a_folder_under_another_name() -> None:
    old, new = path("C:\\a"), path("C:\\z")
    view = laid_over(WithoutFiles(BASE, [old]), MovedFiles(BASE, old, new))
    assert view.presence(old) is Presence.ABSENT
    assert view.presence(path("C:\\z\\b\\TWO.dll")) is Presence.FILE
    assert view.listdir(new) == ("__pycache__", "b", "One.dll")
    assert view.listdir(path("C:\\")) == ("c", "z")
    assert view.actual(path("C:\\z\\one.dll")).text == "C:\\z\\One.dll"
    assert BASE.presence(path("C:\\a\\One.dll")) is Presence.FILE
