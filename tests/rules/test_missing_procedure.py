"""Cause: docs/causes.md `missing-procedure`; loader.md R2.48."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, codes, module, only
from tests.testbed.memory import SITE, Files, world
from tests.testbed.pewriter import Dll

PATH = f"{SITE}\\pkg\\a.dll"


@pytest.mark.parametrize(("wanted", "symbol", "winerror"), [("gone", "gone", 127), (42, "#42", 182)])
def test_fires(wanted: str | int, symbol: str, winerror: int) -> None:
    files = {MODULE: module({"a.dll": ["f", wanted]}), PATH: Dll(name="a.dll", exports={"f": 1, "g": 2})}
    finding = only(ask(world(files)))
    assert (finding.code, str(finding.culprit), finding.object, finding.symbol) == (
        "missing-procedure",
        PATH,
        "a.dll",
        symbol,
    )
    assert finding.os_error is not None
    assert finding.os_error.winerror == winerror


def test_a_stand_in_of_wine_is_never_blamed() -> None:
    from tests.testbed.pewriter import build

    data = bytearray(build(Dll(name="a.dll", exports={"f": 1})))
    data[0x40:0x50] = b"Wine builtin DLL"
    files: Files = {MODULE: module({"a.dll": ["gone"]}), PATH: bytes(data)}
    assert codes(ask(world(files))) == []
