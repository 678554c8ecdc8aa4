"""Cause: docs/causes.md `torch-abi-mismatch`."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, codes, module, only
from tests.testbed.memory import SITE, record, world
from tests.testbed.pewriter import Dll

C10 = f"{SITE}\\torch\\lib\\c10.dll"


def files(symbol: str) -> dict[str, bytes | str | Dll]:
    made = record("torch", "2.4.1", {"torch/lib/c10.dll": Dll(name="c10.dll", exports={"here": 1})})
    made |= record("flashops", "2.5.0", {"pkg/_x.pyd": module({"c10.dll": [symbol]})})
    return made


def test_fires() -> None:
    finding = only(ask(world(files("gone"), added=[f"{SITE}\\torch\\lib"])))
    assert (finding.code, str(finding.culprit), finding.object, finding.symbol) == (
        "torch-abi-mismatch",
        MODULE,
        "c10.dll",
        "gone",
    )
    assert finding.os_error is not None
    assert finding.os_error.winerror == 127


def test_stays_quiet_when_the_function_is_there() -> None:
    assert codes(ask(world(files("here"), added=[f"{SITE}\\torch\\lib"]))) == []


@pytest.mark.parametrize(
    ("torch", "command"),
    [
        ("2.4.1", '-m pip install "torchvision~=0.19.0" torch==2.4.1'),
        ("2.4.1+cu121", '-m pip install "torchvision~=0.19.0" "torch==2.4.1+cu121" --index-url INDEX'),
    ],
)
def test_the_release_that_belongs_to_the_installed_torch(torch: str, command: str) -> None:
    """torchvision's README: 0.20 belongs to torch 2.5, 0.19 to 2.4."""
    made = record("torch", torch, {"torch/lib/c10.dll": Dll(name="c10.dll", exports={"here": 1})})
    made |= record("torchvision", "0.20.1", {"pkg/_x.pyd": module({"c10.dll": ["gone"]})})
    finding = only(ask(world(made, added=[f"{SITE}\\torch\\lib"])))
    assert finding.code == "torch-abi-mismatch"
    assert finding.notes[0].en == "torchvision 0.20.1 is built for torch 2.5"
    assert finding.remedies[0].commands[0].endswith(command)


def test_two_libraries_of_the_same_torch_are_one_cause() -> None:
    libraries = {f"torch/lib/{name}": Dll(name=name, exports={"here": 1}) for name in ("c10.dll", "torch_cpu.dll")}
    made = record("torch", "2.4.1", libraries)
    made |= record("flashops", "2.5.0", {"pkg/_x.pyd": module({"torch_cpu.dll": ["gone"], "c10.dll": ["lost"]})})
    finding = only(ask(world(made, added=[f"{SITE}\\torch\\lib"])))
    assert (finding.code, finding.object, finding.symbol) == ("torch-abi-mismatch", "torch_cpu.dll", "gone")


def test_libraries_that_nobody_recorded_are_causes_of_their_own() -> None:
    made = {f"{SITE}\\pkg\\{name}": Dll(name=name, exports={"here": 1}) for name in ("a.dll", "b.dll")}
    report = ask(world(made | {MODULE: module({"a.dll": ["gone"], "b.dll": ["lost"]})}))
    assert [finding.symbol for finding in report.findings] == ["gone", "lost"]
