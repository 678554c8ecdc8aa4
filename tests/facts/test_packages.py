"""Distributions and their RECORD: PyPA, "Recording installed projects"."""

from __future__ import annotations

import json

import pytest

from tests.testbed.memory import SITE, Files, MemoryFiles, record
from whyload.base.paths import WinPath
from whyload.facts.packages import Packages, normalised

FOLDER = WinPath(SITE)


def packages(files: Files, conda: str | None = None) -> Packages:
    return Packages(MemoryFiles(files), (FOLDER,), WinPath(conda) if conda else None)


def test_names_are_normalised_as_pypa_says() -> None:
    assert normalised("Foo.Bar__baz") == "foo-bar-baz"


def test_who_installed_a_file() -> None:
    found = packages(record("torch", "2.4.1", {"torch/lib/c10.dll": b"abc"}))
    owner = found.owner(WinPath(f"{SITE}\\TORCH\\lib\\C10.dll"))
    assert owner is not None
    assert (owner.distribution, owner.version, owner.installer) == ("torch", "2.4.1", "pip")
    assert found.owner(WinPath(f"{SITE}\\torch\\lib\\other.dll")) is None
    assert found.distribution("Torch") == owner
    assert found.providing("torch") == owner
    assert found.providing("tor") is None


def test_lengths_tell_altered_files() -> None:
    files = record("pkg", "1.0", {"pkg/a.dll": b"12345", "pkg/b.dll": b"12345"})
    files[f"{SITE}\\pkg/a.dll"] = b"1"
    found = packages(files)
    assert found.altered(FOLDER / "pkg\\a.dll") is not None
    assert found.altered(FOLDER / "pkg\\b.dll") is None
    assert found.altered(FOLDER / "pkg\\gone.dll") is None


def test_lines_of_record() -> None:
    lines = '"pkg/a,b.dll",sha256=x,3\r\npkg/c.dll,,\r\n../../Library/bin/d.dll,sha256=y,4\r\n\r\npkg/"odd\r\n'
    found = packages({f"{SITE}\\pkg-1.0.dist-info\\RECORD": lines})
    assert found.entry(FOLDER / "pkg\\a,b.dll") is not None
    entry = found.entry(FOLDER / "pkg\\c.dll")
    assert entry is not None
    assert (entry.size, entry.sha256) == (None, None)
    library = found.entry(WinPath("C:\\Python\\Library\\bin\\d.dll"))
    assert library is not None
    assert (library.size, library.sha256) == (4, "y")


def test_files_of_conda() -> None:
    meta = {"name": "vc14_runtime", "version": "14.40", "files": ["msvcp140.dll", "Library/bin/x.dll", 3]}
    files: Files = {
        "C:\\env\\conda-meta\\vc14_runtime-14.40-0.json": json.dumps(meta),
        "C:\\env\\conda-meta\\broken.json": "{",
        "C:\\env\\conda-meta\\odd.json": "[1]",
        "C:\\env\\conda-meta\\history": "",
    }
    owner = packages(files, "C:\\env").owner(WinPath("C:\\env\\msvcp140.dll"))
    assert owner is not None
    assert (owner.distribution, owner.installer) == ("vc14_runtime", "conda")


def test_a_record_that_is_gone() -> None:
    found = packages({f"{SITE}\\pkg-1.0.dist-info\\METADATA": "Name: pkg"})
    assert found.distribution("pkg") is not None
    assert found.libraries() == []


@pytest.mark.parametrize("size", ["\u00b2", "-1", "1e3", "9" * 40])
def test_a_size_that_is_no_number_is_no_size(size: str) -> None:
    info = f"{SITE}\\pkg-1.0.dist-info"
    found = packages({f"{info}\\METADATA": "Name: pkg\nVersion: 1.0\n", f"{info}\\RECORD": f"pkg/a.dll,,{size}\n"})
    entry = found.entry(WinPath(f"{SITE}\\pkg\\a.dll"))
    assert entry is not None
    assert (entry.sha256, entry.size) == (None, None)
