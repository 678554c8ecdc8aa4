"""One small machine for every cause that whyload names; the stored texts beside it were read and judged by people.

`python -m tests.messages.examples` writes the texts anew: look at every difference before it is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.rules.asking import MODULE, ask, healthy, importing, module, saying
from tests.rules.test_conda_pip_mix import old_runtime
from tests.rules.test_duplicate_openmp import SAID as OMP_SAID
from tests.rules.test_duplicate_openmp import both as two_openmp
from tests.rules.test_env_variable_misdirects import GONE as GONE_FOLDER
from tests.rules.test_env_variable_misdirects import asking
from tests.rules.test_frozen_app_missing_file import APP
from tests.rules.test_frozen_app_missing_file import ask as ask_bundle
from tests.rules.test_numpy_abi_mismatch import OLD as OLD_NUMPY
from tests.rules.test_numpy_abi_mismatch import meeting
from tests.testbed.dll import DllMain
from tests.testbed.memory import SITE, SYSTEM32, Content, record, world
from tests.testbed.pewriter import Dll
from whyload.base.dataclass import replace
from whyload.base.machine import Machine
from whyload.base.paths import WinPath
from whyload.base.versions import PythonVersion
from whyload.findings.report import Report
from whyload.observe.events import ModuleStarted, Raised
from whyload.report.layout import Look
from whyload.report.text import report_text
from whyload.world.measured import UNMEASURED, LogEvent, Measured, Memory, NvidiaDriver
from whyload.world.model import Layout, RunRequest

FOLDER = Path(__file__).parent
LANGUAGES = ("en", "zh")
_LIBRARY = f"{SITE}\\pkg\\a.dll"


def _lacking(name: str) -> Report:
    return ask(world(record("pkg", "1.0", {"pkg/_x.pyd": module({name: ["f", "g"]})})))


def _beside(content: Content) -> Report:
    return ask(world({MODULE: module({"a.dll": ["f"]}), _LIBRARY: content}))


def _elsewhere(wanted: str, there: str) -> Report:
    files: dict[str, Content] = {
        MODULE: module({wanted: ["f"]}),
        f"C:\\sdk\\bin\\{there}": Dll(name=there, exports={"f": 1}),
    }
    return ask(world(files, path=["C:\\sdk\\bin"]))


def _gone() -> Report:
    files = record("pkg", "1.0", {"pkg/_x.pyd": module({"a.dll": ["f"]}), "pkg/a.dll": Dll(name="a.dll")})
    del files[f"{SITE}\\pkg/a.dll"]
    return ask(world(files))


def _torch() -> Report:
    files = record("torch", "2.4.1", {"torch/lib/c10.dll": Dll(name="c10.dll", exports={"here": 1})})
    files |= record("flashops", "2.5.0", {"pkg/_x.pyd": module({"c10.dll": ["?detach@Tensor@at@@QEBA_gone"]})})
    return ask(world(files, added=[f"{SITE}\\torch\\lib"]))


def _shadowed() -> Report:
    files: dict[str, Content] = {
        MODULE: module({"a.dll": ["open_ex"]}),
        _LIBRARY: Dll(name="a.dll", exports={"open": 1}),
        "C:\\new\\a.dll": Dll(name="a.dll", exports={"open_ex": 1}),
    }
    return ask(world(files, path=["C:\\new"]))


def _old_runtime() -> Report:
    runtime = Dll(name="msvcp140.dll", exports={"_Mtx_lock": 1}, version=(14, 27, 29016, 0))
    files: dict[str, Content] = {
        MODULE: module({"msvcp140.dll": ["_Mtx_lock"]}, linker=(14, 40)),
        f"{SYSTEM32}\\msvcp140.dll": runtime,
    }
    return ask(world(files))


def _hidden() -> Report:
    files = record("onnxruntime", "1.17.1", {"onnxruntime/__init__.py": "", "onnxruntime/x.pyd": Dll(name="x.pyd")})
    files |= {"C:\\work\\onnxruntime\\__init__.py": "", "C:\\work\\infer.py": ""}
    run = RunRequest(script=WinPath("C:\\work\\infer.py"))
    return ask(world(files, run=run), (ModuleStarted(module="onnxruntime", file=None),), modules=("onnxruntime",))


def _free_threaded() -> Report:
    files = record("pkg", "1.0", {"pkg/__init__.py": "", "pkg/_x.cp313t-win_amd64.pyd": Dll(name="_x.pyd")})
    missing = Raised(exception="ModuleNotFoundError", text="No module named 'pkg._x'", module="pkg._x")
    return ask(world(files, python=PythonVersion(3, 13)), (missing,))


def _windows() -> Report:
    files: dict[str, Content] = {
        MODULE: module({"dxgi.dll": ["NewInLaterWindows"]}),
        f"{SYSTEM32}\\dxgi.dll": Dll(name="dxgi.dll", exports={"Old": 1}),
    }
    return ask(world(files))


def _saying(text: str, measured: Measured = UNMEASURED) -> Report:
    return ask(saying(healthy(), text, measured))


def _taken() -> Report:
    library = f"{SITE}\\pkg\\a.dll"
    event = LogEvent(
        log="Microsoft-Windows-Windows Defender/Operational",
        provider="Microsoft-Windows-Windows Defender",
        event_id=1117,
        time="2026-01-01T12:00:00.0Z",
        data={"Threat Name": "Trojan:Win32/Wacatac.B!ml", "Path": f"file:_{library}"},
    )
    files = record("pkg", "1.0", {"pkg/_x.pyd": module({"a.dll": ["f"]}), "pkg/a.dll": Dll(name="a.dll")})
    del files[f"{SITE}\\pkg/a.dll"]
    return ask(replace(world(files), measured=Measured(events=(event,))))


def _channels() -> Report:
    files: dict[str, Content] = {
        MODULE: module({"tiff.dll": ["TIFFOpenExt"]}),
        "C:\\Python\\Library\\bin\\tiff.dll": Dll(name="tiff.dll", exports={"TIFFOpen": 1}),
    }
    for name, file, channel in (
        ("pkg", "Lib/site-packages/pkg/_x.pyd", "conda-forge"),
        ("libtiff", "Library/bin/tiff.dll", "pkgs/main"),
    ):
        meta = {"name": name, "version": "1.0", "files": [file], "channel": channel}
        files[f"C:\\Python\\conda-meta\\{name}-1.0-0.json"] = json.dumps(meta)
    return ask(world(files, layout=Layout.CONDA, added=["C:\\Python\\Library\\bin"]))


def _old_driver() -> Report:
    said = "RuntimeError: The NVIDIA driver on your system is too old (found version 11040)."
    return _saying(said, Measured(nvidia=NvidiaDriver(version="471.11", cuda="11.4")))


def _stale() -> Report:
    built = f"{CACHE}\\fused\\fused.pyd"
    files = record("torch", "2.4.1", {"torch/lib/c10.dll": Dll(name="c10.dll", exports={"here": 1})})
    files[built] = Dll(name="fused.pyd", pyinit="fused", imports={"c10.dll": ["?detach@Tensor@at@@QEBA_gone"]})
    return ask(world(files, added=[f"{SITE}\\torch\\lib"]), importing(built))


CACHE = "C:\\Users\\me\\AppData\\Local\\torch_extensions\\torch_extensions\\Cache\\py311_cu118"
_BUILD = """fused.cpp(12): error C2039: 'foo': is not a member of 'at'
ninja: build stopped: subcommand failed.
RuntimeError: Error building extension 'fused'"""


EXAMPLES: Mapping[str, Callable[[], Report]] = {
    "antivirus-quarantine": _taken,
    "application-control-policy": lambda: _saying(
        f'OSError: [WinError 4551] An Application Control policy has blocked this file. Error loading "{MODULE}"'
    ),
    "arch-mismatch": lambda: _beside(Dll(name="a.dll", machine=Machine.ARM64)),
    "bitness-mismatch": lambda: _beside(Dll(name="a.dll", machine=Machine.I386)),
    "build-failed": lambda: _saying(_BUILD),
    "build-tool-missing": lambda: _saying("RuntimeError: Ninja is required to load C++ extensions"),
    "circular-import": lambda: _saying("ImportError: cannot import name 'b' from partially initialized module 'pkg.a'"),
    "conda-channel-mix": _channels,
    "conda-pip-mix": old_runtime,
    "corrupt-install": _gone,
    "cuda-version-mismatch": lambda: _elsewhere("cublas64_12.dll", "cublas64_11.dll"),
    "dependency-not-on-search-path": lambda: _elsewhere("gdal.dll", "gdal.dll"),
    "dllmain-failed": lambda: _beside(Dll(name="a.dll", exports={"f": 1}, dllmain=DllMain.FALSE)),
    "driver-too-old": _old_driver,
    "duplicate-openmp": lambda: two_openmp(said=OMP_SAID),
    "env-variable-misdirects": lambda: asking(GONE_FOLDER),
    "file-locked-or-permission": lambda: ask(
        world({MODULE: module({"a.dll": ["f"]}), f"{_LIBRARY}\\readme.txt": "a folder"})
    ),
    "frozen-app-missing-file": lambda: ask_bundle({f"{APP}\\_internal\\_x.pyd": module({"openblas.dll": ["f"]})}),
    "missing-cuda-toolkit": lambda: _lacking("cublas64_12.dll"),
    "missing-cudnn": lambda: _lacking("cudnn64_9.dll"),
    "missing-debug-runtime": lambda: _lacking("vcruntime140d.dll"),
    "missing-dependency": lambda: _lacking("camerasdk.dll"),
    "missing-nvidia-driver": lambda: _lacking("nvcuda.dll"),
    "missing-openmp": lambda: _lacking("libiomp5md.dll"),
    "missing-procedure": lambda: _beside(Dll(name="a.dll", exports={"g": 1})),
    "missing-vc-runtime": lambda: _lacking("MSVCP140.dll"),
    "name-shadowing": _hidden,
    "not-a-library-file": lambda: _beside("<!DOCTYPE html><html><body>Not Found</body></html>" * 40),
    "numpy-abi-mismatch": lambda: meeting("2.1.3", OLD_NUMPY),
    "old-vc-runtime": _old_runtime,
    "paging-file-too-small": lambda: _saying(
        f'OSError: [WinError 1455] The paging file is too small. Error loading "{MODULE}" or one of its dependencies.',
        Measured(memory=Memory(physical=16 << 30, physical_free=4 << 30, commit_limit=20 << 30, commit_free=1 << 30)),
    ),
    "path-shadowing": _shadowed,
    "python-abi-mismatch": _free_threaded,
    "python-version-mismatch": lambda: _lacking("python310.dll"),
    "stale-build-cache": _stale,
    "torch-abi-mismatch": _torch,
    "unsupported-cpu-instruction": lambda: _saying(
        f'Error loading "{MODULE}"\nProcess finished with exit code -1073741795 (0xC000001D)',
        Measured(processor_features={"sse4.2": True, "avx": True, "avx2": False}),
    ),
    "windows-edition-missing-feature": lambda: _lacking("mfplat.dll"),
    "windows-too-old": _windows,
    "wrong-cudnn-version": lambda: _elsewhere("cudnn64_9.dll", "cudnn64_8.dll"),
    "wrong-platform-binary": lambda: _beside(b"\x7fELF\x02\x01\x01" + bytes(2000)),
}


def text_of(code: str, language: str) -> str:
    """The text of one example."""
    return report_text(EXAMPLES[code](), Look(language=language))


if __name__ == "__main__":
    for each in EXAMPLES:
        for spoken in LANGUAGES:
            (FOLDER / f"{each}.{spoken}.txt").write_text(text_of(each, spoken), encoding="utf-8")
