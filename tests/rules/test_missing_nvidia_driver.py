"""Cause: docs/causes.md `missing-nvidia-driver`."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, healthy, module, saying
from tests.testbed.memory import SITE, SYSTEM32, world
from tests.testbed.pewriter import Dll


def test_fires() -> None:
    assert codes(ask(world({MODULE: module({"nvcuda.dll": ["cuInit"]})}))) == ["missing-nvidia-driver"]


def test_stays_quiet_with_a_driver() -> None:
    files = {
        MODULE: module({"nvcuda.dll": ["cuInit"]}),
        f"{SYSTEM32}\\nvcuda.dll": Dll(name="nvcuda.dll", exports={"cuInit": 1}),
    }
    assert codes(ask(world(files))) == []


def test_nvidias_own_library_says_that_it_is_not_there() -> None:
    said = (
        "Traceback (most recent call last):\n"
        f'  File "{SITE}\\pynvml.py", line 979, in _nvmlCheckReturn\n    raise NVMLError(ret)\n'
        "pynvml.NVMLError_LibraryNotFound: NVML Shared Library Not Found\n"
    )
    assert codes(ask(saying(healthy(), said))) == ["missing-nvidia-driver"]
