"""Classes and what works on functions: bases, registries, makers (Python reference, "Data model")."""

from __future__ import annotations

import pytest

from tests.startup.sketch import lines

N = ["load _n.pyd 0x1100"]
BASE = "class Base:\n    def __init__(self):\n        import _n\n    def load(self):\n        import _n\n"


@pytest.mark.parametrize(
    "code",
    [
        BASE + "class A(Base):\n    def __init__(self):\n        super().__init__()\nA()",
        BASE + "class A(Base):\n    pass\nclass B(A):\n    def __init__(self):\n        super().__init__()\nB()",
        "class A:\n    def __new__(cls, name):\n        __import__(name)\n        return super().__new__(cls)\nA('_n')",
    ],
)
def test_what_a_class_of_the_source_does_when_it_is_called(code: str) -> None:
    assert lines({"_n.pyd": ""}, code) == N


def test_super_goes_on_from_the_class_that_says_it() -> None:
    code = (
        "class A:\n    def load(self):\n        import _n\nclass B(A):\n    def load(self):\n        super().load()\n"
        "class C(B):\n    def load(self):\n        import _m\n        super().load()\nC().load()"
    )
    assert lines({"_n.pyd": "", "_m.pyd": ""}, code) == ["load _m.pyd 0x1100", *N]


def test_a_subclass_of_a_library_that_finds_its_own_file() -> None:
    code = "import ctypes\nclass Lib(ctypes.CDLL):\n    def f(self):\n        pass\nlib = Lib('a.dll')\nlib.f()\n"
    assert lines({}, code) == ["load a.dll 0x1000"]


@pytest.mark.parametrize(
    "code",
    [
        "def enter(cls):\n    known[cls.__name__] = cls\n    return cls\n"
        "@enter\nclass A:\n    def load(self):\n        import _n\n",
        "def enter(name):\n    def entered(cls):\n        known[name] = cls\n        return cls\n    return entered\n"
        "@enter('A')\nclass A:\n    def load(self):\n        import _n\n",
        "class Base:\n    def __init_subclass__(cls, **more):\n        known[cls.__name__] = cls\n"
        "class A(Base):\n    def load(self):\n        import _n\n",
    ],
)
def test_classes_that_are_entered_somewhere(code: str) -> None:
    assert lines({"_n.pyd": ""}, f"known = {{}}\n{code}known['A']().load()\n") == N


def test_functions_that_are_entered_somewhere() -> None:
    enter = "known = {}\ndef enter(f):\n    known['x'] = f\n    return f\n"
    code = f"{enter}@enter\ndef load():\n    import _n\nknown['x']()\n"
    assert lines({"_n.pyd": ""}, code) == N


def test_a_decorator_that_wraps_changes_nothing() -> None:
    code = (
        "import functools\ndef logged(f):\n    @functools.wraps(f)\n    def inner(*a, **k):\n"
        "        return f(*a, **k)\n    return inner\n@logged\ndef load(name):\n    __import__(name)\nload('_n')\n"
    )
    assert lines({"_n.pyd": ""}, code) == N


def test_a_decorator_that_runs_what_it_gets_is_not_followed() -> None:
    code = "def run(f):\n    f()\n    return f\n@run\ndef start():\n    raise TypeError('its own working')\nimport _n\n"
    assert lines({"_n.pyd": ""}, code) == N


@pytest.mark.parametrize(
    "code",
    [
        "import functools\ndef load(a, name):\n    __import__(name)\nfunctools.partial(load, 1)('_n')",
        "__import__(max(['_m', '_n']))",
        "__import__(min('_z', '_n'))",
        "__import__(sorted(['_m9', '_n'], key=len)[0])",
        "__import__(max(['_n', '_'], key=lambda name: len(name)))",
    ],
)
def test_functions_of_functions(code: str) -> None:
    assert lines({"_n.pyd": "", "_m.pyd": "", "_m9.pyd": "", "_z.pyd": ""}, code) == N
