"""Cause: docs/causes.md `old-vc-runtime`; microsoft/STL: constexpr mutex constructor of VS 2022 17.10."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, module, only
from tests.testbed.dll import Call
from tests.testbed.memory import SYSTEM32, world
from tests.testbed.pewriter import Dll
from whyload.base.paths import WinPath
from whyload.findings.report import Verdict

RUNTIME = f"{SYSTEM32}\\msvcp140.dll"
FUNCTIONS: dict[str | int, int | str | Call] = {"_Mtx_lock": 1, "_Mtx_unlock": 1, "_Mtx_init_in_situ": 1}


def runtime(version: tuple[int, int, int, int]) -> Dll:
    return Dll(name="msvcp140.dll", exports=FUNCTIONS, version=version)


def test_fires_for_a_new_toolset_on_an_old_runtime() -> None:
    files = {MODULE: module({"msvcp140.dll": ["_Mtx_lock"]}, linker=(14, 40)), RUNTIME: runtime((14, 27, 29016, 0))}
    report = ask(world(files))
    finding = only(report)
    assert (finding.code, str(finding.culprit), finding.object) == ("old-vc-runtime", RUNTIME, "msvcp140.dll")
    assert (report.verdict, report.exit_code) == (Verdict.FAILS, 1)


def test_stays_quiet_for_an_older_toolset() -> None:
    files = {MODULE: module({"msvcp140.dll": ["_Mtx_lock"]}, linker=(14, 38)), RUNTIME: runtime((14, 27, 29016, 0))}
    assert codes(ask(world(files))) == []


def test_stays_quiet_where_the_mutex_is_initialised_by_a_call() -> None:
    imports = {"msvcp140.dll": ["_Mtx_lock", "_Mtx_init_in_situ"]}
    files = {MODULE: module(imports, linker=(14, 40)), RUNTIME: runtime((14, 27, 29016, 0))}
    assert codes(ask(world(files))) == []


def test_stays_quiet_for_a_new_runtime() -> None:
    files = {MODULE: module({"msvcp140.dll": ["_Mtx_lock"]}, linker=(14, 42)), RUNTIME: runtime((14, 40, 33810, 0))}
    assert codes(ask(world(files))) == []


def test_a_runtime_without_a_version_decides_nothing() -> None:
    files = {
        MODULE: module({"msvcp140.dll": ["_Mtx_lock"]}, linker=(14, 42)),
        RUNTIME: Dll(name="msvcp140.dll", exports=FUNCTIONS),
    }
    assert codes(ask(world(files))) == []


def test_a_runtime_that_lacks_a_function() -> None:
    files = {MODULE: module({"msvcp140.dll": ["_New"]}), RUNTIME: runtime((14, 27, 29016, 0))}
    assert codes(ask(world(files))) == ["old-vc-runtime"]


def test_where_windows_has_a_newer_one_the_order_is_the_remedy() -> None:
    files = {
        MODULE: module({"msvcp140.dll": ["_Mtx_lock"]}, linker=(14, 40)),
        f"{WinPath(MODULE).parent}\\msvcp140.dll": runtime((14, 27, 29016, 0)),
        RUNTIME: runtime((14, 44, 35208, 0)),
    }
    assert [remedy.id for remedy in only(ask(world(files))).remedies] == ["import-first"]
    del files[RUNTIME]
    assert "import-first" not in [remedy.id for remedy in only(ask(world(files))).remedies]
