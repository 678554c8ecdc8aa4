"""Distributions and their RECORD: PyPA, "Recording installed projects"."""

from __future__ import annotations

import json

import pytest

from tests.testbed.memory import SITE, Files, MemoryFiles, record
from whyload.base.paths import WinPath
from whyload.base.record import normalised
from whyload.facts.packages import Packages

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


def test_single_lines_are_found_as_if_all_had_been_read() -> None:
    first = ["pkg/a.dll,,1", "Pkg/B.DLL,,2", "pkg/a.dll.txt,,3", "../../Scripts/pkg.exe,,4", "xpkg/a.dll,,5"]
    second = ["pkg.py,,7", "pkg/a.dll,,8", "other.pyd,,9", "other\\c.pyd,,10", "deep/pkg/x.pyd,,11", ""]
    files: Files = {
        f"{SITE}\\one-1.0.dist-info\\RECORD": "\r\n".join([*first, "pkg/\u0130.dll,,6"]),
        f"{SITE}\\two-1.0.dist-info\\RECORD": "\n".join(second),
    }
    whole, single = packages(files), packages(files)
    whole.libraries()
    paths = [FOLDER / "pkg\\a.dll", FOLDER / "pkg\\b.dll", FOLDER / "a.dll", WinPath("C:\\Python\\Scripts\\pkg.exe")]
    paths += [FOLDER / "pkg\\\u0130.dll", FOLDER / "pkg", FOLDER / "other.pyd"]
    assert [single.entry(path) for path in paths] == [whole.entry(path) for path in paths]
    assert [entry.size if (entry := single.entry(path)) else None for path in paths] == [1, 2, None, 4, 6, None, 9]
    for name in ("a.dll", "A.DLL", "b.dll", "c.pyd", "pkg.py", "gone.dll", "dll"):
        assert single.named(name) == whole.named(name), name


def test_what_belongs_to_a_module_and_to_a_distribution() -> None:
    files = record("one", "1.0", {"pkg/a.dll": b"", "pkg/a.py": b"", "xpkg/B.PYD": b"", "pkg/a.dll.txt": b""})
    files |= record("two", "1.0", {"pkg.py": b"", "other.pyd": b"", "deep/kg/x.dll": b""})
    found = packages(files)
    modules = {"pkg": "one", "PKG": "one", "xpkg": "one", "other": "two", "deep": "two", "kg": None, "a": None}
    for module, name in modules.items():
        owner = found.providing(module)
        assert (owner.distribution if owner else None) == name, module
    natives = {owner.distribution: [e.path.name for e in found.natives_of(owner)] for owner in found.owners()}
    assert natives == {"one": ["a.dll", "B.PYD"], "two": ["other.pyd", "x.dll"]}


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


@pytest.mark.parametrize(
    "name",
    ["../../../x.dll", "C:/Windows/System32/x.dll", "/x.dll", "..\\..\\..\\x.dll", "a/../../../../x.dll", "a\x01.dll"],
)
def test_nothing_outside_of_the_environment_belongs_to_a_distribution(name: str) -> None:
    text = f"{name},sha256=x,1\n../../Scripts/a.exe,,\na/b.dll,,\n".encode()
    files = MemoryFiles({f"{SITE}\\a-1.0.dist-info\\RECORD": text, f"{SITE}\\a-1.0.dist-info\\METADATA": b"Name: a"})
    packages = Packages(files, (WinPath(SITE),))
    owned = {
        entry.path.name
        for owner in [packages.owner(WinPath(f"{SITE}\\a\\b.dll"))]
        if owner
        for entry in packages.natives_of(owner)
    }
    assert owned == {"b.dll"}
    assert packages.owner(WinPath("C:\\Python\\Scripts\\a.exe")) is not None
    assert packages.owner(WinPath("C:\\x.dll")) is None


def test_a_distribution_without_a_record_has_its_folders() -> None:
    info = f"{SITE}\\Mixed_Name-1.0.dist-info"
    files = record("other", "2.0", {"shared/other.py": ""}) | {
        f"{info}\\METADATA": "Name: mixed-name\n",
        f"{info}\\top_level.txt": "mixed\nshared\n",
        f"{SITE}\\mixed\\core\\_x.pyd": b"",
        f"{SITE}\\shared\\_y.pyd": b"",
        f"{SITE}\\Mixed_Name.libs\\a.dll": b"",
        f"{SITE}\\stray\\_z.pyd": b"",
    }
    files = {name.replace("/", "\\"): data for name, data in files.items()}
    found = packages(files)
    owner = found.owner(FOLDER / "mixed\\core\\_x.pyd")
    assert owner is not None
    assert owner.distribution == "Mixed_Name"
    assert found.owner(FOLDER / "Mixed_Name.libs\\a.dll") == owner
    assert found.owner(FOLDER / "stray\\_z.pyd") is None
    other = found.owner(FOLDER / "shared\\other.py")
    assert other is not None
    assert other.distribution == "other"
    paths = {path.relative_to(FOLDER).lower() for path in found.installed_paths("mixed-name")}
    assert paths == {"mixed", "mixed_name.libs", "mixed_name-1.0.dist-info"}, "another one has files in `shared`"


def test_conda_keeps_its_records_elsewhere() -> None:
    info = f"{SITE}\\pkg-1.0.dist-info"
    found = packages({f"{info}\\INSTALLER": "conda\n", f"{SITE}\\pkg\\_x.pyd": b""}, "C:\\conda")
    assert found.owner(FOLDER / "pkg\\_x.pyd") is None
