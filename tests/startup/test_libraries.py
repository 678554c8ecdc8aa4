"""ctypes, folders and the environment: loader.md R3.15, R3.21-R3.24."""

from __future__ import annotations

import pytest

from tests.startup.sketch import lines, read, sketch
from tests.testbed.memory import world
from whyload.base.message import message
from whyload.base.versions import PythonVersion
from whyload.startup.program import read_code


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        ("ctypes.CDLL('x.dll')", "load x.dll 0x1000"),
        ("ctypes.CDLL('.\\\\x.dll')", "load C:\\work\\x.dll 0x1100"),
        ("ctypes.CDLL('C:/a/x.dll')", "load C:\\a\\x.dll 0x1100"),
        ("ctypes.CDLL('C:/a/x.dll', winmode=0)", "load C:/a/x.dll 0x0"),
        ("ctypes.CDLL('C:/a/x.dll', winmode=0x8)", "load C:/a/x.dll 0x8"),
        ("ctypes.WinDLL('x', mode=ctypes.RTLD_GLOBAL)", "load x 0x1000"),
        ("ctypes.cdll.LoadLibrary('x.dll')", "load x.dll 0x1000"),
        ("ctypes.windll.LoadLibrary('x.dll')", "load x.dll 0x1000"),
        ("ctypes.cdll['x.dll']", "load x.dll 0x1000"),
        ("ctypes.windll.shcore.SetProcessDpiAwareness(1)", "load shcore 0x1000"),
        ("ctypes.CDLL('x.dll').go()", "load x.dll 0x1000 needs go"),
    ],
)
def test_flags(call: str, shown: str) -> None:
    assert lines({}, f"import ctypes\n{call}") == [shown]


def test_flags_before_python_3_8() -> None:
    there = world({}, python=PythonVersion(3, 7))
    assert sketch(read_code(there, "import ctypes\nctypes.CDLL('C:/a/x.dll')").events) == ["load C:/a/x.dll 0x0"]


@pytest.mark.parametrize(
    ("code", "needed"),
    [
        ("lib.one\nlib.two.restype = int", "needs one,two"),
        ("try:\n    lib.one\nexcept AttributeError:\n    pass\nlib.two", "needs two"),
        ("hasattr(lib, 'one')\ngetattr(lib, 'three', None)\nlib.two", "needs two"),
        ("import time\nif time.time():\n    lib.one\nlib.two", "needs two"),
        ("[getattr(lib, name) for name in ('one', 'two')]", "needs one,two"),
    ],
)
def test_functions_that_the_code_needs(code: str, needed: str) -> None:
    assert lines({}, f"import ctypes\nlib = ctypes.CDLL('x.dll')\n{code}") == [f"load x.dll 0x1000 {needed}"]


def test_an_unknown_name_is_a_note() -> None:
    startup = read({}, "import ctypes, uuid\nctypes.CDLL(str(uuid.uuid4()))")
    assert [message(note.what).en for note in startup.notes] == ["a library"]


def test_folders_are_added_and_taken_back() -> None:
    code = (
        "import os\nd = os.add_dll_directory('C:\\\\a')\n"
        "with os.add_dll_directory('C:\\\\b'):\n    import _n\nd.close()"
    )
    files = {"C:\\a\\x": "", "C:\\b\\x": "", "_n.pyd": ""}
    assert lines(files, code) == ["add C:\\a", "add C:\\b", "load _n.pyd 0x1100", "remove C:\\b", "remove C:\\a"]


@pytest.mark.parametrize(
    ("path", "shown"),
    [("C:\\\\gone", "raise FileNotFoundError: [WinError 2]"), ("relative", "raise OSError: [WinError 87]")],
)
def test_folders_that_cannot_be_added(path: str, shown: str) -> None:
    (line,) = lines({}, f"import os\nos.add_dll_directory('{path}')")
    assert isinstance(line, str)
    assert line.startswith(shown)


def test_the_environment_is_read_and_written() -> None:
    code = (
        "import os, ctypes\nos.environ['PATH'] = 'C:\\\\new' + os.pathsep + os.environ['PATH']\n"
        "os.environ['PATH'] += ';C:\\\\end'\nos.environ.setdefault('A', '1')\nctypes.CDLL(os.environ['A'] + '.dll')"
    )
    assert lines({}, code) == [
        "PATH=C:\\new;C:\\Windows\\System32",
        "PATH=C:\\new;C:\\Windows\\System32;C:\\end",
        "A=1",
        "load 1.dll 0x1000",
    ]


def test_find_library_walks_path() -> None:
    code = "from ctypes import CDLL, util\nCDLL(util.find_library('geos_c'))\nprint(util.find_library('gone') is None)"
    files = {"C:\\tools\\geos_c.dll": ""}
    assert lines(files, code, path=["C:\\empty", "C:\\tools"]) == ["load C:\\tools\\geos_c.dll 0x1100", "seek gone"]


def test_a_star_import_brings_what_ctypes_exports() -> None:
    code = (
        "from ctypes import *\nfrom ctypes.util import *\nfrom os.path import *\nCDLL(join('C:\\\\a', 'b.dll'))\n"
        "windll.LoadLibrary('c.dll')\nfind_library('gone')\n"
    )
    assert lines({}, code) == ["load C:\\a\\b.dll 0x1100", "load c.dll 0x1000", "seek gone"]


def test_a_star_import_does_not_bring_the_modules_of_a_package() -> None:
    assert lines(
        {"util.py": "def f():\n    import _n", "_n.pyd": ""}, "import util\nfrom ctypes import *\nutil.f()"
    ) == ["load _n.pyd 0x1100"]


def test_set_dll_directory() -> None:
    code = "import ctypes\nk = ctypes.windll.kernel32\nk.SetDllDirectoryW('C:\\\\a')\nk.SetDllDirectoryW(None)"
    assert lines({}, code) == ["set C:\\a", "set None"]


def test_set_default_dll_directories() -> None:
    code = "import ctypes\nctypes.windll.kernel32.SetDefaultDllDirectories(0x1000)"
    assert lines({}, code) == ["default 0x1000"]


@pytest.mark.parametrize(
    ("version", "name", "shown"),
    [
        ("1.17.1", "C:\\\\a\\\\b.dll", "load C:\\a\\b.dll 0x1100"),
        ("1.16.0", "C:\\\\a\\\\b.dll", "load C:\\a\\b.dll 0x0"),
        ("1.17.1", "b.dll", "load b.dll 0x0"),
    ],
)
def test_cffi(version: str, name: str, shown: str) -> None:
    files = {
        "cffi\\__init__.py": "from .api import FFI", "cffi\\api.py": "class FFI: pass",
        f"cffi-{version}.dist-info\\METADATA": "",
        "sound.py": f"from cffi import FFI\nffi = FFI()\n_lib = ffi.dlopen('{name}')",
    }  # fmt: skip
    assert lines(files, "import sound") == [shown]


PATHS = """
import os, sys, glob, pathlib, platform, ctypes
here = os.path.abspath(os.path.dirname(__file__))
there = pathlib.Path(__file__).resolve().parent
"""


@pytest.mark.parametrize(
    "expression",
    [
        "os.path.join(here, 'lib', 'x.dll')",
        "here + os.sep + 'lib' + r'\\x.dll'",
        "f'{here}\\\\lib\\\\x.dll'",
        "'%s/lib/%s.dll' % (here, 'x')",
        "'{}/lib/{name}.dll'.format(here, name='x')",
        "there / 'lib' / 'x.dll'",
        "there.joinpath('lib', 'x.dll')",
        "sorted(glob.glob(os.path.join(here, 'lib', '*.dll')))[-1]",
        "[p for p in there.glob('lib/*.dll')][0]",
        "os.path.join(here, 'lib', next(n for n in os.listdir(here + '/lib') if n.endswith('.dll')))",
        "os.path.normpath(here + '/../p/lib/x.dll')",
        "there / 'lib' / ('x' + {'Windows': '.dll', 'Linux': '.so'}[platform.system()])",
        "pathlib.Path(__file__).parents[0] / 'lib/x.dll'",
        "here + ('/lib/x.dll' if sys.maxsize > 2**32 else '/lib32/x.dll')",
        "os.path.join(*[here, 'lib', 'x.dll'])",
        "(lambda name: os.path.join(here, 'lib', name))('x.dll')",
        "os.path.join(__path__[0], 'lib', 'x.dll')",
    ],
)
def test_paths_are_computed(expression: str) -> None:
    files = {"p\\__init__.py": f"{PATHS}\nctypes.CDLL(str({expression}))\n", "p\\lib\\x.dll": ""}
    assert lines(files, "import p") == ["load p\\lib\\x.dll 0x1100"]


def test_several_files_in_the_order_of_the_folder() -> None:
    code = "import ctypes, glob\nfor name in glob.glob('C:\\\\d\\\\*.DLL'):\n    ctypes.CDLL(name)"
    files = {"C:\\d\\b.dll": "", "C:\\d\\A.dll": "", "C:\\d\\c.txt": ""}
    assert lines(files, code) == ["load C:\\d\\A.dll 0x1100", "load C:\\d\\b.dll 0x1100"]


def test_an_object_that_opens_its_library_when_asked() -> None:
    text = (
        "import ctypes\nclass Lazy:\n    def __init__(self):\n        self._handle = None\n    @property\n"
        "    def handle(self):\n        if not self._handle:\n            self._handle = ctypes.CDLL('x.dll')\n"
        "        return self._handle\n    def __getattr__(self, name):\n        return getattr(self.handle, name)\n"
        "lib = Lazy()\nlib.first\nlib.second\n"
    )
    assert lines({"m.py": text}, "import m") == ["load x.dll 0x1000 needs first,second"]


@pytest.mark.parametrize(
    "code",
    [
        "lib.callback = print\nlib.real(lib.callback)",
        "setattr(lib, 'path', 'x')\nprint(lib.path)\nlib.real",
        "hasattr(lib, 'own')\nlib.own = 1\nif hasattr(lib, 'own'): lib.real",
    ],
)
def test_what_the_program_stored_in_a_library_is_not_asked_of_it(code: str) -> None:
    assert lines({}, f"import ctypes\nlib = ctypes.CDLL('x.dll')\n{code}") == ["load x.dll 0x1000 needs real"]


def test_methods_of_a_class_of_libraries_are_not_asked_of_the_file() -> None:
    code = "import ctypes\nclass L(ctypes.CDLL):\n    def own(self): pass\nlib = L('x.dll')\nlib.own()\nlib.real()"
    assert lines({}, code) == ["load x.dll 0x1000 needs real"]


def test_a_finder_for_one_folder() -> None:
    text = (
        "import ctypes, importlib.machinery as m, os\n"
        "def find(name):\n    details = (m.ExtensionFileLoader, m.EXTENSION_SUFFIXES)\n"
        "    spec = m.FileFinder(os.path.dirname(__file__), details).find_spec(name)\n"
        "    if spec is None:\n        raise ImportError(name)\n    return spec.origin\n"
        "ctypes.CDLL(find('_C'))\ntry:\n    ctypes.CDLL(find('_gone'))\nexcept ImportError:\n    pass\n"
    )
    found = lines({"p\\__init__.py": text, "p\\_C.pyd": ""}, "import p")
    assert found == ["load p\\_C.pyd 0x1100", ["try ImportError", ["raise ImportError: _gone"]]]
