"""Cause: docs/causes.md `stale-build-cache`."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, codes, importing, module, only, saying
from tests.testbed.memory import SITE, Files, record, world
from tests.testbed.pewriter import Dll
from whyload.base.paths import WinPath
from whyload.observe.events import LibraryLoad, Via
from whyload.remedies.change import ClearBuildCache

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


NUMBA = (
    'Traceback (most recent call last):\n  File "C:\\\\app\\\\main.py", line 3, in <module>\n    f(1)\n'
    '  File "C:\\\\Python\\\\Lib\\\\site-packages\\\\numba\\\\core\\\\caching.py", line 489, in _load_data\n'
    "    tup = pickle.loads(data)\nEOFError: Ran out of input\n"
).replace("\\\\", "\\")
INDEX = "C:\\app\\__pycache__\\main.f-3.py311.nbi"


def test_fires_where_numba_cannot_read_its_cache() -> None:
    machine = world({"C:\\app\\main.py": "", INDEX: "", "C:\\app\\__pycache__\\other.g-3.py311.nbi": ""})
    finding = only(ask(saying(machine, NUMBA), ()))
    assert (finding.code, str(finding.culprit)) == ("stale-build-cache", INDEX)
    (remedy,) = finding.remedies
    assert remedy.changes == (ClearBuildCache(path=WinPath(INDEX)),)


def test_the_folder_that_a_variable_names_for_numba() -> None:
    machine = world({INDEX: "", "C:\\nb\\x\\y.nbi": ""}, environment={"NUMBA_CACHE_DIR": "C:\\nb"})
    finding = only(ask(saying(machine, NUMBA), ()))
    assert [change.target for remedy in finding.remedies for change in remedy.changes] == ["C:\\nb"]


def test_an_error_in_a_function_of_numba_is_none_of_its_cache() -> None:
    text = NUMBA.replace("caching.py", "dispatcher.py")
    assert "stale-build-cache" not in codes(ask(saying(world({INDEX: ""}), text), ()))


def test_stays_quiet_for_an_installed_extension() -> None:
    files: Files = {**TORCH, MODULE: module({"c10.dll": ["gone"]})}
    assert codes(ask(world(files, added=ADDED))) == ["torch-abi-mismatch"]
