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
