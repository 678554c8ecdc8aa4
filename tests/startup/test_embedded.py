"""Modules that an extension module names in its own file."""

from __future__ import annotations

import pytest

from tests.startup.sketch import lines, read
from tests.testbed.memory import Content
from whyload.observe.failures import loads_of

LIKELY = "load p\\_other.pyd 0x1100"


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"MZ..\0p._other\0..", [LIKELY]),
        (b"MZ..\0p._other.thing\0..", []),  # no module of its own
        (b"MZ..\0p._others\0..", []),
        (b"MZ..\0p._other is missing\0..", []),
        (b"MZ..xp._other\0..", []),
        (b"MZ..\0p.plain\0..", []),  # Python code is imported by Python code
        (b"MZ..\0p._first\0..", []),
        (b"MZ..\0q._alien\0..", []),  # a package that was not seen to load anything
        (b"MZ..\0p._other\0..\0p._other\0", [LIKELY]),
        (b"MZ..\0numpy._gone\0..", []),
    ],
)
def test_names(data: bytes, found: list[object]) -> None:
    files: dict[str, Content] = {
        "p\\__init__.py": "from . import _first", "p\\_first.pyd": data, "p\\_other.pyd": "", "p\\plain.py": "x = 1",
        "q\\__init__.py": "", "q\\_alien.pyd": "",
    }  # fmt: skip
    assert lines(files, "import p") == ["load p\\_first.pyd 0x1100", *found]


def test_one_leads_to_another() -> None:
    files: dict[str, Content] = {
        "p\\__init__.py": "from ._a import x",
        "p\\_a.pyd": b"\0p._b\0", "p\\_b.pyd": b"\0p._c\0p._a\0", "p\\_c.pyd": "",
    }  # fmt: skip
    assert lines(files, "import p") == [f"load p\\{name}.pyd 0x1100" for name in ("_a", "_b", "_c")]


def test_a_module_of_another_package_that_is_at_work() -> None:
    files: dict[str, Content] = {
        "p\\__init__.py": "import base\nfrom . import _a", "p\\_a.pyd": b"\0base.sub._x\0",
        "base\\__init__.py": "from . import _core", "base\\_core.pyd": "",
        "base\\sub\\__init__.py": "from . import _y", "base\\sub\\_x.pyd": "", "base\\sub\\_y.pyd": "",
    }  # fmt: skip
    late = ["maybe", "load base\\sub\\_y.pyd 0x1100", "load base\\sub\\_x.pyd 0x1100"]
    assert lines(files, "import p") == ["load base\\_core.pyd 0x1100", "load p\\_a.pyd 0x1100", late]


def test_the_backend_of_cffi() -> None:
    files: dict[str, Content] = {"m.pyd": b"error: _cffi_backendImportError", "_cffi_backend.cp311-win_amd64.pyd": ""}
    assert lines(files, "import m") == ["load m.pyd 0x1100", "load _cffi_backend.cp311-win_amd64.pyd 0x1100"]
    missing = "raise ModuleNotFoundError: No module named '_cffi_backend'"
    assert lines({"m.pyd": b"_cffi_backend"}, "import m") == ["load m.pyd 0x1100", missing]


def test_what_is_likely_is_marked() -> None:
    files: dict[str, Content] = {"p\\__init__.py": "from . import _first\nfrom . import _last", "p\\_last.pyd": ""}
    named: dict[str, Content] = {"p\\_first.pyd": b"\0p._other\0", "p\\_other.pyd": ""}
    loads = list(loads_of(read({**files, **named}, "import p").events))
    assert [(load.module, load.is_likely) for load in loads] == [
        ("p._first", False),
        ("p._other", True),
        ("p._last", False),
    ]


def test_a_module_of_the_package_that_is_for_another_python() -> None:
    files: dict[str, Content] = {
        "p\\__init__.py": "from . import _first", "p\\_first.pyd": b"\0p._other\0",
        "p\\_other.cp39-win_amd64.pyd": "",
    }  # fmt: skip
    assert lines(files, "import p")[1:] == ["raise ModuleNotFoundError: No module named 'p._other'"]
