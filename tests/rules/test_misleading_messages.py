"""What Windows says and what it really is: one machine for each message that sends people the wrong way.

The message stands in the description of the machine, as a person would paste it; the cause is in the files.
"""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, importing, module, only, saying
from tests.testbed.dll import Call
from tests.testbed.memory import SITE, SYSTEM32, Files, record, world
from tests.testbed.pewriter import Dll, build
from whyload.findings.model import Finding
from whyload.observe.events import Event, LibraryLoad, ModuleStarted, Raised, Via

LIBRARY = f"{SITE}\\pkg\\a.dll"
NOT_FOUND = "ImportError: DLL load failed while importing _x: 找不到指定的模块。"
NO_PROCEDURE = "ImportError: DLL load failed while importing _x: Не найдена указанная процедура."
NO_APPLICATION = "ImportError: DLL load failed while importing _x: %1 ist keine zulässige Win32-Anwendung."
NOT_STARTED = "ImportError: DLL load failed while importing _x: DLL 초기화 루틴을 실행할 수 없습니다."
MUTEX: dict[str | int, int | str | Call] = {"_Mtx_lock": 1}


def cause(files: Files, said: str, events: tuple[Event, ...] | None = None, path: tuple[str, ...] = ()) -> Finding:
    return only(ask(saying(world(files, path=path), said), events))


def test_not_found_means_a_library_of_a_library() -> None:
    files: Files = {
        MODULE: module({"a.dll": ["f"]}),
        LIBRARY: Dll(name="a.dll", exports={"f": 1}, imports={"b.dll": ["g"]}),
        f"{SITE}\\pkg\\b.dll": Dll(name="b.dll", exports={"g": 1}, imports={"camerasdk.dll": ["h"]}),
    }
    finding = cause(files, NOT_FOUND)
    assert (finding.code, str(finding.culprit), finding.object) == (
        "missing-dependency",
        f"{SITE}\\pkg\\b.dll",
        "camerasdk.dll",
    )


def test_not_found_for_a_file_that_is_there() -> None:
    load = LibraryLoad(name=LIBRARY, via=Via.CTYPES, flags=0x1100)
    files: Files = {LIBRARY: Dll(name="a.dll", imports={"MSVCP140.dll": ["f"]})}
    finding = cause(
        files, f"FileNotFoundError: Could not find module '{LIBRARY}' (or one of its dependencies).", (load,)
    )
    assert (finding.code, str(finding.culprit), finding.object) == ("missing-vc-runtime", LIBRARY, "MSVCP140.dll")


def test_no_application_means_another_system() -> None:
    assert cause({MODULE: b"\x7fELF\x02\x01\x01" + bytes(4000)}, NO_APPLICATION).code == "wrong-platform-binary"


def test_no_application_means_a_pointer_file() -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 1048576\n"
    assert cause({MODULE: pointer}, NO_APPLICATION).code == "not-a-library-file"


def test_no_application_means_an_empty_file() -> None:
    assert cause({MODULE: b""}, NO_APPLICATION).code == "corrupt-install"


def test_no_application_means_half_a_file() -> None:
    data = build(module({"a.dll": ["f"]}))
    assert cause({MODULE: data[: len(data) // 2]}, NO_APPLICATION).code == "corrupt-install"


def test_a_start_that_fails_means_a_runtime_that_another_package_loaded() -> None:
    old = f"{SITE}\\PyQt5\\Qt5\\bin\\msvcp140.dll"
    files: Files = {
        MODULE: module({"msvcp140.dll": ["_Mtx_lock"]}, linker=(14, 42)),
        old: Dll(name="msvcp140.dll", exports=MUTEX, version=(14, 26, 28720, 3)),
        f"{SYSTEM32}\\msvcp140.dll": Dll(name="msvcp140.dll", exports=MUTEX, version=(14, 44, 35211, 0)),
    }
    first = LibraryLoad(name=old, via=Via.CTYPES, flags=0x1100)
    finding = cause(files, NOT_STARTED, (first, *importing()))
    assert (finding.code, str(finding.culprit)) == ("old-vc-runtime", old)
    assert str(finding.found_at) == f"{SYSTEM32}\\msvcp140.dll"


def test_no_procedure_means_another_copy() -> None:
    files: Files = {
        MODULE: module({"hdf5.dll": ["H5Fopen_async"]}),
        f"{SITE}\\pkg\\hdf5.dll": Dll(name="hdf5.dll", exports={"H5Fopen_async": 1}),
        "C:\\tables\\hdf5.dll": Dll(name="hdf5.dll", exports={"H5Fopen": 1}),
    }
    first = LibraryLoad(name="C:\\tables\\hdf5.dll", via=Via.CTYPES, flags=0x1100)
    finding = cause(files, NO_PROCEDURE, (first, *importing()), ("C:\\tables",))
    assert (finding.code, str(finding.culprit)) == ("path-shadowing", "C:\\tables\\hdf5.dll")


def test_no_module_means_a_wrong_tag() -> None:
    files = record("pkg", "1.0", {"pkg/__init__.py": "", "pkg/_x.cp310-win_amd64.pyd": Dll(name="_x.pyd")})
    said = "ModuleNotFoundError: No module named 'pkg._x'"
    missing = Raised(exception="ModuleNotFoundError", text="No module named 'pkg._x'", module="pkg._x")
    assert cause(files, said, (missing,)).code == "python-version-mismatch"


def test_no_module_means_a_file_that_was_taken_away() -> None:
    files = record("pkg", "1.0", {"pkg/__init__.py": "", "pkg/_x.pyd": module({})})
    del files[f"{SITE}\\pkg/_x.pyd"]
    said = "ModuleNotFoundError: No module named 'pkg._x'"
    missing = Raised(exception="ModuleNotFoundError", text="No module named 'pkg._x'", module="pkg._x")
    finding = cause(files, said, (ModuleStarted(module="pkg", file=None), missing))
    assert (finding.code, str(finding.culprit)) == ("corrupt-install", MODULE)


def test_no_procedure_means_the_copy_of_windows() -> None:
    files: Files = {
        "C:\\tool\\tool.dll": Dll(name="tool.dll", imports={"onnxruntime.dll": ["OrtNew"]}),
        f"{SYSTEM32}\\onnxruntime.dll": Dll(name="onnxruntime.dll", exports={"OrtGetApiBase": 1}),
        "C:\\ort\\onnxruntime.dll": Dll(name="onnxruntime.dll", exports={"OrtGetApiBase": 1, "OrtNew": 1}),
    }
    load = LibraryLoad(name="C:\\tool\\tool.dll", via=Via.CTYPES, flags=0x1100)
    finding = cause(files, "OSError: [WinError 127] 找不到指定的程序。", (load,), ("C:\\ort",))
    assert (finding.code, str(finding.culprit), str(finding.found_at)) == (
        "path-shadowing",
        f"{SYSTEM32}\\onnxruntime.dll",
        "C:\\ort\\onnxruntime.dll",
    )


def test_an_error_of_cudnn_means_zlib() -> None:
    name = f"{SITE}\\nvidia\\cudnn\\bin\\cudnn_cnn_infer64_8.dll"
    files: Files = {name: Dll(name="cudnn_cnn_infer64_8.dll", imports={"zlibwapi.dll": ["deflate"]})}
    load = LibraryLoad(name=name, via=Via.CTYPES, flags=0x1100)
    said = "Could not load library cudnn_cnn_infer64_8.dll. Error code 126\nOSError: [WinError 126] x"
    finding = cause(files, said, (load,))
    assert (finding.code, str(finding.culprit), finding.object) == ("missing-cudnn", name, "zlibwapi.dll")
