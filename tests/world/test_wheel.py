"""Wheels read in place; where their parts go: PyPA, "Binary distribution format"."""

from __future__ import annotations

import random
import zipfile
from pathlib import Path

import pytest

from whyload.base.errors import UsageError
from whyload.base.paths import WinPath
from whyload.facts.packages import Packages
from whyload.world.model import Presence
from whyload.world.wheel import WheelFiles, destinations, open_wheel

SITE, PREFIX = WinPath("C:\\Python\\Lib\\site-packages"), WinPath("C:\\Python")
NAME = "pkg-1.0-cp311-cp311-win_amd64.whl"
BIG = random.Random(1).randbytes(10_240_000)


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
    data = bytearray(made(tmp_path).read_bytes())
    data[data.index(b"PK\x01\x02") + 6] = 236  # the version of the format that is needed
    (tmp_path / NAME).write_bytes(data)
    with pytest.raises(UsageError, match=r"version 23\.6"):
        open_wheel(tmp_path / NAME)


def test_record_names_the_files_where_they_are_installed(tmp_path: Path) -> None:
    """PyPA, "Recording installed projects": RECORD lists installed paths, a wheel's own those of the archive."""
    record = b'pkg-1.0.data/data/Library/bin/a.dll,sha256=abc,1\n"pkg/b,c.pyd",,7\npkg-1.0.dist-info/RECORD,,\n'
    members = {
        "pkg-1.0.dist-info/METADATA": b"Name: pkg\nVersion: 1.0\n",
        "pkg-1.0.data/data/Library/bin/a.dll": b"a",
        "pkg/b,c.pyd": b"b",
        "pkg-1.0.dist-info/RECORD": record,
    }
    files = WheelFiles([open_wheel(made(tmp_path, members=members))], SITE, PREFIX)
    packages = Packages(files, (SITE,), None)
    owner = packages.owner(PREFIX / "Library\\bin\\a.dll")
    assert owner is not None
    assert owner.distribution == "pkg"
    entries = {entry.path: entry for entry in packages.files_of(owner)}
    assert (entries[PREFIX / "Library\\bin\\a.dll"].sha256, entries[SITE / "pkg\\b,c.pyd"].size) == ("abc", 7)


def test_a_wheel_without_record_has_the_files_of_its_archive(tmp_path: Path) -> None:
    files = WheelFiles([open_wheel(made(tmp_path))], SITE, PREFIX)
    packages = Packages(files, (SITE,), None)
    owner = packages.owner(SITE / "pkg\\big.dll")
    assert owner is not None
    assert {entry.path: entry.size for entry in packages.files_of(owner)}[SITE / "pkg\\big.dll"] == len(BIG)


@pytest.mark.parametrize("damage", ["bits", "encrypted"])
def test_a_member_that_cannot_be_unpacked(damage: str, tmp_path: Path) -> None:
    path = made(tmp_path, members={"pkg-1.0.dist-info/METADATA": b"Name: pkg\n" * 400})
    data = bytearray(path.read_bytes())
    if damage == "bits":
        data[70:80] = b"\xff" * 10
    else:
        data[6] |= 1
        data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(UsageError, match="cannot be read"):
        open_wheel(path).text("METADATA")


def test_a_member_without_a_name_is_no_file(tmp_path: Path) -> None:
    data = made(tmp_path, members={"pkg-1.0.dist-info/METADATA": b"Name: pkg\n", "~": b"x"}).read_bytes()
    (tmp_path / NAME).write_bytes(data.replace(b"~", b"\0"))
    files = WheelFiles([open_wheel(tmp_path / NAME)], SITE, PREFIX)
    assert files.listdir(SITE) == ("pkg-1.0.dist-info",)


def test_a_member_that_would_fill_the_disk(tmp_path: Path) -> None:
    """A megabyte of deflated zeros is a gigabyte; no library shrinks like that."""
    contents = {"pkg-1.0.dist-info/METADATA": b"Name: pkg\n", "pkg/bomb.dll": bytes(64 << 20)}
    files = WheelFiles([open_wheel(made(tmp_path, members=contents))], SITE, PREFIX)
    with pytest.raises(UsageError, match="bomb"):
        files.source(SITE / "pkg\\bomb.dll")


def test_the_suffix_in_capitals(tmp_path: Path) -> None:
    assert open_wheel(made(tmp_path).rename(tmp_path / NAME.replace(".whl", ".WHL"))).distribution == "pkg"


def test_parts_go_where_the_scheme_has_them(tmp_path: Path) -> None:
    members = {
        "pkg-1.0.dist-info/METADATA": b"Name: pkg\n",
        "pkg/a.pyd": b"a",
        "pkg-1.0.data/scripts/tool.exe": b"s",
        "pkg-1.0.data/data/Library/bin/b.dll": b"b",
        "pkg-1.0.data/purelib/c.py": b"c",
    }
    folders = {key: tmp_path / key for key in ("purelib", "platlib", "scripts", "data", "headers")}
    wheel = open_wheel(made(tmp_path, members=members))
    assert set(destinations(wheel, folders)) == {
        tmp_path / "platlib/pkg-1.0.dist-info/METADATA",
        tmp_path / "platlib/pkg/a.pyd",
        tmp_path / "scripts/tool.exe",
        tmp_path / "data/Library/bin/b.dll",
        tmp_path / "purelib/c.py",
    }


def test_a_single_file_is_taken_out(tmp_path: Path) -> None:
    files = WheelFiles([open_wheel(made(tmp_path))], SITE, PREFIX)
    files.extract(SITE / "pkg\\BIG.dll", tmp_path / "big")
    assert (tmp_path / "big").read_bytes() == BIG
