"""Cause: docs/causes.md `torch-abi-mismatch`."""

from __future__ import annotations

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
