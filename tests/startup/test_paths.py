"""loader.md R3.16-R3.18: sys.path by layout."""

from __future__ import annotations

import dataclasses

from tests.startup.sketch import lines, site
from tests.testbed.memory import SITE, world
from whyload.base.paths import WinPath
from whyload.startup.paths import python_paths
from whyload.startup.program import read_code
from whyload.world.model import Environment, Layout, RunRequest, World

BASE = ["C:\\Python\\python311.zip", "C:\\Python\\DLLs", "C:\\Python\\Lib", "C:\\Python"]


def texts(there: World) -> list[str]:
    return [path.text for path in python_paths(there)]


def test_the_installer_layout() -> None:
    assert texts(world({})) == ["C:\\work", *BASE, SITE]


def test_the_scripts_folder_comes_first() -> None:
    run = RunRequest(script=WinPath("C:\\apps\\main.py"))
    assert texts(world({}, run=run))[0] == "C:\\apps"


def test_isolated_has_no_first_folder_and_no_environment() -> None:
    run = RunRequest(code="pass", flags=("-I",))
    assert texts(world({}, run=run, environment={"PYTHONPATH": "C:\\extra"})) == [*BASE, SITE]


def test_pythonpath() -> None:
    assert texts(world({}, environment={"PYTHONPATH": "C:\\a;b"}))[1:3] == ["C:\\a", "C:\\work\\b"]


def test_a_virtual_environment_has_its_own_packages() -> None:
    assert texts(world({}, venv="C:\\work\\.venv"))[-1] == "C:\\work\\.venv\\Lib\\site-packages"


def test_a_virtual_environment_that_sees_the_base() -> None:
    files = {"C:\\work\\.venv\\pyvenv.cfg": "home = C:\\Python\ninclude-system-site-packages = true\n"}
    assert texts(world(files, venv="C:\\work\\.venv"))[-1] == SITE


def test_path_files_add_folders_that_exist() -> None:
    files = site({"x.pth": "# note\nthere\nnot_there\nimport sys\n", "there\\a.py": ""})
    assert texts(world(files))[-1] == f"{SITE}\\there"


def test_the_embeddable_package_has_only_its_own_list() -> None:
    files = {"C:\\Python\\python311._pth": "python311.zip\n.\n# import site\n"}
    assert texts(world(files, layout=Layout.EMBED)) == ["C:\\Python\\python311.zip", "C:\\Python"]


def test_the_embeddable_package_with_site() -> None:
    files = {"C:\\Python\\python311._pth": "python311.zip\n.\nimport site\n", **site({"x.pth": "w\n", "w\\a.py": ""})}
    assert texts(world(files, layout=Layout.EMBED))[-2:] == [SITE, f"{SITE}\\w"]


def test_a_frozen_folder() -> None:
    files = {"C:\\Python\\_internal\\base_library.zip": ""}
    expected = ["C:\\Python\\_internal\\base_library.zip", "C:\\Python\\_internal"]
    assert texts(world(files, layout=Layout.PYINSTALLER)) == expected


def test_a_list_of_the_worlds_own_is_taken_as_it_is() -> None:
    there = world({})
    python = dataclasses.replace(there.python, paths=(WinPath("C:\\only"),))
    assert texts(dataclasses.replace(there, python=python)) == ["C:\\only"]


PORTABLE = {
    "tools.pth": "tools\nimport tools_start\n",
    "tools\\tools_start.py": (
        "import os\nimport tools_dlls\nfor folder in tools_dlls.__path__:\n"
        "    if hasattr(os, 'add_dll_directory'):\n        os.add_dll_directory(folder)\n"
    ),
    "tools_dlls\\a.dll": "",
}


def test_code_in_a_path_file_runs_first() -> None:
    assert lines(PORTABLE, "pass") == ["add tools_dlls"]


def test_code_in_a_path_file_needs_site() -> None:
    there = world(site(PORTABLE), run=RunRequest(code="pass", flags=("-S",)))
    assert read_code(there, "pass").events == ()


def test_an_editable_installation_is_followed() -> None:
    files = {
        "__editable__.thing.pth": "import __editable___thing_finder; __editable___thing_finder.install()",
        "__editable___thing_finder.py": (
            "import sys\nMAPPING = {'thing': 'C:\\\\src\\\\thing'}\n"
            "def install():\n    sys.meta_path.append(object())\n"
        ),
        "C:\\src\\thing\\__init__.py": "from . import _c\n",
        "C:\\src\\thing\\_c.pyd": "",
    }
    assert lines(files, "import thing") == ["load C:\\src\\thing\\_c.pyd 0x1100"]


def test_the_users_own_packages() -> None:
    there = world({"C:\\Users\\me\\AppData\\Roaming\\Python\\Python311\\site-packages\\m.py": ""})
    there = dataclasses.replace(there, environment=Environment({"APPDATA": "C:\\Users\\me\\AppData\\Roaming"}))
    assert "C:\\Users\\me\\AppData\\Roaming\\Python\\Python311\\site-packages" in texts(there)


def test_the_store_pythons_own_packages_r3_20() -> None:
    package = "PythonSoftwareFoundation.Python.3.11_qbz5n2kfra8p0"
    base = f"C:\\Users\\me\\AppData\\Local\\Packages\\{package}\\LocalCache\\local-packages\\Python311\\site-packages"
    variables = {"LOCALAPPDATA": "C:\\Users\\me\\AppData\\Local"}
    machine = world({f"{base}\\x.py": ""}, layout=Layout.STORE, environment=variables)
    assert [str(path) for path in python_paths(machine) if "LocalCache" in path.text] == [base]


def test_the_stores_packages_in_their_usual_place_r3_20() -> None:
    package = "PythonSoftwareFoundation.Python.3.11_qbz5n2kfra8p0"
    base = f"C:\\Users\\me\\AppData\\Local\\Packages\\{package}\\LocalCache\\local-packages\\Python311\\site-packages"
    machine = world({f"{base}\\x.py": ""}, layout=Layout.STORE, environment={"USERPROFILE": "C:\\Users\\me"})
    assert base in texts(machine)
