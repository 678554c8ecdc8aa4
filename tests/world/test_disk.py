"""A folder that stands for a drive. Expected behaviour: loader.md R2.7; hard links: R2.18."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from whyload.base.errors import UsageError
from whyload.base.paths import WinPath
from whyload.world.disk import FileSource, FolderFiles, Handles, close_every_file
from whyload.world.model import Presence, read_text


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "Python" / "Lib").mkdir(parents=True)
    (tmp_path / "Python" / "Msvcp140.DLL").write_bytes(b"0123456789")
    (tmp_path / "Python" / "Lib" / "a.py").write_text("\ufeffx = 1\n", encoding="utf-8")
    return tmp_path


def test_names_are_found_without_case(root: Path) -> None:
    files = FolderFiles(root)
    path = WinPath("c:/PYTHON/msvcp140.dll")
    assert files.presence(path) is Presence.FILE
    assert files.actual(path).text.endswith("Python\\Msvcp140.DLL")
    assert files.size(path) == 10
    assert files.listdir(WinPath("C:\\python")) == ("Lib", "Msvcp140.DLL")


def test_what_is_not_there(root: Path) -> None:
    files = FolderFiles(root)
    assert files.presence(WinPath("C:\\Python\\x.dll")) is Presence.ABSENT
    assert files.presence(WinPath("C:\\nowhere\\x.dll")) is Presence.ABSENT
    assert files.presence(WinPath("C:\\Python\\Msvcp140.DLL\\x")) is Presence.ABSENT
    assert files.presence(WinPath("C:\\Python\\Lib")) is Presence.DIRECTORY
    assert files.presence(WinPath("C:\\")) is Presence.DIRECTORY
    assert files.source(WinPath("C:\\Python\\Lib")) is None
    assert files.listdir(WinPath("C:\\nowhere")) == ()


def test_other_drives_are_unknown(root: Path) -> None:
    assert FolderFiles(root).presence(WinPath("D:\\x.dll")) is Presence.UNKNOWN


def test_positioned_reads(root: Path) -> None:
    source = FolderFiles(root).source(WinPath("C:\\Python\\msvcp140.dll"))
    assert source is not None
    assert (source.size, source.read(3, 4), source.read(8, 10), source.read(10, 1)) == (10, b"3456", b"89", b"")


def test_more_files_than_may_be_open_at_once(tmp_path: Path) -> None:
    sources, handles = [], Handles()
    for number in range(200):
        file = tmp_path / f"{number}.bin"
        file.write_bytes(bytes([number]))
        sources.append(FileSource(str(file), 1, handles))
    assert [source.read(0, 1)[0] for source in sources] == list(range(200))
    assert sources[0].read(0, 1) == b"\0"


def test_hard_links_are_one_file(root: Path) -> None:
    os.link(root / "Python" / "Msvcp140.DLL", root / "Python" / "copy.dll")
    files = FolderFiles(root)
    first, second = WinPath("C:\\Python\\msvcp140.dll"), WinPath("C:\\Python\\copy.dll")
    assert files.identity(first) == files.identity(second)
    assert files.identity(first) != files.identity(WinPath("C:\\Python\\Lib\\a.py"))


def test_text_without_its_mark(root: Path) -> None:
    assert read_text(FolderFiles(root), WinPath("C:\\Python\\Lib\\a.py")) == "x = 1\n"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        FolderFiles(tmp_path / "gone")


def test_a_link_that_leads_nowhere_is_no_file(root: Path) -> None:
    (root / "Python" / "away.dll").symlink_to(root / "gone.dll")
    assert FolderFiles(root).presence(WinPath("C:\\Python\\away.dll")) is Presence.ABSENT


def test_what_a_closed_folder_holds_is_not_known(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The super-user reads every folder, so the refusal is made here; the rest is the real one."""
    scandir = os.scandir

    def refused(path: str) -> object:
        if str(path).endswith("Lib"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refused)
    files = FolderFiles(root)
    assert files.presence(WinPath("C:\\Python\\Lib\\x.dll")) is Presence.UNKNOWN
    assert files.presence(WinPath("C:\\Python\\x.dll")) is Presence.ABSENT


def test_every_file_can_be_let_go_of_and_is_read_again_after(tmp_path: Path) -> None:
    (tmp_path / "a.dll").write_bytes(b"abc")
    source = FolderFiles(tmp_path).source(WinPath("C:\\a.dll"))
    assert source is not None
    assert source.read(0, 1) == b"a"
    handle = next(iter(source._handles._open.values()))  # type: ignore[attr-defined]
    close_every_file()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(handle)
    assert source.read(1, 1) == b"b"


@pytest.mark.skipif(os.name == "nt", reason="Windows refuses such names")
@pytest.mark.parametrize("name", ["a\nb.pyd", "\x1b[31mred.pyd", "a\\b.pyd", "c:x.dll", 'q".dll'])
def test_names_that_windows_cannot_have_are_not_there(root: Path, name: str) -> None:
    (root / "Python" / name).write_bytes(b"MZ")
    files = FolderFiles(root)
    assert files.listdir(WinPath("C:\\Python")) == ("Lib", "Msvcp140.DLL")
    assert files.presence(WinPath(f"C:\\Python\\{name}")) is Presence.ABSENT


def test_a_link_to_a_folder_that_it_lies_in_ends_there(root: Path) -> None:
    (root / "Python" / "Lib" / "loop").symlink_to(".", target_is_directory=True)
    (root / "Python" / "Lib" / "up").symlink_to("..", target_is_directory=True)
    (root / "Python" / "beside").symlink_to("Lib", target_is_directory=True)
    files = FolderFiles(root)
    assert files.listdir(WinPath("C:\\Python\\Lib")) == ("a.py",)
    assert files.presence(WinPath("C:\\Python\\beside\\a.py")) is Presence.FILE
