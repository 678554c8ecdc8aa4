"""The cache of wheels and Pythons: what is looked at first, what is refused, what two processes do at once.

Source of truth: the "Binary distribution format" specification for names and tags.
"""

from __future__ import annotations

import csv
import multiprocessing
import os
import sys
import time
import zipfile
from pathlib import Path

import pytest

from tests.testbed import wheels as module
from tests.testbed.cache import UnavailableError, link_tree, prepared
from tests.testbed.wheels import TRIES, embed, standard_library, unpacked, wheel


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """A cache of its own for tests that do not download."""
    if request.node.get_closest_marker("wheels") is None:
        monkeypatch.setenv("WHYLOAD_TEST_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def make_wheel(folder: Path, name: str, *, members: dict[str, str] | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    stem = "-".join(name.split("-")[:2])
    with zipfile.ZipFile(file, "w") as packed:
        record = f"{stem}.dist-info/RECORD"
        for path, text in (members or {"pkg/__init__.py": ""}).items():
            packed.writestr(path, text)
        packed.writestr(record, "pkg/__init__.py,sha256=abc,0\n")
    return file


def test_ready_folders_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = tmp_path / "ready"
    wanted = make_wheel(ready, "pkg-1.0-cp311-cp311-win_amd64.whl")
    stable = make_wheel(ready, "other-2.0-cp37-abi3-win_amd64.whl")
    pure = make_wheel(ready, "pure-3.0-py2.py3-none-any.whl")
    monkeypatch.setenv("WHYLOAD_TEST_WHEELS", str(ready))
    assert wheel("pkg==1.0") == wanted
    assert wheel("other>=1") == stable
    assert wheel("Pure==3.0", python="3.13", abi="cp313t") == pure


@pytest.mark.parametrize(
    "name",
    ["pkg-1.1-cp311-cp311-win_amd64.whl", "pkg-1.0-cp310-cp310-win_amd64.whl", "pkg-1.0-cp311-cp311-win32.whl"],
)
def test_a_wheel_that_does_not_fit_is_not_taken(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_wheel(tmp_path / "ready", name)
    monkeypatch.setenv("WHYLOAD_TEST_WHEELS", str(tmp_path / "ready"))
    asked: list[str] = []

    def refuse(requirement: str, options: list[str], near: Path) -> Path:
        asked.append(requirement)
        raise UnavailableError("offline")

    monkeypatch.setattr(module, "_pip_download", refuse)
    with pytest.raises(UnavailableError, match="offline"):
        wheel("pkg==1.0")
    assert asked == ["pkg==1.0"]


def test_pip_is_asked_several_times_and_then_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "count"))
    (tmp_path / "count").write_text(f"#!/bin/sh\necho x >> {tmp_path}/calls\necho 'no route' >&2\nexit 1\n")
    (tmp_path / "count").chmod(0o755)
    with pytest.raises(UnavailableError, match="no route"):
        wheel("pkg==1.0")
    assert len((tmp_path / "calls").read_text().splitlines()) == TRIES
    assert not list(tmp_path.glob("cache/wheels/*"))


def test_an_unpacked_wheel_lies_as_installed(tmp_path: Path) -> None:
    members = {"pkg/__init__.py": "", "pkg-1.0.data/scripts/tool.exe": "MZ", "pkg-1.0.data/data/share/x": "1"}
    file = make_wheel(tmp_path / "w", "pkg-1.0-py3-none-any.whl", members=members | {"pkg-1.0.data/platlib/p.pyd": "2"})
    tree = unpacked(file)
    assert (tree / "root/Scripts/tool.exe").read_text() == "MZ"
    assert (tree / "root/share/x").exists()
    assert (tree / "site/p.pyd").exists()
    with (tree / "site/pkg-1.0.dist-info/RECORD").open() as record:
        listed = {row[0]: row[1] for row in csv.reader(record)}
    assert listed["pkg/__init__.py"] == "sha256=abc"
    assert {"../../Scripts/tool.exe", "../../share/x", "p.pyd", "pkg-1.0.dist-info/INSTALLER"} <= set(listed)


def _prepare(cache: str, marks: str) -> None:
    os.environ["WHYLOAD_TEST_CACHE"] = cache

    def make(folder: Path) -> None:
        with Path(marks).open("a") as sink:
            sink.write("made\n")
        time.sleep(0.2)
        (folder / "file").write_text("whole")

    assert (prepared("some/thing", make) / "file").read_text() == "whole"


def test_two_processes_prepare_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    arguments = (str(tmp_path / "shared"), str(tmp_path / "marks"))
    both = [context.Process(target=_prepare, args=arguments) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join(60)
    assert [process.exitcode for process in both] == [0, 0]
    assert (tmp_path / "marks").read_text() == "made\n"


def test_a_failed_preparation_leaves_nothing(own_cache: Path) -> None:
    def make(folder: Path) -> None:
        (folder / "half").write_text("")
        raise RuntimeError("interrupted")

    with pytest.raises(RuntimeError, match="interrupted"):
        prepared("some/thing", make)
    assert list((own_cache / "some").iterdir()) == []


def test_linked_trees_merge_without_case(tmp_path: Path) -> None:
    for place, text in (("a/Lib/x.py", "new"), ("b/lib/X.PY", "old"), ("b/lib/y.py", "kept")):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(text)
    link_tree(tmp_path / "a", tmp_path / "b")
    assert {path.relative_to(tmp_path / "b").as_posix() for path in (tmp_path / "b").rglob("*.*")} == {
        "lib/X.PY",
        "lib/y.py",
    }
    assert (tmp_path / "b/lib/X.PY").read_text() == "new"
    assert (tmp_path / "a/Lib/x.py").stat().st_nlink == 2


@pytest.mark.wheels
def test_the_embeddable_python_is_the_official_one() -> None:
    folder = embed("3.11")
    assert {"python.exe", "python311.dll", "python3.dll", "vcruntime140.dll", "python311.zip"} <= {
        path.name for path in folder.iterdir()
    }
    assert (standard_library("3.11") / "os.pyc").exists()


@pytest.mark.wheels
def test_a_wheel_is_downloaded_once() -> None:
    first = wheel("MarkupSafe==2.1.5")
    assert first.name == "MarkupSafe-2.1.5-cp311-cp311-win_amd64.whl"
    assert wheel("markupsafe==2.1.5") == first
