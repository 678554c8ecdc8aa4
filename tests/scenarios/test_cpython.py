"""CPython's side of a load: which file, which flags, which words (loader.md section 3; rows 79 to 98 of section 8).

Source of truth: CPython's sources for each version; the words were seen with the official builds.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.startup.sketch import lines
from tests.testbed.memory import SITE, Content, Files, world
from tests.testbed.pewriter import Dll
from tests.testbed.wine import WineMachine
from whyload.base.paths import WinPath
from whyload.base.versions import PythonVersion
from whyload.engine.simulate import run_events, started_process
from whyload.facts.case import Case
from whyload.loader.windows.load import load
from whyload.startup.program import read_code
from whyload.world.model import Environment, Layout, World

LEAF = Dll(name="leaf.dll", exports={"f": 1})
NEEDY = Dll(name="needleaf.pyd", pyinit="needleaf", imports={"leaf.dll": ["f"]})
NEEDY_OLD = replace(NEEDY, python_dll="python37.dll")
OLD_FILES: Files = {"C:\\Python\\python37.dll": Dll(name="python37.dll", exports={"PyModule_Create2": 1})}


def run(machine: World, code: str) -> Case:
    """The code, read and played."""
    return run_events(machine, read_code(machine, code).events, "code")


def error(case: Case) -> tuple[str, str | None]:
    """The exception that ends the program, and its words."""
    failure = case.playback.failure
    assert failure is not None
    return failure.exception, failure.text


@pytest.mark.parametrize(("version", "found"), [(PythonVersion(3, 7), True), (PythonVersion(3, 8), False)])
def test_row_79_path_is_searched_until_3_7(version: PythonVersion, found: bool) -> None:
    module = NEEDY_OLD if version < (3, 8) else NEEDY
    files: Files = {f"{SITE}\\needleaf.pyd": module, "C:\\p\\leaf.dll": LEAF, **OLD_FILES}
    case = run(world(files, path=["C:\\p"], python=version), "import needleaf")
    assert (case.playback.failure is None) is found
    assert case.playback.loads[-1].event.flags == (0x8 if found else 0x1100)


@pytest.mark.parametrize(
    ("version", "text"),
    [
        (PythonVersion(3, 11), "DLL load failed while importing needleaf: The specified module could not be found."),
        (PythonVersion(3, 7), "DLL load failed: The specified module could not be found."),
    ],
)
def test_rows_80_81_words_of_an_import_that_fails(version: PythonVersion, text: str) -> None:
    """R3.3: the last component only, and none at all up to 3.7."""
    files: Files = {f"{SITE}\\pk\\__init__.py": "", f"{SITE}\\pk\\needleaf.pyd": NEEDY, **OLD_FILES}
    case = run(world(files, python=version), "import pk.needleaf")
    assert error(case) == ("ImportError", text)
    assert case.playback.loads[-1].event.name == f"{SITE}\\pk\\needleaf.pyd"


def test_r3_3_an_error_without_a_sentence() -> None:
    from whyload.loader.windows.extension import load_error_text

    assert load_error_text((3, 11), "a.b", 50_000) == "DLL load failed with error code 50000 while importing b"
    assert load_error_text((3, 7), "a.b", 50_000) == "DLL load failed with error code 50000"


@pytest.mark.wine
def test_rows_80_82_83_95_words_of_the_official_build(machine: WineMachine) -> None:
    """What the official 3.11 raises; Wine has words of its own for 126, the rest is CPython's."""
    folder = "C:\\w\\rows"
    modules = {"needleaf": NEEDY, "noinit": LEAF, "old": Dll(name="old.pyd", imports={"python39.dll": ["f"]})}
    laid = [machine.write(f"{folder}\\pk\\{name}.pyd", _bytes(dll)) for name, dll in modules.items()]
    laid.append(machine.write(f"{folder}\\pk\\__init__.py", b""))
    laid.append(machine.write("C:\\Python\\python39.dll", _bytes(Dll(name="python39.dll", exports={"f": 1}))))
    code = (
        "import ctypes, importlib, sys\nsys.path.insert(0, r'C:\\w\\rows')\n"
        "for name in ('pk.needleaf', 'pk.noinit', 'pk.old'):\n"
        "    try: importlib.import_module(name)\n"
        "    except ImportError as e: print(e.name, e.path, e)\n"
        "try: ctypes.CDLL('nowhere.dll')\n"
        "except FileNotFoundError as e: print(e.winerror, e)\n"
    )
    said = machine.run_python(code).stdout.splitlines()
    for place in laid:
        place.unlink()
    assert said[0].startswith(f"needleaf {folder}\\pk\\needleaf.pyd DLL load failed while importing needleaf: ")
    missing = "dynamic module does not define module export function (PyInit_noinit)"
    assert said[1] == f"pk.noinit {folder}\\pk\\noinit.pyd {missing}"
    assert said[2] == "None None Module use of python39.dll conflicts with this version of Python."
    assert said[3] == f"None {MISSING.format('nowhere.dll')}"


def _bytes(dll: Dll) -> bytes:
    from tests.testbed.pewriter import build

    return build(dll)


MISSING = "Could not find module '{}' (or one of its dependencies). Try using the full path with constructor syntax."


def test_row_82_without_an_entry_function() -> None:
    case = run(world({f"{SITE}\\noinit.pyd": LEAF}), "import noinit")
    text = "dynamic module does not define module export function (PyInit_noinit)"
    assert error(case) == ("ImportError", text)


@pytest.mark.parametrize("there", [True, False])
def test_row_83_the_dll_of_another_python(there: bool) -> None:
    files: Files = {f"{SITE}\\old.pyd": Dll(name="old.pyd", pyinit="old", python_dll="python39.dll")}
    if there:
        files["C:\\Python\\python39.dll"] = Dll(name="python39.dll", exports={"PyModule_Create2": 1})
    case = run(world(files), "import old")
    conflict = "Module use of python39.dll conflicts with this version of Python."
    absent = "DLL load failed while importing old: The specified module could not be found."
    assert error(case) == ("ImportError", conflict if there else absent)


def test_row_84_the_tagged_file_is_taken() -> None:
    files: dict[str, Content] = {"tagged.cp311-win_amd64.pyd": "", "tagged.pyd": ""}
    assert lines(files, "import tagged") == ["load tagged.cp311-win_amd64.pyd 0x1100"]


@pytest.mark.parametrize("file", ["x.cp39-win_amd64.pyd", "x.abi3.pyd", "x.dll", "x_d.pyd"])
def test_row_85_suffixes_that_are_none(file: str) -> None:
    assert lines({file: ""}, "import x") == ["raise ModuleNotFoundError: No module named 'x'"]


def test_row_86_packages_before_files_and_pyd_before_py() -> None:
    files: dict[str, Content] = {"both\\__init__.py": "", "both.pyd": "", "duo.pyd": "", "duo.py": ""}
    assert lines(files, "import both, duo") == ["load duo.pyd 0x1100"]


def test_row_87_names_of_modules_have_case() -> None:
    assert lines({"good.pyd": ""}, "import Good") == ["raise ModuleNotFoundError: No module named 'Good'"]


@pytest.mark.parametrize(
    ("minor", "name", "winerror"),
    [(8, "rel\\m.pyd", 87), (9, "rel\\m.pyd", 87), (10, "C:\\work\\rel\\m.pyd", 0), (11, "C:\\work\\rel\\m.pyd", 0)],
)
def test_row_88_a_relative_entry_of_the_path(minor: int, name: str, winerror: int) -> None:
    """R3.7: 3.8 and 3.9 hand the relative path to the loader, which refuses it."""
    files: Files = {"C:\\work\\rel\\m.pyd": Dll(name="m.pyd", exports={"PyInit_m": 1})}
    made = world(files, environment={"PYTHONPATH": "rel"}, python=PythonVersion(3, minor))
    last = run(made, "import m").playback.loads[-1]
    assert (last.event.name, last.tree.status.winerror) == (name, winerror)


def test_row_88_the_current_folder_is_absolute() -> None:
    files: Files = {"C:\\work\\m.pyd": Dll(name="m.pyd", exports={"PyInit_m": 1})}
    assert run(world(files, python=PythonVersion(3, 8)), "import m").playback.failure is None


def test_row_90_a_limited_api_that_is_too_new() -> None:
    """R3.1: `python3.dll` holds forwarders only; what came later is missing there."""
    module = Dll(name="m.pyd", pyinit="m", imports={"python3.dll": ["PyType_GetModuleByDef"]})
    case = run(world({f"{SITE}\\m.pyd": module}), "import m")
    (fault,) = case.playback.loads[-1].tree.faults
    assert (fault.status.winerror, fault.symbol and str(fault.symbol.library)) == (127, "C:\\Python\\python3.dll")
    assert error(case)[1] == "DLL load failed while importing m: The specified procedure could not be found."


def test_row_93_the_embeddable_package_reads_no_path_files() -> None:
    """R3.18: without `import site` in its ._pth pywin32's folder is not added, and win32api fails with 126."""
    files: Files = {
        "C:\\Python\\python311._pth": "python311.zip\n.\nLib\\site-packages\nLib\\site-packages\\win32\n",
        f"{SITE}\\pywin32.pth": "win32\nimport pywin32_bootstrap\n",
        f"{SITE}\\pywin32_bootstrap.py": f"import os\nos.add_dll_directory(r'{SITE}\\pywin32_system32')\n",
        f"{SITE}\\win32\\win32api.pyd": Dll(
            name="win32api.pyd", pyinit="win32api", imports={"pywintypes311.dll": ["f"]}
        ),
        f"{SITE}\\pywin32_system32\\pywintypes311.dll": Dll(name="pywintypes311.dll", exports={"f": 1}),
    }
    made = world(files, layout=Layout.EMBED)
    assert run(made, "import win32api").playback.loads[-1].tree.missing == ("pywintypes311.dll",)
    files["C:\\Python\\python311._pth"] = "python311.zip\n.\nLib\\site-packages\nimport site\n"
    assert run(world(files, layout=Layout.EMBED), "import win32api").playback.failure is None


@pytest.mark.parametrize(
    ("call", "name", "flags"),
    [
        ("'x.dll'", "x.dll", 0x1000),
        ("'.\\\\x.dll'", "C:\\work\\x.dll", 0x1100),
        ("'x.dll', winmode=0", "x.dll", 0),
    ],
)
def test_row_94_how_ctypes_asks(call: str, name: str, flags: int) -> None:
    made = world({"C:\\work\\x.dll": LEAF, "C:\\Python\\x.dll": LEAF})
    event = run(made, f"import ctypes\nctypes.CDLL({call})").playback.loads[-1].event
    assert (event.name, event.flags) == (name, flags)


def test_row_95_words_of_ctypes() -> None:
    assert error(run(world({}), "import ctypes\nctypes.CDLL('x.dll')")) == (
        "FileNotFoundError",
        MISSING.format("x.dll"),
    )
    bad = run(world({"C:\\Python\\x.dll": "text"}), "import ctypes\nctypes.CDLL('x.dll')")
    assert error(bad) == ("OSError", "[WinError 193] %1 is not a valid Win32 application.")
    old = run(world({}, python=PythonVersion(3, 7)), "import ctypes\nctypes.CDLL('x.dll')")
    assert error(old)[1] == "[WinError 126] The specified module could not be found."


CONDA: Files = {
    "C:\\Python\\conda-meta\\python-3.12.4-h1_0_cpython.json": "{}",
    "C:\\Python\\Library\\bin\\leaf.dll": LEAF,
    f"{SITE}\\needleaf.pyd": NEEDY,
}


def test_row_96_condas_own_folders_need_no_activation() -> None:
    """R3.25: `Library\\bin` is searched as an added folder."""
    case = run(world(CONDA, layout=Layout.CONDA), "import needleaf")
    (step,) = [step for step in _steps(case, "leaf.dll") if step.verdict.value == "taken"]
    assert (step.kind.value, step.place) == ("USER_DIR", "C:\\Python\\Library\\bin")


def test_row_97_a_folder_added_later_comes_before_condas() -> None:
    files: Files = {**CONDA, "C:\\mine\\leaf.dll": LEAF}
    code = "import os\nos.add_dll_directory(r'C:\\mine')\nimport needleaf"
    case = run(world(files, layout=Layout.CONDA), code)
    assert _steps(case, "leaf.dll")[-1].place == "C:\\mine"


def _steps(case: Case, name: str):  # type: ignore[no-untyped-def]
    children = case.playback.loads[-1].tree.root.children
    return next(child.steps for child in children if child.name == name)


def test_row_98_a_host_program_with_a_library_of_its_own() -> None:
    """R3.19, R2.22: the host's folder is the application's, and comes before every added one."""
    old = Dll(name="Qt5Core.dll", exports={"old": 1})
    files: Files = {
        "C:\\Host\\host.exe": Dll(name="host.exe", is_dll=False, imports={"python311.dll": ["Py_Main"]}),
        "C:\\Host\\python311.dll": Dll(name="python311.dll", exports={"Py_Main": 1, "PyModule_Create2": 1}),
        "C:\\Host\\python3.dll": Dll(name="python3.dll", exports={"PyModule_Create2": "python311.PyModule_Create2"}),
        "C:\\Host\\Qt5Core.dll": old,
        "C:\\qt\\Qt5Core.dll": Dll(name="Qt5Core.dll", exports={"f": 1}),
        f"{SITE}\\m.pyd": Dll(name="m.pyd", pyinit="m", imports={"Qt5Core.dll": ["f"]}),
    }
    made = world(files, added=["C:\\qt"])
    made = replace(made, process=replace(made.process, application=WinPath("C:\\Host\\host.exe")))
    tree = load(started_process(made), f"{SITE}\\m.pyd", 0x1100)
    (fault,) = tree.faults
    assert (tree.status.winerror, fault.symbol and str(fault.symbol.library)) == (127, "C:\\Host\\Qt5Core.dll")


def test_row_37_an_empty_folder_of_setdlldirectory() -> None:
    """R2.8 (Microsoft, SetDllDirectoryW): an empty text takes the current folder out and puts none in."""
    code = (
        "import ctypes\nkernel32 = ctypes.WinDLL('kernel32')\nkernel32.SetDllDirectoryW('')\n"
        "ctypes.CDLL('x.dll', winmode=0)"
    )
    files: Files = {"C:\\work\\x.dll": LEAF}
    assert run(world(files), code).playback.loads[-1].tree.status.winerror == 126
    assert run(world(files), code.replace("kernel32.SetDllDirectoryW('')", "")).playback.failure is None


def test_row_38_what_lies_on_path_is_said() -> None:
    """Flags 0x1000: PATH is not searched, and the copy there is named."""
    from tests.rules.asking import ask, only
    from whyload.observe.events import LibraryLoad, Via

    event = LibraryLoad(name="leaf.dll", via=Via.CTYPES, flags=0x1000)
    finding = only(ask(world({"C:\\p\\leaf.dll": LEAF}, path=["C:\\p"]), (event,)))
    assert (finding.code, str(finding.found_at)) == ("dependency-not-on-search-path", "C:\\p\\leaf.dll")


@pytest.mark.parametrize("element", ['"C:\\p"', " C:\\p", "C:\\p "])
def test_row_67_an_element_of_path_that_does_not_match(element: str) -> None:
    """R2.28: the folder is not searched, and the report says why."""
    from tests.rules.asking import ask, only
    from whyload.observe.events import LibraryLoad, Via

    made = world({"C:\\p\\leaf.dll": LEAF}, path=[element])
    assert isinstance(made.environment, Environment)
    event = LibraryLoad(name="leaf.dll", via=Via.CTYPES, flags=0)
    finding = only(ask(made, (event,)))
    assert (finding.code, str(finding.found_at)) == ("dependency-not-on-search-path", "C:\\p\\leaf.dll")
    assert any("quotes or spaces" in note.en for note in finding.notes)
