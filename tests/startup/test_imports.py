"""Import statements: what runs, what loads, what is missing (loader.md R4.15)."""

from __future__ import annotations

import pytest

from tests.startup.sketch import lines, machine, read, site, sketch
from tests.testbed.memory import Content, world
from whyload.base.dataclass import replace
from whyload.base.errors import UsageError
from whyload.base.message import message
from whyload.base.paths import WinPath
from whyload.base.versions import PythonVersion
from whyload.observe.events import LibraryLoad, ModuleStarted, Place, Raised
from whyload.startup.program import read_code, read_import, read_script
from whyload.world.model import Layout

C = "_c.cp311-win_amd64.pyd"


def test_parents_run_before_the_module() -> None:
    files = {"a\\__init__.py": "from . import one", "a\\one.pyd": "", "a\\b\\__init__.py": "", f"a\\b\\{C}": ""}
    assert lines(files, "import a.b._c") == ["load a\\one.pyd 0x1100", f"load a\\b\\{C} 0x1100"]


def test_an_extension_module_before_python_3_8() -> None:
    there = world(site({"m.pyd": ""}), python=PythonVersion(3, 7))
    assert sketch(read_code(there, "import m").events) == ["load m.pyd 0x8"]


def test_modules_load_once_and_circles_end() -> None:
    files = {"a.py": "import b\nimport _n", "b.py": "import a\nimport _n", "_n.pyd": ""}
    assert lines(files, "import a, b, a") == ["load _n.pyd 0x1100"]


def test_a_from_import_takes_submodules() -> None:
    files = {"p\\__init__.py": "", "p\\x.pyd": "", "p\\y.pyd": "", "p\\z.pyd": ""}
    assert lines(files, "from p import (x,\n  y as other)") == ["load p\\x.pyd 0x1100", "load p\\y.pyd 0x1100"]


def test_a_star_imports_what_all_names() -> None:
    files = {"p\\__init__.py": "import os, sys\nimport p.k\n__all__ = ['x']", "p\\x.pyd": "", "p\\k.pyd": ""}
    assert lines(files, "from p import *") == ["load p\\k.pyd 0x1100", "load p\\x.pyd 0x1100"]


def test_relative_imports_count_dots() -> None:
    files = {
        "p\\__init__.py": "",
        "p\\q\\__init__.py": "from ..r import _n",
        "p\\r\\__init__.py": "",
        "p\\r\\_n.pyd": "",
    }
    assert lines(files, "import p.q") == ["load p\\r\\_n.pyd 0x1100"]


@pytest.mark.parametrize(
    "code",
    [
        "import importlib\nimportlib.import_module('p._n')",
        "import importlib\nimportlib.import_module('._n', 'p')",
        "__import__('p._n')",
        "from p import _n",
        "exec('import p._n')",
        "m = __import__('p', fromlist=['_n'])",
    ],
)
def test_other_ways_of_importing(code: str) -> None:
    assert lines({"p\\__init__.py": "", "p\\_n.pyd": ""}, code) == ["load p\\_n.pyd 0x1100"]


def test_a_missing_module_ends_the_program() -> None:
    startup = read({"_n.pyd": ""}, "import gone\nimport _n")
    assert sketch(startup.events) == ["raise ModuleNotFoundError: No module named 'gone'"]
    raised = startup.events[0]
    assert isinstance(raised, Raised)
    assert (raised.module, raised.place) == ("gone", Place(file=None, line=1))


def test_a_missing_module_deep_in_pure_python() -> None:
    files = {"a.py": "import b", "b.py": "import c", "c.py": "import gone"}
    assert lines(files, "import a") == ["raise ModuleNotFoundError: No module named 'gone'"]


def test_a_missing_submodule_of_a_plain_module() -> None:
    expected = ["raise ModuleNotFoundError: No module named 'm.x'; 'm' is not a package"]
    assert lines({"m.py": ""}, "import m.x") == expected


def test_modules_that_a_package_makes_itself_are_not_missing() -> None:
    files = {"six2.py": "import sys\nsys.modules[__name__ + '.moves'] = object()\n"}
    startup = read(files, "import six2\nfrom six2.moves import thing\nimport gone")
    assert [event.text for event in startup.events if isinstance(event, Raised)] == ["No module named 'gone'"]


def test_the_archive_of_a_frozen_program_is_not_missing() -> None:
    there = world({"C:\\Python\\_internal\\base_library.zip": ""}, layout=Layout.PYINSTALLER)
    startup = read_code(there, "import anything")
    assert not any(isinstance(event, Raised) for event in startup.events)
    assert [message(note.what).en for note in startup.notes] == ["anything"]


def test_a_name_that_a_module_cannot_have() -> None:
    files = {"C:\\work\\tool\\__init__.py": "# sources\n", "tool\\__init__.py": "class Session: pass\n"}
    expected = ["raise AttributeError: module 'tool' has no attribute 'Session'"]
    assert lines(files, "import tool as t\nt.Session\n") == expected


@pytest.mark.parametrize(
    "text", ["Session = 1", "def __getattr__(name): ...", "globals().update(x)", "from y import *"]
)
def test_a_name_that_a_module_may_have(text: str) -> None:
    assert lines({"tool.py": text, "y.py": "", "x.py": ""}, "import tool\ntool.Session\n") == []


def test_a_name_that_cannot_be_imported() -> None:
    startup = read(
        {"tool.py": "import os\nos.add_dll_directory('C:\\\\work')", "C:\\work\\x": ""}, "from tool import gone"
    )
    assert [event.exception for event in startup.events if isinstance(event, Raised)] == ["ImportError"]


@pytest.mark.parametrize("before", ["", "import _n\n" + "x = 1\n" * 2000])
@pytest.mark.parametrize("broken", ["def f(:\n", "\0", "x = (", "import _n\n    y", "print 'Python 2'"])
def test_source_that_does_not_parse_ends_the_import(broken: str, before: str) -> None:
    """Wherever the fault stands: nothing before it runs either. Only the parser of a Python as new can tell."""
    world = machine({"m.py": before + broken + "\nimport _n\n__import__('x')", "_n.pyd": ""})
    oldest = replace(world.python, version=PythonVersion(3, 10))
    startup = read_import(replace(world, python=oldest), ("m",))
    (error,) = startup.events
    assert isinstance(error, Raised)
    assert (error.exception, startup.notes) == ("SyntaxError", ())


def test_source_for_a_python_that_is_newer_than_this_one_is_a_note() -> None:
    newer = replace(machine({"m.py": "import (\nCDLL('x')"}).python, version=PythonVersion(3, 99))
    startup = read_import(replace(machine({"m.py": "import (\nCDLL('x')"}), python=newer), ("m",))
    assert [message(note.what).en for note in startup.notes] == ["m"]


def test_bytecode_alone_is_a_note() -> None:
    startup = read({"m.pyc": b""}, "import m")
    assert [message(note.what).en for note in startup.notes] == ["m"]


def test_places_and_modules() -> None:
    startup = read({"m.py": "\n\nimport _n\n", "_n.pyd": ""}, "x = 1\nimport m")
    module, load = startup.events
    assert isinstance(module, ModuleStarted)
    assert isinstance(load, LibraryLoad)
    assert module.place == Place(file=None, line=2)
    assert load.place == Place(file=WinPath("C:\\Python\\Lib\\site-packages\\m.py"), line=3)
    assert load.module == "_n"


def test_import_questions_share_one_process() -> None:
    there = machine({"a.py": "import _n", "b.py": "import _n\nimport _m", "_n.pyd": "", "_m.pyd": ""})
    assert sketch(read_import(there, ["a", "b"]).events) == ["load _n.pyd 0x1100", "load _m.pyd 0x1100"]


def test_a_script_has_its_own_file() -> None:
    files: dict[str, Content] = {
        "C:\\work\\main.py": "import os, ctypes\nctypes.CDLL(os.path.join(os.path.dirname(__file__), 'x.dll'))\n"
    }
    startup = read_script(machine(files), WinPath("main.py"))
    assert sketch(startup.events) == ["load C:\\work\\x.dll 0x1100"]


def test_a_script_that_is_not_there_is_an_error() -> None:
    with pytest.raises(UsageError, match="no such script"):
        read_script(machine({}), WinPath("C:\\gone.py"))


def test_a_program_that_does_not_parse_is_not_read_to_its_end() -> None:
    startup = read_code(machine({}), "import (")
    assert (len(startup.notes), startup.stopped) == (1, True)


def test_a_program_that_ends_itself() -> None:
    assert lines({"_n.pyd": ""}, "import sys\nsys.exit(0)\nimport _n") == []


@pytest.mark.parametrize(
    "condition", ["TYPE_CHECKING", "sys.platform == 'linux'", "os.name != 'nt'", "sys.version_info < (3, 8)"]
)
def test_branches_that_are_not_taken(condition: str) -> None:
    code = f"import os, sys\nfrom typing import TYPE_CHECKING\nif {condition}:\n    import gone\nelse:\n    import _n"
    assert lines({"_n.pyd": ""}, code) == ["load _n.pyd 0x1100"]


def test_a_condition_that_is_not_known() -> None:
    code = "import time\nif time.time() > 5:\n    import _a\nelse:\n    import _b\nimport _c"
    files = {"_a.pyd": "", "_b.pyd": "", "_c.pyd": ""}
    assert lines(files, code) == [
        ["maybe", "load _a.pyd 0x1100"],
        ["maybe", "load _b.pyd 0x1100"],
        "load _c.pyd 0x1100",
    ]


def test_a_load_under_a_condition_counts_again_where_it_is_sure() -> None:
    code = "import time\nif time.time() > 5:\n    import m\nimport m"
    assert lines({"m.py": "import _n", "_n.pyd": ""}, code) == [["maybe", "load _n.pyd 0x1100"], "load _n.pyd 0x1100"]


PRELOAD = (
    "def preload():\n    try:\n        from . import _marker  # `_marker` is there in other builds\n"
    "    except ImportError:\n        return\n    import not_there\npreload()\nfrom ._n import *\n"
)


def test_a_package_that_asks_itself_for_a_marker() -> None:
    missing, load = lines({"p\\__init__.py": PRELOAD, "p\\_n.pyd": ""}, "import p")
    assert "raise ImportError: cannot import name '_marker' from partially initialized module 'p'" in str(missing)
    assert load == "load p\\_n.pyd 0x1100"


@pytest.mark.parametrize("before", ["_marker = 1\n", "globals()['_marker'] = 1\n", "from ._n import *\n"])
def test_a_marker_that_may_be_there(before: str) -> None:
    files = {"p\\__init__.py": before + PRELOAD, "p\\_n.pyd": ""}
    assert "raise ModuleNotFoundError: No module named 'not_there'" in str(lines(files, "import p"))


LATE = (
    "import late._core\ndef __getattr__(name):\n    if name == 'random':\n        import late.random as random\n"
    "        return random\n    raise AttributeError(name)\n"
)


@pytest.mark.parametrize(
    ("use", "found"),
    [
        ("late.random.x", ["load late\\_r.pyd 0x1100"]),
        ("late.other", []),
        ("from late import random", ["load late\\_r.pyd 0x1100"]),
    ],
)
def test_a_submodule_that_is_imported_when_it_is_asked_for(use: str, found: list[str]) -> None:
    files = {
        "late\\__init__.py": LATE, "late\\_core.pyd": "",
        "late\\random.py": "from . import _r\nx = 1", "late\\_r.pyd": "",
        "m.py": f"import late, _n\n{use}", "_n.pyd": "",
    }  # fmt: skip
    assert lines(files, "import m") == ["load late\\_core.pyd 0x1100", "load _n.pyd 0x1100", *found]


def test_a_submodule_that_a_module_which_was_passed_by_imported() -> None:
    files = {
        "p\\__init__.py": "from . import _n, types, user\ntypes.array.register()\n", "p\\_n.pyd": "",
        "p\\types\\__init__.py": "import os\nos.add_dll_directory\n", "p\\types\\array.py": "def register(): pass",
        "p\\user.py": "from .types.array import register",
    }  # fmt: skip
    assert lines(files, "import p") == ["load p\\_n.pyd 0x1100"]


def test_the_program_itself_must_import_a_submodule() -> None:
    files = {"p\\__init__.py": "import os\nos.add_dll_directory\n", "p\\sub.py": ""}
    assert lines(files, "import p\np.sub") == ["raise AttributeError: module 'p' has no attribute 'sub'"]


@pytest.mark.parametrize(
    ("package", "module", "state"),
    [
        ("", "from p import _n\n", ""),
        ("from . import _n\n", "import p\n", "partially initialized module "),
        ("from p import m\n", "from . import _n as core\n", "partially initialized module "),
        ("VERSION = 1\n", "try:\n    from . import _n\nexcept ImportError as e:\n    print(e)\n    raise\n", ""),
    ],
)
def test_a_submodule_that_no_file_stands_for(package: str, module: str, state: str) -> None:
    files = {"p\\__init__.py": package, "p\\m.py": module, "p\\_n.cp310-win_amd64.pyd": ""}
    assert f"ImportError: cannot import name '_n' from {state}'p'" in str(lines(files, "import p.m"))


@pytest.mark.parametrize("before", ["", "VERSION = 1\n", "from . import plain\n", "import other._c\n"])
def test_a_submodule_of_a_package_that_lacks_it(before: str) -> None:
    files = {
        "p\\__init__.py": before + "from . import _n\n",
        "p\\plain.py": "",
        "other\\__init__.py": "",
        f"other\\{C}": "",
    }
    text = "raise ImportError: cannot import name '_n' from partially initialized module 'p'"
    assert text in str(lines(files, "import p"))


@pytest.mark.parametrize("before", ["from . import _c\n", "try:\n    from . import _c\nexcept OSError:\n    pass\n"])
def test_native_code_of_a_package_may_bring_a_submodule(before: str) -> None:
    """As `torch._C` does."""
    files = {"p\\__init__.py": before + "from . import _n\n", f"p\\{C}": ""}
    assert "cannot import name" not in str(lines(files, "import p"))


@pytest.mark.parametrize(
    "package",
    [
        "def __getattr__(name):\n    return 1\n",
        "import sys\nsys.modules['p._n'] = sys\n",
        "from .m2 import *\n",
        "try:\n    from . import _n\nexcept ImportError:\n    _n = None\n",
    ],
)
def test_a_name_that_may_be_there_without_a_file(package: str) -> None:
    files = {"p\\__init__.py": package, "p\\m.py": "from p import _n\n", "p\\m2.py": "_n = 1\n"}
    assert "from 'p'" not in str(lines(files, "import p.m"))


CHOICE = (
    "from importlib import import_module\ndef choose(name):\n    try:\n        return import_module(name)\n"
    "    except ImportError:\n        raise\n"
)


def test_a_function_of_another_module_imports() -> None:
    files = {
        "p\\__init__.py": "from .c import choose\nchoose('p.a')\n", "p\\c.py": CHOICE,
        "p\\a.py": "from . import _n", "p\\_n.pyd": "",
    }  # fmt: skip
    assert "_n.pyd 0x1100" in str(lines(files, "import p"))


SECOND = (
    "from .c import choose\ntry:\n    choose('p.a')\nexcept Exception as first:\n    try:\n"
    "        choose('p.b')\n    except ImportError:\n        raise first from None\n"
)


def test_a_second_choice_that_is_not_there_either() -> None:
    files = {
        "p\\__init__.py": SECOND, "p\\c.py": CHOICE, "p\\a.py": "from . import _n", "p\\_n.pyd": "",
        "p\\b.py": "from ._gone import x",
    }  # fmt: skip
    (attempt,) = lines(files, "import p")
    assert "again ModuleNotFoundError" in str(attempt)


LAZY = (
    "import importlib\ndef __getattr__(name):\n    if name == 'gpu':\n"
    "        return importlib.import_module('.' + name, __name__)\n    raise AttributeError(name)\n"
)


@pytest.mark.parametrize(
    ("use", "found"), [("print(a.gpu)", ["load a\\gpu.pyd 0x1100"]), ("print(a.other)", []), ("print(a.__doc__)", [])]
)
def test_a_package_that_does_nothing_but_import_late(use: str, found: list[str]) -> None:
    assert lines({"a\\__init__.py": LAZY, "a\\gpu.pyd": ""}, f"import a\n{use}") == found


@pytest.mark.parametrize("call", ["tool.main()", "tool.Main()", "run()"])
def test_a_function_that_imports_when_it_is_called(call: str) -> None:
    text = (
        "class Main:\n    def __init__(self):\n        from tool import _core\ndef main():\n    import tool._core\n"
        "def other():\n    return 1\n"
    )
    code = f"import tool\nfrom tool import main as run\n{call}"
    assert lines({"tool\\__init__.py": text, "tool\\_core.pyd": ""}, code) == ["load tool\\_core.pyd 0x1100"]
    assert lines({"tool\\__init__.py": text, "tool\\_core.pyd": ""}, "import tool\ntool.other()") == []


def test_an_attribute_that_the_reader_did_not_see() -> None:
    text = "class Op:\n    def __getattr__(self, name):\n        raise AttributeError()\nx = Op()\nx.default\n"
    text += "from . import _n\n"
    assert lines({"p\\__init__.py": text, "p\\_n.pyd": ""}, "import p") == ["load p\\_n.pyd 0x1100"]


def test_a_module_that_is_there_is_not_looked_for_through_its_package() -> None:
    package = (
        "import sys, importlib\nfrom .cv2 import *\nif hasattr(sys, 'LOADER'):\n    raise ImportError('recursion')\n"
        "sys.LOADER = True\npackage = sys.modules.pop('cv2')\nnative = importlib.import_module('cv2.cv2')\n"
        "sys.modules['cv2'] = package\nimport _n\n"
    )
    files = {"cv2\\__init__.py": package, "cv2\\cv2.pyd": "", "_n.pyd": ""}
    assert lines(files, "import cv2") == ["load cv2\\cv2.pyd 0x1100", "load _n.pyd 0x1100"]
