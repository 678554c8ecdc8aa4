"""Ways that part (return, break, continue) and come together again: what is true afterwards depends on the attempt."""

from __future__ import annotations

import pytest

from tests.startup.sketch import lines, read
from whyload.base.message import message

N = {"_n.pyd": ""}
LOAD_N = "load _n.pyd 0x1100"
TWO = "('C:\\\\a.dll', 'C:\\\\b.dll')"
NONE_LOADED = [
    "try OSError",
    ["load C:\\a.dll 0x1100"],
    ["except", ["try OSError", ["load C:\\b.dll 0x1100"], ["except", "again ImportError"]]],
]
"""The second is tried where the first failed, and the error comes only where both did."""


@pytest.mark.parametrize(
    "code",
    [
        (
            f"done = False\nfor name in {TWO}:\n    try:\n        lib = ctypes.CDLL(name)\n        done = True\n"
            "        break\n    except OSError as e:\n        continue\n    finally:\n        x = 1\n"
            "if not done:\n    raise ImportError('none')"
        ),
        (
            f"lib = None\nfor name in {TWO}:\n    try:\n        lib = ctypes.CDLL(name)\n    except OSError:\n"
            "        pass\n    else:\n        break\nif lib is None:\n    raise ImportError('none')"
        ),
        (
            f"lib = None\nfor name in {TWO}:\n    if lib is None:\n        try:\n            lib = ctypes.CDLL(name)\n"
            "        except OSError:\n            pass\nif not lib:\n    raise ImportError('none')"
        ),
        (
            f"def find():\n    for name in {TWO}:\n        try:\n            return ctypes.CDLL(name)\n"
            "        except OSError:\n            continue\n    return None\n"
            "if find() is None:\n    raise ImportError('none')"
        ),
        (
            f"lib = None\ndef find():\n    global lib\n    for name in {TWO}:\n        try:\n"
            "            lib = ctypes.CDLL(name)\n            return\n        except OSError:\n            pass\n"
            "find()\nif lib is None:\n    raise ImportError('none')"
        ),
    ],
)
def test_one_of_several(code: str) -> None:
    assert lines(N, f"import ctypes\n{code}\nimport _n") == [NONE_LOADED, LOAD_N]


def test_all_are_tried_and_one_is_needed() -> None:
    code = (
        f"import ctypes\ndone = False\nfor name in {TWO}:\n    try:\n        ctypes.CDLL(name)\n"
        "    except OSError:\n        continue\n    done = True\nif not done:\n    raise ImportError('none')\nimport _n"
    )
    second = ["else", ["try OSError", ["load C:\\b.dll 0x1100"]]]
    assert lines(N, code) == [[*NONE_LOADED, second], LOAD_N]


FAILS = [["try OSError", ["load C:\\a.dll 0x1100"], ["except", "again ImportError"]], LOAD_N]


@pytest.mark.parametrize(
    "body",
    [
        "    try:\n        ctypes.CDLL(A)\n    except OSError:\n        return\n    have.append(1)\n",
        "    try:\n        ctypes.CDLL(A)\n        have.append(1)\n    except OSError:\n        return\n",
        (
            "    try:\n        ctypes.CDLL(A)\n    except OSError:\n        pass\n    else:\n"
            "        have.append(1)\n        return\n"
        ),
    ],
)
def test_what_a_function_left_behind_on_one_way(body: str) -> None:
    start = "import ctypes\nA = 'C:\\\\a.dll'\nhave = []\n"
    assert lines(N, f"{start}def f():\n{body}f()\nif not have:\n    raise ImportError('no')\nimport _n") == FAILS


def test_what_a_function_returns_on_one_way() -> None:
    code = (
        "import ctypes\ndef f():\n    try:\n        ctypes.CDLL('C:\\\\a.dll')\n        return True\n"
        "    except OSError:\n        pass\n    return False\nif not f():\n    raise ImportError('no')\nimport _n"
    )
    assert lines(N, code) == FAILS


def test_two_that_must_not_both_be_missing() -> None:
    code = (
        "import ctypes\na = b = True\ntry:\n    ctypes.CDLL('C:\\\\a.dll')\nexcept OSError:\n    a = False\n"
        "try:\n    ctypes.CDLL('C:\\\\b.dll')\nexcept OSError:\n    b = False\n"
        "if not a and not b:\n    raise ImportError('neither')\nimport _n"
    )
    second = ["try OSError", ["load C:\\b.dll 0x1100"]]
    first = ["try OSError", ["load C:\\a.dll 0x1100"], ["except", [*second, ["except", "again ImportError"]]]]
    assert lines(N, code) == [[*first, ["else", second]], LOAD_N]


def test_continue_in_the_else_of_an_inner_loop_belongs_to_the_outer_one() -> None:
    code = (
        "import ctypes\nfor x in (1, 2):\n    for y in (3,):\n        pass\n    else:\n        continue\n"
        "    ctypes.CDLL('never.dll')\nimport _n"
    )
    assert lines(N, code) == [LOAD_N]


def test_very_many_candidates_are_cut_off() -> None:
    code = (
        "import ctypes\nfor i in range(900):\n    try:\n        lib = ctypes.CDLL(f'{i}.dll')\n        break\n"
        "    except OSError:\n        continue\nimport _n"
    )
    startup = read(N, code)
    assert [message(note.what).en for note in startup.notes] == ["a loop"]
    assert lines(N, code)[-1] == LOAD_N


def test_what_is_gone_over_again_depends_on_what_failed_before() -> None:
    code = (
        f"import ctypes\ntodo = list({TWO})\nleft = []\nfor name in todo:\n    try:\n        ctypes.CDLL(name)\n"
        "    except OSError:\n        left.append(name)\nfor name in left:\n    ctypes.CDLL(name)\nimport _n\n"
    )
    report = lines(N, code)
    assert report[-1] == LOAD_N
    first, again = str(report).count("load C:\\\\a.dll"), str(report).count("load C:\\\\b.dll")
    assert first >= 2
    assert again >= 2
