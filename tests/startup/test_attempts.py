"""try statements, and what depends on how they ended."""

from __future__ import annotations

import pytest

from tests.startup.sketch import lines

N = {"_n.pyd": "", "_m.pyd": ""}
LOAD_N, LOAD_M = "load _n.pyd 0x1100", "load _m.pyd 0x1100"


def test_a_swallowed_failure() -> None:
    code = "try:\n    import _n\nexcept ImportError:\n    pass\nimport _m"
    assert lines(N, code) == [["try ImportError", [LOAD_N]], LOAD_M]


def test_a_clause_that_cannot_be_reached_is_no_attempt() -> None:
    assert lines(N, "try:\n    import _n\nexcept ValueError:\n    import gone") == [LOAD_N]


def test_finally_is_no_attempt() -> None:
    assert lines(N, "try:\n    import _n\nfinally:\n    import _m") == [LOAD_N, LOAD_M]


def test_else_runs_after_success() -> None:
    code = "try:\n    import _n\nexcept ImportError:\n    x = 1\nelse:\n    import _m"
    assert lines(N, code) == [["try ImportError", [LOAD_N], ["else", LOAD_M]]]


@pytest.mark.parametrize(
    ("handler", "shown"),
    [("raise", "again"), ("raise e", "again"), ("raise RuntimeError('no') from e", "again RuntimeError")],
)
def test_a_handler_that_raises_again(handler: str, shown: str) -> None:
    code = f"try:\n    import _n\nexcept ImportError as e:\n    {handler}"
    assert lines(N, code) == [["try ImportError", [LOAD_N], ["except", shown]]]


def test_a_handler_that_raises_in_a_function() -> None:
    files = {**N, "p\\__init__.py": "from ._b import check", "p\\_b.py": (
        "def fail(e):\n    raise ImportError('build it') from e\n"
        "try:\n    from ._n import check\nexcept ImportError as e:\n    fail(e)\n"
    ), "p\\_n.pyd": ""}  # fmt: skip
    assert lines(files, "import p") == [["try ImportError", ["load p\\_n.pyd 0x1100"], ["except", "again ImportError"]]]


def test_a_handler_that_may_raise_does_not_count() -> None:
    code = "import time\ntry:\n    import _n\nexcept ImportError:\n    if time.time(): raise\nimport _m"
    assert lines(N, code) == [["try ImportError", [LOAD_N], ["except", ["maybe", "again"]]], LOAD_M]


def test_a_missing_module_chooses_the_handler() -> None:
    code = (
        "try:\n    import gone\n    OK = True\nexcept ImportError:\n    OK = False\n"
        "if OK:\n    import _n\nelse:\n    import _m"
    )
    missing = "raise ModuleNotFoundError: No module named 'gone'"
    assert lines(N, code) == [["try ImportError", [missing]], LOAD_M]


def test_an_error_kept_and_raised_later() -> None:
    code = (
        "kept = None\ntry:\n    import _n\nexcept Exception as e:\n    kept = e\n"
        "import _m\nif kept:\n    raise kept\nimport _m"
    )
    assert lines(N, code) == [["try Exception", [LOAD_N], ["except", LOAD_M, "again"], ["else", LOAD_M]]]


def test_a_flag_that_is_tested_later() -> None:
    code = (
        "try:\n    import _n\n    HAVE = True\nexcept ImportError:\n    HAVE = False\n"
        "if not HAVE:\n    raise ImportError('needs n')\nimport _m"
    )
    assert lines(N, code) == [["try ImportError", [LOAD_N], ["except", "again ImportError"]], LOAD_M]


def test_a_list_of_what_is_missing() -> None:
    code = (
        "missing = []\nfor name in ('_n', '_m'):\n    try:\n        __import__(name)\n"
        "    except ImportError as e:\n        missing.append(f'{name}: {e}')\n"
        "if missing:\n    raise ImportError('needed: ' + '; '.join(missing))\n"
    )
    assert lines(N, code) == [
        ["try ImportError", [LOAD_N], ["except", ["try ImportError", [LOAD_M]], "again ImportError"],
         ["else", ["try ImportError", [LOAD_M], ["except", "again ImportError"]]]],
    ]  # fmt: skip


def test_suppress() -> None:
    code = "import contextlib\nwith contextlib.suppress(ImportError):\n    import _n\nimport _m"
    assert lines(N, code) == [["try ImportError", [LOAD_N]], LOAD_M]


def test_a_swallowed_failure_counts_where_the_import_is_repeated() -> None:
    files = {**N, "m.py": "import _n"}
    code = "try:\n    import m\nexcept ImportError:\n    pass\nimport m"
    assert lines(files, code) == [["try ImportError", [LOAD_N]], LOAD_N]


CANDIDATES = """
import ctypes
def candidates():
    for stem in ('one', 'two'):
        yield './%s.dll' % stem
def find():
    for name in candidates():
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    else:
        raise ImportError('found none')
lib = find()
lib.start
"""


def test_candidates_are_tried_one_after_the_other() -> None:
    inner = ["try OSError", ["load C:\\work\\two.dll 0x1100"], ["except", "raise ImportError: found none"]]
    assert lines({}, CANDIDATES) == [["try OSError", ["load C:\\work\\one.dll 0x1100"], ["except", inner]]]


def test_candidates_with_break() -> None:
    code = (
        "import ctypes\nfor name in ('C:\\\\a.dll', 'C:\\\\b.dll'):\n    try:\n        lib = ctypes.CDLL(name)\n"
        "    except OSError:\n        continue\n    break\nelse:\n    raise ImportError('none')\nimport _n"
    )
    inner = ["try OSError", ["load C:\\b.dll 0x1100"], ["except", "raise ImportError: none"]]
    assert lines(N, code) == [["try OSError", ["load C:\\a.dll 0x1100"], ["except", inner]], LOAD_N]


PRELOAD = """
import ctypes, glob, os
kernel32 = ctypes.WinDLL('kernel32.dll', use_last_error=True)
folder = 'C:\\\\lib'
patched = False
for dll in glob.glob(os.path.join(folder, '*.dll')):
    loaded = False
    handle = kernel32.LoadLibraryExW(dll, None, 0x1100)
    code = ctypes.get_last_error()
    if handle is None and code != 126:
        raise ctypes.WinError(code)
    elif handle is not None:
        loaded = True
    if not loaded:
        if not patched:
            os.environ['PATH'] = ';'.join([folder, os.environ['PATH']])
            patched = True
        handle = kernel32.LoadLibraryW(dll)
        if handle is None:
            error = ctypes.WinError(ctypes.get_last_error())
            error.strerror += f' Error loading "{dll}"'
            raise error
"""


def test_a_preloader_that_tries_again_with_path() -> None:
    found = lines({"C:\\lib\\b.dll": "", "C:\\lib\\a.dll": ""}, PRELOAD)
    patched = "PATH=C:\\lib;C:\\Windows\\System32"
    second = ["try OSError", ["load C:\\lib\\b.dll 0x0"], ["except", "again OSError"]]
    assert found[1:] == [
        ["try OSError only 126", ["load C:\\lib\\a.dll 0x1100"],
         ["except", patched, ["try OSError", ["load C:\\lib\\a.dll 0x0"], ["except", "again OSError"]]]],
        ["try OSError only 126", ["load C:\\lib\\b.dll 0x1100"], ["except", ["maybe", patched], second]],
    ]  # fmt: skip


def test_winerror_in_a_handler() -> None:
    code = (
        "import ctypes\ntry:\n    ctypes.CDLL('a.dll')\nexcept OSError as e:\n"
        "    if e.winerror != 193:\n        raise\n    import _m"
    )
    assert lines(N, code) == [["try OSError only 193", ["load a.dll 0x1000"], ["except", LOAD_M]]]


def test_classes_of_the_source_are_named_in_what_catches_them() -> None:
    code = "class Broken(ImportError): pass\ntry:\n    raise Broken('x')\nexcept ImportError:\n    import _n"
    assert lines(N, code) == [["try ImportError|Broken", ["raise Broken: x"], ["except", LOAD_N]]]


def test_two_clauses() -> None:
    code = (
        "import ctypes\ntry:\n    import _n\n    ctypes.CDLL('a.dll')\nexcept ImportError:\n    pass\n"
        "except OSError:\n    import _m"
    )
    inner = ["try ImportError", [LOAD_N, "load a.dll 0x1000"]]
    assert lines(N, code) == [["try OSError", [inner], ["except", LOAD_M]]]


@pytest.mark.parametrize("caught", ["Unavailable", "(Unavailable, KeyError)", "q.Unavailable"])
def test_an_exception_class_that_is_not_known(caught: str) -> None:
    files = {**N, "q.py": "from gone_native import Unavailable", "gone_native.pyd": ""}
    code = (
        "import q\nfrom q import Unavailable\ntry:\n    raise Unavailable()\n"
        f"except {caught}:\n    import _n\nelse:\n    import _m"
    )
    assert lines(files, code) == ["load gone_native.pyd 0x1100", LOAD_N]


def test_an_error_that_no_clause_catches_goes_on() -> None:
    code = "try:\n    import _n\n    raise KeyError('x')\nexcept ImportError:\n    import _m"
    assert lines(N, code) == [["try ImportError", [LOAD_N, "raise KeyError: x"], ["except", LOAD_M]]]
