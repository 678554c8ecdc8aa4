"""What needs nothing but the machine is tried before it is told."""

from __future__ import annotations

from tests.testbed.memory import Files, record, world
from tests.testbed.pewriter import Dll
from whyload.api.trial import tried
from whyload.engine.static import ask
from whyload.findings.report import Question, QuestionKind
from whyload.remedies.model import Verified

PACKAGE: Files = {
    "pkg/__init__.py": "from . import _x\n",
    "pkg/_x.pyd": Dll(name="_x.pyd", pyinit="_x", imports={"helper.dll": ["f"]}),
}
HELPER = Dll(name="helper.dll", exports={"f": 1})
QUESTION = Question(kind=QuestionKind.IMPORT, modules=("pkg",))


def test_a_folder_is_tried() -> None:
    machine = world({**record("pkg", "1.0", PACKAGE), "C:\\sdk\\helper.dll": HELPER}, path=["C:\\sdk"])
    (finding,) = tried(machine, ask(machine, QUESTION), QUESTION).errors
    assert [remedy.verified for remedy in finding.remedies] == [Verified.SIMULATED]


def test_a_folder_behind_which_another_fault_shows_is_not_praised() -> None:
    second = Dll(name="helper.dll", exports={"f": 1}, imports={"gone.dll": ["g"]})
    machine = world({**record("pkg", "1.0", PACKAGE), "C:\\sdk\\helper.dll": second}, path=["C:\\sdk"])
    (finding, *_) = tried(machine, ask(machine, QUESTION), QUESTION).errors
    assert [(remedy.id, remedy.verified) for remedy in finding.remedies] == [("add-dll-directory", Verified.NO)]


def test_what_needs_wheels_stays_as_it_is() -> None:
    gone = {**PACKAGE, "pkg/helper.dll": HELPER}
    machine = world({**record("pkg", "1.0", gone), "C:\\Python\\Lib\\site-packages\\pkg\\helper.dll": b""})
    report = ask(machine, QUESTION)
    assert tried(machine, report, QUESTION) is report
