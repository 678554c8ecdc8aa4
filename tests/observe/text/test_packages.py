"""Which package a text is about: not the first key of its environment, whatever stands there."""

from __future__ import annotations

import pytest

from whyload.observe.text.reading import read_clues

_FAILED = "ImportError: DLL load failed: The specified procedure could not be found.\n\n"


@pytest.mark.parametrize(
    ("environment", "nearest"),
    [
        ("shell: PowerShell\nopencv-python: 4.5", "opencv-python"),
        ("pip: 23.1\nram: 16 GB\nPyQt5: 5.15", "pyqt5"),
        ("mytool: 1.0\nrasterio: 1.2", "rasterio"),
        ("os: Windows 10\nmytool: 1.0", "mytool"),
    ],
)
def test_of_the_environment(environment: str, nearest: str) -> None:
    assert read_clues(_FAILED + environment).packages[0] == nearest


def test_of_a_compiled_part_that_is_not_known() -> None:
    text = "ImportError: DLL load failed while importing pointnet._ext: The specified procedure could not be found.\n"
    assert read_clues(text + "torch: 2.1").packages == ("pointnet",)


@pytest.mark.parametrize(
    ("module", "environment", "packages"),
    [
        ("gridencoder", "torch: 2.1+cu118\nnumpy: 1.26", ("gridencoder",)),
        ("_foo", "torch: 2.1\nfoolib: 1.0", ("foolib",)),
        ("_C", "torch: 2.1", ("torch",)),
        ("c10_cuda", "torch: 2.1", ("torch",)),
    ],
)
def test_frameworks_are_told_of_for_the_sake_of_others(module: str, environment: str, packages: tuple[str]) -> None:
    text = f"ImportError: DLL load failed while importing {module}: The specified module could not be found.\n\n"
    assert read_clues(text + environment).packages == packages
