"""Cause: docs/causes.md `name-shadowing`."""

from __future__ import annotations

import pytest

from tests.rules.asking import ask, codes, only, saying
from tests.testbed.memory import Files, record, world
from tests.testbed.pewriter import Dll
from whyload.base.paths import WinPath
from whyload.observe.events import ModuleStarted
from whyload.world.model import RunRequest

PACKAGE: Files = {"onnxruntime/__init__.py": "", "onnxruntime/capi/x.pyd": Dll(name="x.pyd")}
SCRIPT = RunRequest(script=WinPath("C:\\work\\infer.py"))


def test_a_folder_beside_the_program() -> None:
    files = {
        **record("onnxruntime", "1.17.1", PACKAGE),
        "C:\\work\\onnxruntime\\__init__.py": "# sources\n",
        "C:\\work\\infer.py": "",
    }
    report = ask(world(files, run=SCRIPT), (ModuleStarted(module="onnxruntime", file=None),), modules=("onnxruntime",))
    finding = only(report)
    assert (finding.code, str(finding.culprit), finding.object) == (
        "name-shadowing",
        "C:\\work\\onnxruntime",
        "onnxruntime",
    )


def test_stays_quiet_without_an_installed_package() -> None:
    files = {"C:\\work\\onnxruntime\\__init__.py": "", "C:\\work\\infer.py": ""}
    assert codes(ask(world(files, run=SCRIPT), (), modules=("onnxruntime",))) == []


def test_stays_quiet_for_the_package_itself() -> None:
    files = {**record("onnxruntime", "1.17.1", PACKAGE), "C:\\work\\infer.py": ""}
    assert codes(ask(world(files, run=SCRIPT), (), modules=("onnxruntime",))) == []


OWN = {"C:\\work\\random.py": "def roll():\n    return 4\n", "C:\\work\\infer.py": "import random\n"}
SAID = "ImportError: cannot import name 'SystemRandom' from 'random' (C:\\work\\random.py)"


def test_a_file_named_like_a_module_of_pythons_own() -> None:
    finding = only(ask(saying(world(OWN, run=SCRIPT), SAID), (), modules=()))
    assert (finding.code, str(finding.culprit), finding.object) == ("name-shadowing", "C:\\work\\random.py", "random")


def test_such_a_file_that_no_error_speaks_of_may_do() -> None:
    assert codes(ask(world(OWN, run=SCRIPT), (ModuleStarted(module="random", file=None),), modules=())) == []
    assert codes(ask(saying(world(OWN, run=SCRIPT), "ValueError: 3"), (), modules=())) == []


def test_an_error_of_a_module_that_is_not_the_users() -> None:
    said = "AttributeError: module 'torch' has no attribute 'float4' (named 'random')"
    assert codes(ask(saying(world({"C:\\work\\infer.py": ""}, run=SCRIPT), said), (), modules=())) == []


def frames(requires: str) -> Files:
    """A package that requires another, whose name a file beside the program has; the program imports the first."""
    made = record("frames", "2.2", {"frames/__init__.py": ""}) | record("py-zones", "1.0", {"zones/__init__.py": ""})
    made |= record("between", "1.0", {"between.py": ""})
    for distribution, needs in (("frames", requires), ("between", "py_zones>=1")):
        metadata = next(name for name in made if f"\\{distribution}-" in name and name.endswith("METADATA"))
        made[metadata] = f"{made[metadata]!s}Requires-Dist: {needs}\n"
    return made | {"C:\\work\\zones.py": "def zone(): ...\n", "C:\\work\\infer.py": "import frames\n"}


@pytest.mark.parametrize("requires", ["py-zones (>=1)", "Py_Zones>=1; python_version >= '3.8'", "between"])
def test_a_file_named_like_what_an_imported_package_requires(requires: str) -> None:
    started = (ModuleStarted(module="frames", file=None),)
    finding = only(ask(world(frames(requires), run=SCRIPT), started, modules=()))
    assert (finding.code, str(finding.culprit), finding.object) == ("name-shadowing", "C:\\work\\zones.py", "zones")


@pytest.mark.parametrize("requires", ["other", "py-zones; extra == 'time'", 'py-zones ; (extra=="time")'])
def test_a_file_named_like_what_nothing_imported_requires(requires: str) -> None:
    started = (ModuleStarted(module="frames", file=None),)
    assert codes(ask(world(frames(requires), run=SCRIPT), started, modules=())) == []
