"""The shapes of start-up code that published packages use (loader.md section 4, R4.14), written anew."""

from __future__ import annotations

import pytest

from tests.startup.sketch import lines

DELVEWHEEL_FUNCTION = """
def _delvewheel_patch_1_3_3():
    import os
    if os.path.isdir(libs_dir := os.path.abspath(os.path.join(os.path.dirname(__file__), os.pardir, 'p.libs'))):
        os.add_dll_directory(libs_dir)

_delvewheel_patch_1_3_3()
del _delvewheel_patch_1_3_3
from . import _n
"""
DELVEWHEEL_OLD = """
def _delvewheel_init_patch_0_0_22():
    import ctypes, os, platform, sys
    libs_dir = os.path.abspath(os.path.join(os.path.dirname(__file__), os.pardir, 'p.libs'))
    is_conda = os.path.exists(os.path.join(sys.base_prefix, 'conda-meta'))
    if not is_conda or sys.version_info[:2] >= (3, 10):
        if os.path.isdir(libs_dir):
            os.add_dll_directory(libs_dir)
    else:
        with open(os.path.join(libs_dir, '.load-order-p-1')) as file:
            for line in file:
                ctypes.WinDLL(os.path.join(libs_dir, line))

_delvewheel_init_patch_0_0_22()
from . import _n
"""


@pytest.mark.parametrize("text", [DELVEWHEEL_FUNCTION, DELVEWHEEL_OLD])
def test_delvewheel(text: str) -> None:
    files = {"p\\__init__.py": text, "p\\_n.pyd": "", "p.libs\\x-0123.dll": ""}
    assert lines(files, "import p") == ["add p.libs", "load p\\_n.pyd 0x1100"]


def test_delvewheel_without_its_folder() -> None:
    assert lines({"p\\__init__.py": DELVEWHEEL_FUNCTION, "p\\_n.pyd": ""}, "import p") == ["load p\\_n.pyd 0x1100"]


FIND_QT = """
__path__ = __import__('pkgutil').extend_path(__path__, __name__)
def find_qt():
    import os, sys
    name = '\\\\Qt5Core.dll'
    folder = os.path.dirname(sys.executable)
    if not os.path.isfile(folder + name):
        path = os.environ['PATH']
        folder = os.path.dirname(__file__) + '\\\\Qt5\\\\bin'
        if os.path.isfile(folder + name):
            os.environ['PATH'] = folder + ';' + path
        else:
            for folder in path.split(';'):
                if os.path.isfile(folder + name):
                    break
            else:
                return
    try:
        os.add_dll_directory(folder)
    except AttributeError:
        pass
find_qt()
del find_qt
"""


def test_qt_beside_its_package() -> None:
    files = {
        "PyQt5\\__init__.py": FIND_QT,
        "PyQt5\\QtCore.pyd": "",
        "PyQt5\\sip.pyd": "",
        "PyQt5\\Qt5\\bin\\Qt5Core.dll": "",
    }
    folder = "C:\\Python\\Lib\\site-packages\\PyQt5\\Qt5\\bin"
    assert lines(files, "import PyQt5.QtCore") == [
        f"PATH={folder};C:\\Windows\\System32", "add PyQt5\\Qt5\\bin", "load PyQt5\\QtCore.pyd 0x1100",
        "load PyQt5\\sip.pyd 0x1100",
    ]  # fmt: skip


def test_qt_on_path() -> None:
    files = {"PyQt5\\__init__.py": FIND_QT, "C:\\Qt\\Qt5Core.dll": ""}
    assert lines(files, "import PyQt5", path=["C:\\x", "C:\\Qt"]) == ["add C:\\Qt"]


def test_qt_nowhere() -> None:
    assert lines({"PyQt5\\__init__.py": FIND_QT}, "import PyQt5") == []


BOOTSTRAP = """
import importlib, os, sys
def bootstrap():
    import copy
    saved = copy.copy(sys.path)
    if hasattr(sys, 'Loader_running'):
        raise ImportError('recursion')
    sys.Loader_running = True
    FOLDER = os.path.dirname(os.path.abspath(__file__))
    NATIVE = []
    names, inner = globals(), locals().copy()
    from .load_config import run_file
    run_file(os.path.join(FOLDER, 'config.py'), names, inner)
    for folder in reversed(inner['NATIVE']):
        sys.path.insert(1, folder)
    package = sys.modules.pop('view')
    importlib.import_module('view')
    sys.modules['view'] = package
    sys.path = saved
    del sys.Loader_running
bootstrap()
"""
VIEW = {
    "view\\__init__.py": BOOTSTRAP,
    "view\\load_config.py": (
        "def run_file(path, names, inner):\n    with open(path) as file:\n"
        "        exec(compile(file.read(), path, 'exec'), names, inner)\n"
    ),
    "view\\config.py": "NATIVE = [os.path.join(FOLDER, 'bin')] + NATIVE\n",
}


def test_a_package_that_replaces_itself_by_a_native_module() -> None:
    assert lines({**VIEW, "view\\bin\\view.pyd": ""}, "import view") == ["load view\\bin\\view.pyd 0x1100"]


def test_a_package_whose_native_module_is_gone() -> None:
    assert lines(VIEW, "import view") == ["raise ImportError: recursion"]


def test_a_folder_from_the_environment() -> None:
    text = (
        "import os\nfolder = os.environ.get('SDK_PATH')\nif folder is not None and os.path.isdir(folder):\n"
        "    os.add_dll_directory(os.path.join(folder, 'bin'))\nelse:\n    raise ImportError('SDK_PATH is not set')\n"
    )
    assert lines({"p.py": text}, "import p") == ["raise ImportError: SDK_PATH is not set"]


def test_a_function_of_another_module_that_loads() -> None:
    files = {
        "p\\__init__.py": "from .loading import load_all\nload_all(__file__)",
        "p\\loading.py": (
            "import ctypes, os\ndef load_all(file):\n    ctypes.CDLL(os.path.join(os.path.dirname(file), 'x.dll'))\n"
        ),
    }
    assert lines(files, "import p") == ["load p\\x.dll 0x1100"]


def test_a_context_manager_around_the_import() -> None:
    text = (
        "import contextlib, os\n@contextlib.contextmanager\ndef folders():\n    d = os.add_dll_directory('C:\\\\g')\n"
        "    yield\n    d.close()\nwith folders():\n    from . import _n\n"
    )
    files = {"p\\__init__.py": text, "p\\_n.pyd": "", "C:\\g\\x": ""}
    assert lines(files, "import p") == ["add C:\\g", "load p\\_n.pyd 0x1100", "remove C:\\g"]
