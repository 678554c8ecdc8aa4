"""Wheels read in place; where their parts go: PyPA, "Binary distribution format"."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from whyload.base.errors import UsageError
from whyload.base.paths import WinPath
from whyload.world.model import Presence
from whyload.world.wheel import WheelFiles, open_wheel

SITE, PREFIX = WinPath("C:\\Python\\Lib\\site-packages"), WinPath("C:\\Python")
NAME = "pkg-1.0-cp311-cp311-win_amd64.whl"
BIG = bytes(range(256)) * 40_000


def made(folder: Path, name: str = NAME, members: dict[str, bytes] | None = None) -> Path:
    path = folder / name
    contents = {"pkg-1.0.dist-info/METADATA": b"Name: pkg\n", "pkg/__init__.py": b"", "pkg/big.dll": BIG}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in (contents if members is None else members).items():
            archive.writestr(member, data)
    return path


def test_members_are_files_of_site_packages(tmp_path: Path) -> None:
    wheel = open_wheel(made(tmp_path))
    files = WheelFiles([wheel], SITE, PREFIX)
    assert (wheel.distribution, wheel.version, wheel.tags) == ("pkg", "1.0", ("cp311", "cp311", "win_amd64"))
    assert files.presence(SITE / "PKG\\__init__.py") is Presence.FILE
    assert files.size(SITE / "pkg\\big.dll") == len(BIG)
    assert files.listdir(SITE) == ("pkg", "pkg-1.0.dist-info")
    assert files.source(SITE / "pkg\\gone.dll") is None


def test_positions_are_read_in_any_order(tmp_path: Path) -> None:
    source = WheelFiles([open_wheel(made(tmp_path))], SITE, PREFIX).source(SITE / "pkg\\big.dll")
    assert source is not None
    for offset, length in ((9_000_000, 300), (5, 10), (len(BIG) - 4, 100), (len(BIG), 1), (0, 0)):
        assert source.read(offset, length) == BIG[offset : offset + length]


def test_parts_of_the_data_folder_go_where_pip_puts_them(tmp_path: Path) -> None:
    members = {
        "pkg-1.0.dist-info/METADATA": b"",
        "pkg-1.0.data/data/Library/bin/a.dll": b"a",
        "pkg-1.0.data/platlib/pkg/b.pyd": b"b",
        "pkg-1.0.data/scripts/c.exe": b"c",
    }
    files = WheelFiles([open_wheel(made(tmp_path, members=members))], SITE, PREFIX)
    assert files.presence(PREFIX / "Library\\bin\\a.dll") is Presence.FILE
    assert files.presence(SITE / "pkg\\b.pyd") is Presence.FILE
    assert files.presence(PREFIX / "Scripts\\c.exe") is Presence.FILE


def test_what_is_no_wheel(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not the file name of a wheel"):
        open_wheel(tmp_path / "pkg.zip")
    with pytest.raises(UsageError, match="no such file"):
        open_wheel(tmp_path / NAME)
    (tmp_path / NAME).write_bytes(b"PK, but no zip")
    with pytest.raises(UsageError, match="not a readable wheel"):
        open_wheel(tmp_path / NAME)
    made(tmp_path, members={"x": b""})
    with pytest.raises(UsageError, match="METADATA"):
        open_wheel(tmp_path / NAME)
