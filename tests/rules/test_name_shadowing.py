"""Cause: docs/causes.md `name-shadowing`."""

from __future__ import annotations

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
