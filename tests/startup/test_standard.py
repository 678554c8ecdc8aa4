"""The standard library: present without reading, its extension modules known."""

from __future__ import annotations

import re

import pytest

from tests.startup.sketch import lines
from whyload.base.versions import PythonVersion
from whyload.knowledge.reader import data_tables
from whyload.startup.standard import extension_modules, is_standard

DLLS = {
    f"C:\\Python\\DLLs\\{name}.pyd": ""
    for name in ("_ssl", "_socket", "select", "_hashlib", "_ctypes", "_bz2", "_lzma")
}


def test_needed_and_optional_extension_modules() -> None:
    folder = "C:\\Python\\DLLs"
    assert lines(DLLS, "import ssl") == [f"load {folder}\\{name}.pyd 0x1100" for name in ("_socket", "_ssl", "select")]
    assert lines(DLLS, "import hashlib") == [["try ImportError", [f"load {folder}\\_hashlib.pyd 0x1100"]]]


def test_what_is_not_there_is_not_loaded() -> None:
    assert lines({}, "import ssl, ctypes, hashlib") == []


def test_each_loads_once() -> None:
    assert lines(DLLS, "import _ctypes, ctypes\nimport ctypes.wintypes") == [
        "load C:\\Python\\DLLs\\_ctypes.pyd 0x1100"
    ]


def test_a_submodule_loads_what_its_package_does() -> None:
    assert extension_modules("ctypes.macholib", PythonVersion(3, 11)) == (("_ctypes", True),)


def test_names_by_version() -> None:
    assert is_standard("tomllib", PythonVersion(3, 11))
    assert not is_standard("tomllib", PythonVersion(3, 10))
    assert not is_standard("telnetlib", PythonVersion(3, 13))
    assert is_standard("telnetlib", PythonVersion(3, 12))
    assert not is_standard("termios", PythonVersion(3, 12))


def test_the_data_is_well_formed() -> None:
    tables = data_tables("stdlib")
    assert tables["source"]
    versions = [tuple(change["version"]) for change in tables["change"]]
    assert versions == sorted(set(versions))
    for section in ("module", "module_3_12"):
        for name, entry in tables[section].items():
            assert all(re.fullmatch(r"\w+\??", native) for native in entry), name


def test_every_habit_has_a_source() -> None:
    for entry in data_tables("startup")["extension"]:
        assert set(entry) == {"module", "imports", "source"}
        assert entry["source"]


@pytest.mark.parametrize("size", ["p.stat().st_size", "os.path.getsize(p)", "os.stat(str(p)).st_size"])
def test_a_file_is_chosen_by_its_size(size: str) -> None:
    code = (
        "import ctypes, os\nfrom pathlib import Path\n"
        f"found = next((p for p in sorted(Path('C:\\\\t').glob('*.dll')) if {size} > 0), None)\n"
        "ctypes.CDLL(str(found))\n"
    )
    assert lines({"C:\\t\\a.dll": b"", "C:\\t\\b.dll": b"MZ"}, code) == ["load C:\\t\\b.dll 0x1100"]
