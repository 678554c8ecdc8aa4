"""Which way NumPy has to go, by what the message says of both sides."""

from __future__ import annotations

import pytest

from whyload.engine.explain import explain


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("RuntimeError: module compiled against API version 0x10 but this version of numpy is 0xf", "newer-numpy"),
        ("RuntimeError: module compiled against API version a but this version of numpy is 9", "newer-numpy"),
        (
            "ValueError: numpy.ndarray size changed, may indicate binary incompatibility. Expected 88 from C header, "
            "got 80 from PyObject",
            "newer-numpy",
        ),
        (
            "ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, "
            "got 88 from PyObject",
            "upgrade-package",
        ),
        (
            "RuntimeError: module compiled against ABI version 0x1000009 but this version of numpy is 0x2000000",
            "upgrade-package",
        ),
    ],
)
def test_the_older_side_is_renewed(text: str, remedy: str) -> None:
    first = explain(text).candidates[0]
    assert first.code == "numpy-abi-mismatch"
    assert first.remedies[0].id == remedy
