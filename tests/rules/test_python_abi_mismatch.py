"""Cause: docs/causes.md `python-abi-mismatch`; loader.md R3.9, R3.12."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, module, only
from tests.testbed.memory import Files, record, world
from tests.testbed.pewriter import Dll
from whyload.base.versions import PythonVersion
from whyload.observe.events import Raised


def test_a_free_threaded_module_in_an_ordinary_python() -> None:
    files = record("pkg", "1.0", {"pkg/__init__.py": "", "pkg/_x.cp313t-win_amd64.pyd": Dll(name="_x.pyd")})
    missing = Raised(exception="ModuleNotFoundError", text="No module named 'pkg._x'", module="pkg._x")
    finding = only(ask(world(files, python=PythonVersion(3, 13)), (missing,)))
    assert finding.code == "python-abi-mismatch"


def test_row_89_a_module_of_the_ordinary_build_in_a_free_threaded_python() -> None:
    """R3.12: a plain `.pyd` is picked; the ordinary build's DLL lies beside, and a second runtime is loaded."""
    files: Files = {
        MODULE: module({"python313.dll": ["PyList_New"]}),
        "C:\\Python\\python313t.dll": Dll(name="python313t.dll", exports={"PyList_New": 1}),
        "C:\\Python\\python313.dll": Dll(name="python313.dll", exports={"PyList_New": 1, "PyModule_Create2": 1}),
    }
    finding = only(ask(world(files, python=PythonVersion(3, 13, True))))
    assert (finding.code, finding.object) == ("python-abi-mismatch", "python313.dll")


def test_a_debug_dll_of_the_same_version() -> None:
    finding = only(ask(world({MODULE: module({"python311_d.dll": ["f"]})})))
    assert (finding.code, finding.object) == ("python-abi-mismatch", "python311_d.dll")


def test_another_version_is_another_cause() -> None:
    assert codes(ask(world({MODULE: module({"python312.dll": ["f"]})}))) == ["python-version-mismatch"]
