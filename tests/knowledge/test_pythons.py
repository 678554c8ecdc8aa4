"""What python.org's CPython brings, against the contents of the embeddable packages."""

from __future__ import annotations

from whyload.base.machine import Machine
from whyload.base.versions import PythonVersion, parse_file_version
from whyload.knowledge.pythons import bundled_files, extension_files
from whyload.knowledge.reader import data_tables

EMBEDDABLE_3_11_9 = """
_asyncio.pyd _bz2.pyd _ctypes.pyd _decimal.pyd _elementtree.pyd _hashlib.pyd _lzma.pyd _msi.pyd
_multiprocessing.pyd _overlapped.pyd _queue.pyd _socket.pyd _sqlite3.pyd _ssl.pyd _uuid.pyd _zoneinfo.pyd
libcrypto-3.dll libffi-8.dll libssl-3.dll pyexpat.pyd python.exe python3.dll python311.dll pythonw.exe
select.pyd sqlite3.dll unicodedata.pyd vcruntime140.dll vcruntime140_1.dll winsound.pyd
"""
EMBEDDABLE_3_13_2 = """
_asyncio.pyd _bz2.pyd _ctypes.pyd _decimal.pyd _elementtree.pyd _hashlib.pyd _lzma.pyd _multiprocessing.pyd
_overlapped.pyd _queue.pyd _socket.pyd _sqlite3.pyd _ssl.pyd _uuid.pyd _wmi.pyd _zoneinfo.pyd libcrypto-3.dll
libffi-8.dll libssl-3.dll pyexpat.pyd python.exe python3.dll python313.dll pythonw.exe select.pyd sqlite3.dll
unicodedata.pyd vcruntime140.dll vcruntime140_1.dll winsound.pyd
"""
EMBEDDABLE_3_14_3 = """
_asyncio.pyd _bz2.pyd _ctypes.pyd _decimal.pyd _elementtree.pyd _hashlib.pyd _lzma.pyd _multiprocessing.pyd
_overlapped.pyd _queue.pyd _remote_debugging.pyd _socket.pyd _sqlite3.pyd _ssl.pyd _uuid.pyd _wmi.pyd _zoneinfo.pyd
_zstd.pyd libcrypto-3.dll libffi-8.dll libssl-3.dll pyexpat.pyd python.exe python3.dll python314.dll pythonw.exe
select.pyd sqlite3.dll unicodedata.pyd vcruntime140.dll vcruntime140_1.dll winsound.pyd
"""


ROWS = data_tables("pythons")["python"]
VERSIONS = [PythonVersion(int(major), int(minor)) for major, minor in (row["version"].split(".") for row in ROWS)]


def embeddable(version: PythonVersion) -> set[str]:
    return {*bundled_files(version), *extension_files(version, embeddable=True)}


def test_the_embeddable_packages() -> None:
    assert embeddable(PythonVersion(3, 11)) == set(EMBEDDABLE_3_11_9.split())
    assert embeddable(PythonVersion(3, 13)) == set(EMBEDDABLE_3_13_2.split())
    assert embeddable(PythonVersion(3, 14)) == set(EMBEDDABLE_3_14_3.split())


def test_libraries_by_version() -> None:
    old, new = set(extension_files(PythonVersion(3, 10))), set(extension_files(PythonVersion(3, 12)))
    assert {"libffi-7.dll", "libssl-1_1.dll", "libcrypto-1_1.dll"} <= old
    assert {"libffi-8.dll", "libssl-3.dll", "libcrypto-3.dll", "_wmi.pyd"} <= new
    assert {"_tkinter.pyd", "tcl86t.dll", "tk86t.dll"} <= old & new


def test_never_the_cpp_runtime() -> None:
    for version in VERSIONS:
        names = {*bundled_files(version), *extension_files(version)}
        assert (
            not {"msvcp140.dll", "vcomp140.dll", "concrt140.dll", "vcruntime140_threads.dll", "libiomp5md.dll"} & names
        )
        assert {"python3.dll", f"python{version.digits}.dll", "vcruntime140.dll"} <= names


def test_32_bit_and_free_threaded_builds() -> None:
    assert "vcruntime140_1.dll" not in bundled_files(PythonVersion(3, 11), Machine.I386)
    threaded = PythonVersion(3, 13, True)
    assert {"python313t.dll", "python313.dll"} <= set(bundled_files(threaded))
    assert "_ssl.cp313t-win_amd64.pyd" in extension_files(threaded)
    assert "libssl-3-arm64.dll" in extension_files(PythonVersion(3, 12), Machine.ARM64)


def test_a_version_without_an_entry_is_as_the_one_before() -> None:
    future = PythonVersion(3, 19)
    assert "python319.dll" in bundled_files(future)
    assert not [name for name in bundled_files(future) if name.startswith("python31") and name != "python319.dll"]
    assert extension_files(future) == extension_files(VERSIONS[-1])
    assert "python37.dll" in bundled_files(PythonVersion(3, 7))


def test_versions_are_ordered_and_complete() -> None:
    assert [(version.major, version.minor) for version in VERSIONS] == [(3, minor) for minor in range(8, 15)]


def test_the_bundled_runtime_only_grows() -> None:
    """Of the vcruntime140.dll in the embeddable packages; that of 3.11.9 has the version 14.38.33126.1."""
    stated = {row["version"]: parse_file_version(row["vc_runtime"]) for row in ROWS if "vc_runtime" in row}
    versions = [version for version in stated.values() if version is not None]
    assert versions == sorted(versions)
    assert len(versions) == len(stated)
    assert stated["3.11"] == (14, 38, 33126, 1)
