"""Which Python a file of an extension module is for, by its name alone; the judge is PEP 3149 and what PyPI has."""

from __future__ import annotations

import pytest

from whyload.observe.text.clues import Platform, Unlike
from whyload.observe.text.reading import read_clues

_LINUX = "os: Ubuntu 22.04 x86_64\npython: 3.11"
_WINDOWS = "os: Windows 11 x64\npython: 3.11"


@pytest.mark.parametrize(
    ("file", "machine", "unlike"),
    [
        ("_x.cpython-311-x86_64-linux-gnu.so", _LINUX, None),
        ("_x.cpython-310-x86_64-linux-gnu.so", _LINUX, Unlike.VERSION),
        ("_x.cpython-311-aarch64-linux-gnu.so", _LINUX, Unlike.PROCESSOR),
        ("_x.cpython-311-i386-linux-gnu.so", _LINUX, Unlike.BITS),
        ("_x.cpython-311-x86_64-linux-musl.so", _LINUX, Unlike.LIBC),
        ("_x.cpython-311-darwin.so", _LINUX, Unlike.SYSTEM),
        ("_x.cp311-win_amd64.pyd", _LINUX, Unlike.SYSTEM),
        ("_x.cpython-311d-x86_64-linux-gnu.so", _LINUX, Unlike.KIND),
        ("_x.pypy311-pp73-x86_64-linux-gnu.so", _LINUX, Unlike.KIND),
        ("_x.cpython-313t-x86_64-linux-gnu.so", "os: Ubuntu 24.04\npython: 3.13", Unlike.KIND),
        ("_x.cpython-313t-x86_64-linux-gnu.so", "os: Ubuntu 24.04\npython: 3.13t", None),
        ("_x.cpython-311-x86_64-linux-gnu.so", "os: Alpine 3.19\npython: 3.11", Unlike.LIBC),
        ("_x.cpython-311-x86_64-linux-musl.so", "os: Alpine 3.19\npython: 3.11", None),
        ("_x.cpython-311-x86_64-linux-gnu.so", "python: 3.11 container linux/arm64", Unlike.PROCESSOR),
        ("_x.cpython-311-x86_64-linux-gnu.so", "os: Linux on x86_64, built for arm64\npython: 3.11", None),
        ("_x.cp311-win_amd64.pyd", _WINDOWS, None),
        ("_x.cp311-win_arm64.pyd", _WINDOWS, Unlike.PROCESSOR),
        ("_x.cp311-win32.pyd", _WINDOWS, Unlike.BITS),
        ("_x.cp310-win_amd64.pyd", _WINDOWS, Unlike.VERSION),
        ("_x_d.cp311-win_amd64.pyd", _WINDOWS, Unlike.KIND),
        ("_x.cp311-win_amd64.pyd", "os: Windows 11\npython: python_d 3.11", Unlike.KIND),
        ("_x.cp311-win_amd64.pyd", "os: Windows 10\npython: 3.11 32 bit", Unlike.BITS),
        ("_x.cp311-win_amd64.pyd", "", None),
        ("_y.cp310-win_amd64.pyd", _WINDOWS, None),
        ("_x.abi3.so", _LINUX, None),
    ],
)
def test_the_name_of_a_file_that_is_not_seen(file: str, machine: str, unlike: Unlike | None) -> None:
    clues = read_clues(f"ModuleNotFoundError: No module named 'pkg._x'\n{machine}\nfolder: pkg/{file}")
    assert (clues.misfit.unlike if clues.misfit else None) is unlike
    assert clues.misfit is None or clues.misfit.file == file


def test_the_machine_is_not_read_from_the_name_of_such_a_file() -> None:
    text = "ModuleNotFoundError: No module named 'pkg._x'\nos: {}\nfolder: pkg/_x.cpython-311-darwin.so"
    assert read_clues(text.format("container python:3.11-slim")).platform is Platform.LINUX
    assert read_clues(text.format("not told")).platform is Platform.MACOS


def test_a_module_that_is_loaded_tells_nothing() -> None:
    text = "ImportError: /v/pkg/_x.cpython-310-x86_64-linux-gnu.so: undefined symbol: f\nos: Ubuntu\npython: 3.11"
    assert read_clues(text).misfit is None
