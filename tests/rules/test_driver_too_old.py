"""Cause: docs/causes.md `driver-too-old`."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, codes, healthy, module, only, saying
from tests.testbed.memory import SYSTEM32, world
from tests.testbed.pewriter import Dll
from whyload.world.measured import Measured, NvidiaDriver

SAID = "RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please update your GPU driver"


def test_fires_for_a_function_that_the_driver_lacks() -> None:
    files = {
        MODULE: module({"nvcuda.dll": ["cuGetProcAddress_v2"]}),
        f"{SYSTEM32}\\nvcuda.dll": Dll(name="nvcuda.dll", exports={"cuInit": 1}),
    }
    finding = only(ask(world(files)))
    assert (finding.code, finding.object, finding.symbol) == ("driver-too-old", "nvcuda.dll", "cuGetProcAddress_v2")


def test_fires_for_the_words_of_torch() -> None:
    finding = only(ask(saying(healthy(), SAID)))
    assert finding.code == "driver-too-old"
    assert "supports CUDA 11.4" in finding.headline.en


def test_the_driver_is_shown_where_it_is_known() -> None:
    measured = Measured(nvidia=NvidiaDriver(version="471.11", cuda="11.4"))
    assert only(ask(saying(healthy(), SAID, measured))).notes[0].en == "the driver is 471.11, its newest CUDA 11.4"


@pytest.mark.parametrize("text", ["RuntimeError: No CUDA GPUs are available", "RuntimeError: driver is fine"])
def test_stays_quiet_for_other_words(text: str) -> None:
    assert codes(ask(saying(healthy(), text))) == []
