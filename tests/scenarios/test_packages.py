"""What packages and frozen programs do at their start, played in small worlds (rows 99 to 112 of section 8).

Source of truth: loader.md sections 4 and 5, which cite the packages' own files; the start-up code here is written anew.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.rules.asking import ask, codes, only
from tests.testbed.cache import link_tree
from tests.testbed.memory import SITE, SYSTEM32, Files, record, world
from tests.testbed.pewriter import Dll
from tests.testbed.wheels import embed, unpacked, wheel
from whyload.api.worlds import WorldChoice, open_world
from whyload.base.paths import WinPath
from whyload.base.versions import PythonVersion
from whyload.engine.simulate import run_events, started_process
from whyload.facts.case import Case
from whyload.loader.model import Step
from whyload.loader.windows.load import load
from whyload.observe.events import DirectoryAdded, Event, LibraryLoad, Via
from whyload.startup.program import read_code, read_import
from whyload.world.model import Environment, Layout, Preload, World

LEAF = Dll(name="leaf.dll", exports={"f": 1})


def run(machine: World, code: str) -> Case:
    """The code, read and played."""
    return run_events(machine, read_code(machine, code).events, "code")


def taken(case: Case, name: str) -> Step:
    """The step of the last load that found a library."""
    children = case.playback.loads[-1].tree.root.children
    return next(child.steps[-1] for child in children if child.name == name)


def installed(folder: Path, *requirements: str, python: str = "3.11") -> World:
    """A drive with the official Python and those wheels."""
    link_tree(embed(python), folder / "Python")
    (folder / "Python" / f"python{python.replace('.', '')}._pth").unlink()
    for requirement in requirements:
        tree = unpacked(wheel(requirement, python=python))
        link_tree(tree / "site", folder / "Python" / "Lib" / "site-packages")
    description = folder / "world.json"
    values = {"python": "C:/Python/python.exe", "python_version": python, "profile": "windows-11-23h2", "cwd": "C:/"}
    description.write_text(json.dumps(values), encoding="utf-8")
    return open_world(WorldChoice(root=str(folder), world=str(description)))


@pytest.mark.wheels
@pytest.mark.parametrize(("requirement", "python"), [("numpy==1.26.4", "3.11"), ("numpy==2.1.3", "3.13")])
def test_row_99_delvewheel_of_two_ages(requirement: str, python: str, tmp_path: Path) -> None:
    """R4.1 to R4.4: the folder is registered when the package's own `__init__` runs, read as source."""
    made = installed(tmp_path, requirement, python=python)
    events = read_import(made, ("numpy",)).events
    added = [event.path for event in _all(events) if isinstance(event, DirectoryAdded)]
    assert added[0] == WinPath(f"{SITE}\\numpy.libs")
    first = next(i for i, event in enumerate(events) if isinstance(event, LibraryLoad))
    assert any(isinstance(event, DirectoryAdded) for event in events[:first])


def _all(events: tuple[Event, ...]) -> list[Event]:
    found: list[Event] = []
    for event in events:
        found.append(event)
        found += _all(getattr(event, "body", ()))
    return found


TORCH = """
import ctypes, glob, os, sys
built_for = '12.4'
library = os.path.join(os.path.dirname(__file__), 'lib')
folders = [path for path in (library, os.path.join(sys.exec_prefix, 'Library', 'bin')) if os.path.exists(path)]
if built_for and all(not glob.glob(os.path.join(path, 'cudart64*.dll')) for path in folders):
    variable = 'CUDA_PATH_V' + built_for.replace('.', '_')
    default = os.path.join(os.getenv('ProgramFiles', 'C:\\\\Program Files'),
                           'NVIDIA GPU Computing Toolkit\\\\CUDA', 'v' + built_for)
    folder = os.path.join(os.getenv(variable, default), 'bin')
    if os.path.exists(folder):
        folders.append(folder)
for folder in folders:
    os.add_dll_directory(folder)
for file in glob.glob(os.path.join(library, '*.dll')):
    ctypes.WinDLL(file)
"""


def test_row_102_torch_does_not_ask_cuda_path() -> None:
    """R4.6: only the variable with the version, or the toolkit's usual folder."""
    files: Files = {
        f"{SITE}\\torch\\__init__.py": TORCH,
        f"{SITE}\\torch\\lib\\torch_cuda.dll": Dll(name="torch_cuda.dll", imports={"cudart64_12.dll": ["f"]}),
        "D:\\cuda\\bin\\cudart64_12.dll": Dll(name="cudart64_12.dll", exports={"f": 1}),
    }
    plain = run(world(files, environment={"CUDA_PATH": "D:\\cuda"}), "import torch")
    assert plain.playback.loads[-1].tree.missing == ("cudart64_12.dll",)
    report = ask(world(files, environment={"CUDA_PATH": "D:\\cuda"}), read_code(world(files), "import torch").events)
    finding = only(report)
    assert (finding.code, str(finding.found_at)) == ("dependency-not-on-search-path", "D:\\cuda\\bin\\cudart64_12.dll")
    assert run(world(files, environment={"CUDA_PATH_V12_4": "D:\\cuda"}), "import torch").playback.failure is None


LOADER = """
import ctypes, glob, os, sys
kernel32 = ctypes.WinDLL('kernel32.dll', use_last_error=True)
library = os.path.join(os.path.dirname(__file__), 'lib')
folders = [path for path in (library, os.path.join(sys.exec_prefix, 'Library', 'bin')) if os.path.exists(path)]
for folder in folders:
    if sys.version_info >= (3, 8):
        os.add_dll_directory(folder)
    else:
        kernel32.AddDllDirectory(folder)
try:
    for name in ('vcruntime140.dll', 'msvcp140.dll'):
        ctypes.CDLL(name)
except OSError:
    print('no runtime')
extended = False
for file in glob.glob(os.path.join(library, '*.dll')):
    loaded = False
    if sys.version_info >= (3, 8):
        handle = kernel32.LoadLibraryExW(file, None, 0x1100)
        error = ctypes.get_last_error()
        if handle is None and error != 126:
            failure = ctypes.WinError(error)
            failure.strerror += f' Error loading "{file}" or one of its dependencies.'
            raise failure
        elif handle is not None:
            loaded = True
    if not loaded:
        if not extended:
            os.environ['PATH'] = ';'.join(folders + [os.environ['PATH']])
            extended = True
        handle = kernel32.LoadLibraryW(file)
        if handle is None:
            failure = ctypes.WinError(ctypes.get_last_error())
            failure.strerror += f' Error loading "{file}" or one of its dependencies.'
            raise failure
"""


@pytest.mark.parametrize("version", [PythonVersion(3, 11), PythonVersion(3, 7)])
def test_torch_in_two_stages(version: PythonVersion) -> None:
    """R4.5, R4.7 to R4.10: folders that exist, runtimes by bare name, each library twice, PATH extended in between."""
    files: Files = {
        f"{SITE}\\torch\\__init__.py": LOADER,
        f"{SITE}\\torch\\lib\\a.dll": LEAF,
        f"{SITE}\\torch\\lib\\b.dll": Dll(name="b.dll", imports={"omp.dll": ["f"]}),
        f"{SITE}\\torch\\lib\\c.dll": LEAF,
        "C:\\Python\\Library\\bin\\x.dll": LEAF,
        "C:\\Python\\python37.dll": LEAF,
    }
    case = run(world(files, python=version), "import torch")
    folders = [f"{SITE}\\torch\\lib", "C:\\Python\\Library\\bin"]
    assert [str(path) for path in case.process.added] == folders
    asked = [(WinPath(load.event.name).name, load.event.flags) for load in case.playback.loads]
    both = [("a.dll", 0x1100), ("b.dll", 0x1100), ("b.dll", 0)]
    runtimes = [("kernel32.dll", 0x1000), ("vcruntime140.dll", 0x1000), ("msvcp140.dll", 0x1000)]
    old = [("kernel32.dll", 0), ("vcruntime140.dll", 0), ("msvcp140.dll", 0), ("a.dll", 0), ("b.dll", 0)]
    assert asked == ([*runtimes, *both] if version >= (3, 8) else old)
    assert case.process.environment["PATH"].split(";")[:2] == folders
    failure = case.playback.failure
    assert failure is not None
    assert failure.exception == "OSError"


PROVIDER = f"{SITE}\\onnxruntime\\capi\\onnxruntime_providers_cuda.dll"
CUBLAS = f"{SITE}\\nvidia\\cublas\\bin\\cublas64_12.dll"
ORT: Files = {
    PROVIDER: Dll(name="onnxruntime_providers_cuda.dll", imports={"cublas64_12.dll": ["f"]}),
    "C:\\Python\\cublas64_12.dll": Dll(name="cublas64_12.dll", exports={"f": 1}),
    **record("nvidia-cublas-cu12", "12.4.5.8", {CUBLAS.removeprefix(SITE + "\\"): Dll(name="c.dll", exports={"f": 1})}),
}
ASKED = LibraryLoad(name=PROVIDER, via=Via.LOADLIBRARY, flags=0x8)


def test_row_103_a_provider_knows_no_added_folders() -> None:
    """Flags 0x8: neither the added folders nor the application's; what is proposed is a folder that counts."""
    made = world(ORT, added=[str(WinPath(CUBLAS).parent)])
    finding = only(ask(made, (ASKED,)))
    assert (finding.code, finding.object) == ("dependency-not-on-search-path", "cublas64_12.dll")
    assert [remedy.id for remedy in finding.remedies] == ["put-on-path"]
    assert codes(ask(world(ORT, path=[str(WinPath(CUBLAS).parent)]), (ASKED,))) == []


def test_row_104_what_was_loaded_beforehand_serves_the_provider() -> None:
    before = LibraryLoad(name=CUBLAS, via=Via.CTYPES, flags=0x1100)
    case = run_events(world(ORT), (before, ASKED), "onnxruntime")
    assert case.playback.failure is None
    assert (taken(case, "cublas64_12.dll").kind.value, str(taken(case, "cublas64_12.dll").path)) == ("LOADED", CUBLAS)


LLAMA = """
import ctypes, os, pathlib
library = pathlib.Path(__file__).parent / 'lib' / 'llama.dll'
os.add_dll_directory(str(library.parent))
if 'CUDA_PATH' in os.environ:
    os.add_dll_directory(os.path.join(os.environ['CUDA_PATH'], 'bin'))
ctypes.CDLL(str(library), winmode=ctypes.RTLD_GLOBAL)
"""
LLAMA_FILES: Files = {
    f"{SITE}\\llama_cpp\\__init__.py": LLAMA,
    f"{SITE}\\llama_cpp\\lib\\llama.dll": Dll(name="llama.dll", imports={"cublas64_12.dll": ["f"]}),
    "D:\\cuda\\bin\\cublas64_12.dll": Dll(name="cublas64_12.dll", exports={"f": 1}),
}


def test_row_105_flags_zero_make_added_folders_useless() -> None:
    """R3.21: RTLD_GLOBAL is 0 on Windows."""
    made = world(LLAMA_FILES, environment={"CUDA_PATH": "D:\\cuda"})
    last = run(made, "import llama_cpp").playback.loads[-1]
    assert (last.event.flags, last.tree.missing) == (0, ("cublas64_12.dll",))
    made = world(LLAMA_FILES, environment={"CUDA_PATH": "D:\\cuda"}, path=["D:\\cuda\\bin"])
    assert run(made, "import llama_cpp").playback.failure is None


def test_row_106_a_toolkit_that_is_gone() -> None:
    failure = run(world(LLAMA_FILES, environment={"CUDA_PATH": "D:\\gone"}), "import llama_cpp").playback.failure
    assert failure is not None
    assert failure.exception == "FileNotFoundError"
    assert failure.raised is not None
    assert repr("D:\\gone\\bin") in failure.raised.text


TENSORFLOW = """
import os
missing = []
for name in ('msvcp140.dll', 'msvcp140_1.dll'):
    for folder in os.environ['PATH'].split(';'):
        if os.path.isfile(os.path.join(folder, name)):
            break
    else:
        missing.append(name)
if missing:
    raise ImportError('Could not find the DLL(s) %r. They must be on %%PATH%%' % ' or '.join(missing))
from . import _native
"""


def test_row_107_a_package_that_looks_on_path_itself() -> None:
    """TensorFlow's own check fails although the loader would find the file in System32."""
    files: Files = {
        f"{SITE}\\tf\\__init__.py": TENSORFLOW,
        f"{SITE}\\tf\\_native.pyd": Dll(name="_native.pyd", pyinit="_native", imports={"msvcp140_1.dll": ["f"]}),
        f"{SYSTEM32}\\msvcp140.dll": LEAF,
        f"{SYSTEM32}\\msvcp140_1.dll": LEAF,
    }
    assert run(world(files), "import tf").playback.failure is None
    without = replace(world(files), environment=Environment({"PATH": "C:\\x"}))
    failure = run(without, "import tf").playback.failure
    assert failure is not None
    assert failure.text is not None
    assert failure.text.startswith("Could not find the DLL(s) 'msvcp140.dll or msvcp140_1.dll'.")


def test_row_108_another_qt_is_in_the_process_already() -> None:
    own, other = f"{SITE}\\PySide6\\Qt6Core.dll", "C:\\other\\Qt6Core.dll"
    files: Files = {
        f"{SITE}\\PySide6\\QtCore.pyd": Dll(name="QtCore.pyd", pyinit="QtCore", imports={"Qt6Core.dll": ["newer"]}),
        **record("PySide6", "6.7.2", {"PySide6/Qt6Core.dll": Dll(name="Qt6Core.dll", exports={"newer": 1})}),
        other: Dll(name="Qt6Core.dll", exports={"older": 1}, version=(6, 2, 4, 0)),
    }
    made = world(files)
    made = replace(made, process=replace(made.process, preload=(Preload(file=other),)))
    event = LibraryLoad(name=f"{SITE}\\PySide6\\QtCore.pyd", via=Via.IMPORT, flags=0x1100, module="PySide6.QtCore")
    finding = only(ask(made, (event,)))
    assert (finding.code, str(finding.culprit), str(finding.found_at)) == ("path-shadowing", other, own)


@pytest.mark.wheels
def test_row_109_the_folder_of_binaries_that_opencv_names_is_not_there(tmp_path: Path) -> None:
    made = installed(tmp_path, "opencv-python==4.10.0.84")
    case = run_events(made, read_import(made, ("cv2",)).events, "cv2")
    added = [str(path) for path in case.process.added]
    assert not any("vc17" in path for path in added)
    raised = [failure.raised.text for failure in case.playback.caught if failure.raised]
    assert all("vc17" not in text or "not" in text for text in raised)
    assert case.playback.failure is None or "numpy" in str(case.playback.failure)


def test_row_110_a_package_of_libraries_that_nothing_adds() -> None:
    """R6.3: the DLL lies in an installed distribution, and the load does not search there."""
    files = {name: data for name, data in ORT.items() if name != "C:\\Python\\cublas64_12.dll"}
    module = f"{SITE}\\pkg\\_x.pyd"
    files[module] = Dll(name="_x.pyd", pyinit="_x", imports={"cublas64_12.dll": ["f"]})
    event = LibraryLoad(name=module, via=Via.IMPORT, flags=0x1100, module="pkg._x")
    finding = only(ask(world(files), (event,)))
    assert (finding.code, str(finding.found_at)) == ("dependency-not-on-search-path", CUBLAS)


def test_the_order_in_which_files_are_listed_does_not_matter_r6_1() -> None:
    """The same machine gives the same tree, byte for byte."""
    files: Files = {f"{SITE}\\torch\\__init__.py": LOADER, "C:\\Python\\Library\\bin\\x.dll": LEAF}
    files |= {f"{SITE}\\torch\\lib\\{name}.dll": LEAF for name in ("b", "A", "c")}
    trees = [run(world(order), "import torch").playback.loads for order in (files, dict(reversed(files.items())))]
    assert repr(trees[0]) == repr(trees[1])
    assert [WinPath(load.event.name).name for load in trees[0]][-3:] == ["A.dll", "b.dll", "c.dll"]


def test_row_111_beside_the_frozen_program_comes_before_inside() -> None:
    """R5.2: the application's folder is searched before the one of SetDllDirectory."""
    files: Files = {
        "C:\\Python\\leaf.dll": LEAF,
        "C:\\Python\\_internal\\leaf.dll": LEAF,
        "C:\\Python\\_internal\\only.dll": LEAF,
        "C:\\Python\\_internal\\pk\\m.pyd": Dll(name="m.pyd", imports={"leaf.dll": ["f"], "only.dll": ["f"]}),
    }
    tree = load(started_process(world(files, layout=Layout.PYINSTALLER)), "C:\\Python\\_internal\\pk\\m.pyd", 0x1100)
    places = [(child.steps[-1].kind.value, child.steps[-1].place) for child in tree.root.children]
    assert places == [("APP_DIR", "C:\\Python"), ("SDD", "C:\\Python\\_internal")]


def test_row_112_a_library_that_restricts_its_own_imports() -> None:
    """R2.24, D5: with 0x2000 alone the standard list counts for its imports; a loaded name is met all the same."""
    files: Files = {
        f"{SITE}\\m.pyd": Dll(name="m.pyd", imports={"libiomp5md.dll": ["f"]}),
        f"{SITE}\\libiomp5md.dll": Dll(
            name="libiomp5md.dll",
            exports={"f": 1},
            imports={"VCRUNTIME140.dll": ["memcpy"], "leaf.dll": ["f"]},
            dependent_load_flags=0x2000,
        ),
        f"{SITE}\\leaf.dll": LEAF,
        "C:\\p\\leaf.dll": LEAF,
    }
    tree = load(started_process(world(files)), f"{SITE}\\m.pyd", 0x1100)
    assert tree.missing == ("leaf.dll",)
    assert any("0x2000" in reason.en for reason in tree.uncertain)
    tree = load(started_process(world(files, path=["C:\\p"])), f"{SITE}\\m.pyd", 0x1100)
    first, second = tree.root.children[0].children
    assert (first.steps[-1].kind.value, str(second.path)) == ("LOADED", "C:\\p\\leaf.dll")
