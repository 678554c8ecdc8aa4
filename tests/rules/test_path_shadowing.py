"""Cause: docs/causes.md `path-shadowing`; loader.md R2.18, R2.22."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, importing, module, only
from tests.testbed.memory import SITE, SYSTEM32, Files, record, world
from tests.testbed.pewriter import Dll
from whyload.observe.events import LibraryLoad, Via

OLD = Dll(name="sdk.dll", exports={"open": 1}, version=(1, 2, 0, 0))
NEW = Dll(name="sdk.dll", exports={"open": 1, "open_ex": 2}, version=(3, 0, 0, 0))


def test_an_old_copy_that_is_found_first() -> None:
    files = {MODULE: module({"sdk.dll": ["open_ex"]}), f"{SITE}\\pkg\\sdk.dll": OLD, "C:\\new\\sdk.dll": NEW}
    finding = only(ask(world(files, path=["C:\\new"])))
    assert (finding.code, str(finding.culprit), str(finding.found_at)) == (
        "path-shadowing",
        f"{SITE}\\pkg\\sdk.dll",
        "C:\\new\\sdk.dll",
    )


def test_a_function_that_python_code_asks_for() -> None:
    files = {"C:\\old\\sdk.dll": OLD, "C:\\new\\sdk.dll": NEW}
    load = LibraryLoad(name="sdk.dll", via=Via.CTYPES, flags=0, symbols=("open", "open_ex"))
    finding = only(ask(world(files, path=["C:\\old", "C:\\new"]), (load,)))
    assert (finding.code, str(finding.culprit), finding.symbol) == ("path-shadowing", "C:\\old\\sdk.dll", "open_ex")
    assert str(finding.found_at) == "C:\\new\\sdk.dll"


def test_a_copy_in_system32_that_is_no_part_of_windows_shadows_too() -> None:
    wrong = f"{SYSTEM32}\\onnxruntime.dll"
    files: Files = {
        MODULE: module({"onnxruntime.dll": ["New"]}),
        wrong: Dll(name="onnxruntime.dll", exports={"Old": 1}),
        "C:\\lib\\onnxruntime.dll": Dll(name="onnxruntime.dll", exports={"New": 1}),
    }
    finding = only(ask(world(files, path=["C:\\lib"])))
    assert (finding.code, str(finding.culprit), str(finding.found_at)) == (
        "path-shadowing",
        wrong,
        "C:\\lib\\onnxruntime.dll",
    )


def test_a_dll_of_windows_is_not_shadowed_by_its_own_copy() -> None:
    files: Files = {
        MODULE: module({"icuuc.dll": ["New"]}),
        f"{SYSTEM32}\\icuuc.dll": Dll(name="icuuc.dll", exports={"Old": 1}),
        "C:\\lib\\icuuc.dll": Dll(name="icuuc.dll", exports={"New": 1}),
    }
    assert codes(ask(world(files, path=["C:\\lib"]))) == ["windows-too-old"]


def test_a_copy_that_another_package_loaded_before() -> None:
    files = {
        **record("first", "1.0", {"first/_f.pyd": Dll(name="_f.pyd", pyinit="_f", imports={"sdk.dll": ["open"]})}),
        **record("pkg", "2.0", {"pkg/_x.pyd": module({"sdk.dll": ["open_ex"]}), "pkg/sdk.dll": NEW}),
        **record("old", "1.2", {"first/sdk.dll": OLD}),
    }
    placed = {name.replace("/", "\\"): data for name, data in files.items()}
    first = LibraryLoad(name=f"{SITE}\\first\\_f.pyd", via=Via.IMPORT, flags=0x1100, module="first._f")
    finding = only(ask(world(placed), (first, *importing())))
    assert (finding.code, str(finding.culprit), str(finding.found_at)) == (
        "path-shadowing",
        f"{SITE}\\first\\sdk.dll",
        f"{SITE}\\pkg\\sdk.dll",
    )
    notes = " ".join(note.en for note in finding.notes)
    assert "belongs to old 1.2" in notes
    assert "was already loaded" in notes
    assert [remedy.id for remedy in finding.remedies] == ["load-the-right-copy-first"]
