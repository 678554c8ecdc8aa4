"""Cause: docs/causes.md `stale-build-cache`."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, codes, importing, module, only
from tests.testbed.memory import SITE, Files, record, world
from tests.testbed.pewriter import Dll
from whyload.observe.events import LibraryLoad, Via

CACHE = "C:\\Users\\me\\AppData\\Local\\torch_extensions\\torch_extensions\\Cache\\py311_cu118\\fused"
BUILT = f"{CACHE}\\fused.pyd"
TORCH = record("torch", "2.4.1", {"torch/lib/c10.dll": Dll(name="c10.dll", exports={"here": 1})})
ADDED = [f"{SITE}\\torch\\lib"]


def test_fires_for_a_build_that_another_torch_was_used_for() -> None:
    files: Files = {**TORCH, BUILT: Dll(name="fused.pyd", pyinit="fused", imports={"c10.dll": ["gone"]})}
    finding = only(ask(world(files, added=ADDED), importing(BUILT)))
    assert (finding.code, str(finding.culprit), finding.symbol) == ("stale-build-cache", BUILT, "gone")


def test_fires_for_a_build_that_was_broken_off() -> None:
    load = LibraryLoad(name=BUILT, via=Via.CTYPES, flags=0x1100)
    finding = only(ask(world({f"{CACHE}\\build.ninja": ""}), (load,)))
    assert (finding.code, str(finding.culprit), finding.object) == ("stale-build-cache", BUILT, "fused.pyd")


@pytest.mark.parametrize("folder", ["C:\\mine\\built", "C:\\mine\\built\\deeper"])
def test_the_folder_that_the_variable_names_is_a_cache_too(folder: str) -> None:
    load = LibraryLoad(name=f"{folder}\\fused.pyd", via=Via.CTYPES, flags=0x1100)
    machine = world({}, environment={"TORCH_EXTENSIONS_DIR": "C:\\mine"})
    assert codes(ask(machine, (load,))) == ["stale-build-cache"]
    assert codes(ask(world({}), (load,))) == ["missing-dependency"]


def test_stays_quiet_for_an_installed_extension() -> None:
    files: Files = {**TORCH, MODULE: module({"c10.dll": ["gone"]})}
    assert codes(ask(world(files, added=ADDED))) == ["torch-abi-mismatch"]
