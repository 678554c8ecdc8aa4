"""Cause: docs/causes.md `driver-too-old`."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, codes, healthy, healthy_files, module, only, saying
from tests.testbed.memory import SYSTEM32, record, world
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
    assert only(ask(saying(healthy(), SAID, measured))).notes[0].en == "driver 471.11 supports CUDA up to 11.4"


def told(version: str, runs: str, found: str = "11040") -> list[str]:
    """Titles of the remedies with that torch and that driver."""
    files = record("torch", version, {"torch/__init__.py": ""})
    measured = Measured(nvidia=NvidiaDriver(version="471.11", cuda=runs))
    machine = saying(world({**healthy_files(), **files}), SAID.replace("11040", found), measured)
    return [remedy.title.en for remedy in only(ask(machine)).remedies]


def test_the_driver_that_the_installed_build_needs_is_named_exactly() -> None:
    """NVIDIA's release notes: 525 for any CUDA 12, 551.61 with 12.4 GA, 560.76 with 12.6 GA."""
    driver, build = told("2.5.1+cu124", "11.4")
    assert "version 525 or later" in driver
    assert "551.61 has all of CUDA 12.4" in driver
    assert "471.11, CUDA 11.4" in driver
    assert "torch==2.5.1+cu118" in build
    assert "560.76 has all of CUDA 12.6" in told("2.6.0+cu126", "11.4")[0]


def test_the_build_is_never_for_a_cuda_beyond_the_driver() -> None:
    """torch 2.7 has builds for CUDA 11.8, 12.6 and 12.8, torch 2.8 for 12.6 and later only (PyTorch's matrix)."""
    assert "torch==2.7.1+cu118" in told("2.7.1+cu128", "11.8")[1]
    assert "+cu118" in told("2.8.0+cu128", "11.8")[1]
    assert "torch==2.7." in told("2.8.0+cu128", "11.8")[1]
    assert "torch==2.9.0+cu128" in told("2.9.0+cu130", "12.8", found="12080")[1]
    assert "torch==2.9.0+cu126" in told("2.9.0+cu130", "12.6", found="12060")[1]


@pytest.mark.parametrize("text", ["RuntimeError: No CUDA GPUs are available", "RuntimeError: driver is fine"])
def test_stays_quiet_for_other_words(text: str) -> None:
    assert codes(ask(saying(healthy(), text))) == []
