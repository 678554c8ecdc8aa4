"""From an observation to a report: the simulation starts from the context that the run had."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.testbed.memory import SITE, world
from tests.testbed.pewriter import Dll
from whyload.base.paths import WinPath
from whyload.engine.observed import answer_observed
from whyload.findings.certainty import Certainty
from whyload.findings.report import Question, QuestionKind, Report, Verdict
from whyload.observe.events import Attempt, DirectoryAdded, LibraryLoad, ModuleStarted, Place, Via
from whyload.observe.observation import ExceptionInfo, Frame, Observation, Outcome

MODULE = f"{SITE}\\pkg\\_x.pyd"
FILES = {
    MODULE: Dll(name="_x.pyd", pyinit="_x", imports={"a.dll": ["f"]}),
    "C:\\lib\\a.dll": Dll(name="a.dll", exports={"g": 1}),
    "C:\\other\\a.dll": Dll(name="a.dll", exports={"f": 1}),
}
LOAD = LibraryLoad(name=MODULE, via=Via.IMPORT, flags=0x1100, module="pkg._x")
ERROR = ExceptionInfo(type="ImportError", text="DLL load failed while importing _x", name="_x", path=MODULE)
RAISED = Observation(
    outcome=Outcome.RAISED,
    exit_status=1,
    events=(ModuleStarted(module="pkg", file=None), LOAD),
    exceptions=(ERROR,),
    loaded=(WinPath("C:\\Python\\python.exe"),),
    cwd="C:\\work",
)


def report(observation: Observation) -> Report:
    return answer_observed(
        world(FILES, path=["C:\\other"]), Question(kind=QuestionKind.IMPORT, modules=("pkg",)), observation
    )


def test_a_run_that_works_is_no_matter_for_rules() -> None:
    answer = report(Observation(outcome=Outcome.FINISHED, exit_status=0, events=(LOAD,)))
    assert (answer.verdict, answer.findings) == (Verdict.LOADS, ())


def test_the_load_that_failed_is_simulated() -> None:
    answer = report(RAISED)
    finding = answer.findings[0]
    assert (answer.verdict, finding.code, finding.object) == (Verdict.FAILS, "dependency-not-on-search-path", "a.dll")


def test_added_folders_of_the_run_count() -> None:
    events = (DirectoryAdded(path=WinPath("C:\\lib")), LOAD)
    finding = report(replace(RAISED, events=events)).findings[0]
    assert (finding.code, str(finding.culprit), finding.symbol) == ("path-shadowing", "C:\\lib\\a.dll", "f")


def test_modules_of_the_run_count() -> None:
    loaded = (WinPath("C:\\Python\\python.exe"), WinPath("C:\\lib\\a.dll"))
    finding = report(replace(RAISED, loaded=loaded)).findings[0]
    assert (finding.code, str(finding.culprit)) == ("path-shadowing", "C:\\lib\\a.dll")


def test_what_the_simulation_cannot_explain_is_said() -> None:
    loaded = (WinPath("C:\\Python\\python.exe"), WinPath("C:\\other\\a.dll"))
    answer = report(replace(RAISED, loaded=loaded))
    assert (answer.verdict, answer.findings) == (Verdict.FAILS, ())
    assert any("initialisation" in item.why.en for item in answer.not_checked)
    assert any("ImportError" in item.why.en for item in answer.not_checked)


def test_a_crash_is_a_result() -> None:
    answer = report(Observation(outcome=Outcome.DIED, exit_status=0xC0000005))
    assert answer.verdict is Verdict.FAILS
    assert any("0xC0000005, WinError 998" in item.why.en for item in answer.not_checked)


def test_a_library_that_was_tried_in_two_ways() -> None:
    path = f"{SITE}\\torch\\lib\\fbgemm.dll"
    files = {**FILES, path: Dll(name="fbgemm.dll", imports={"libomp140.x86_64.dll": ["f"]})}
    text = f'[WinError 126] 找不到指定的模块。 Error loading "{path}" or one of its dependencies.'
    observation = replace(
        RAISED,
        events=(
            LibraryLoad(name=path, via=Via.LOADLIBRARY, flags=0x1100),
            LibraryLoad(name=path, via=Via.LOADLIBRARY, flags=0),
        ),
        exceptions=(ExceptionInfo(type="OSError", text=text, winerror=126),),
    )
    answer = answer_observed(world(files), Question(kind=QuestionKind.IMPORT, modules=("torch",)), observation)
    finding = answer.findings[0]
    assert (finding.code, str(finding.culprit), finding.object) == ("missing-openmp", path, "libomp140.x86_64.dll")


def test_a_function_that_the_loaded_library_lacks() -> None:
    load = LibraryLoad(name="a.dll", via=Via.CTYPES, flags=0, symbols=("f",))
    observation = replace(
        RAISED,
        events=(load,),
        exceptions=(ExceptionInfo(type="AttributeError", text="function 'f' not found"),),
        loaded=(WinPath("C:\\Python\\python.exe"), WinPath("C:\\lib\\a.dll")),
    )
    finding = report(observation).findings[0]
    assert (finding.code, str(finding.culprit), finding.symbol) == ("path-shadowing", "C:\\lib\\a.dll", "f")


def test_names_that_the_raising_file_tried_in_turn() -> None:
    file = WinPath(f"{SITE}\\magic\\loader.py")
    loads = [
        LibraryLoad(name=name, via=Via.CTYPES, flags=0x1000, place=Place(file=file, line=44))
        for name in ("libmagic.dll", "magic1.dll")
    ]
    frame = Frame(place=Place(file=file, line=50), function="load_lib")
    observation = replace(
        RAISED,
        events=tuple(Attempt(body=(load,)) for load in loads),
        exceptions=(ExceptionInfo(type="ImportError", text="failed to find libmagic", frames=(frame,)),),
    )
    finding = report(observation).findings[0]
    assert (finding.code, finding.object, finding.culprit) == ("missing-dependency", "libmagic.dll", file)


def test_an_optional_library_is_not_blamed_for_an_error_elsewhere() -> None:
    load = LibraryLoad(name="opt.dll", via=Via.CTYPES, flags=0x1000, place=Place(file=WinPath("C:\\a.py"), line=1))
    frame = Frame(place=Place(file=WinPath("C:\\b.py"), line=2), function="main")
    error = ExceptionInfo(type="ImportError", text="cannot import name 'x'", frames=(frame,))
    assert report(replace(RAISED, events=(Attempt(body=(load,)),), exceptions=(error,))).findings == ()


@pytest.mark.parametrize(
    ("winerror", "sure"),
    [(126, True), (None, True), (193, False), (1114, False)],
)
def test_another_error_than_the_simulated_one_makes_less_sure(winerror: int | None, sure: bool) -> None:
    """The load fails here for want of a file: 126. Where the run says something else, both are said."""
    machine = world({MODULE: Dll(name="_x.pyd", pyinit="_x", imports={"gone.dll": ["f"]})})
    error = replace(ERROR, winerror=winerror)
    answer = answer_observed(
        machine, Question(kind=QuestionKind.IMPORT, modules=("pkg",)), replace(RAISED, exceptions=(error,))
    )
    disagree = [item for item in answer.not_checked if "disagree" in item.why.en]
    assert answer.findings[0].object == "gone.dll"
    assert (answer.findings[0].certainty is Certainty.PROVED) is sure
    assert bool(disagree) is not sure
    assert all(f"error {winerror}" in item.why.en and "126" in item.why.en for item in disagree)


def test_a_library_of_the_package_that_the_run_lived_without_until_then() -> None:
    meta = Frame(place=Place(file=WinPath(f"{SITE}\\pkg\\meta.py"), line=1), function="f", module="pkg.meta")
    own = Frame(place=Place(file=WinPath("C:\\work\\lib.py"), line=1), function="g", module="lib")
    error = ExceptionInfo(type="RuntimeError", text="operator pkg::nms does not exist", frames=(meta, own))
    run = replace(RAISED, events=(Attempt(body=(LOAD,), catches=("ImportError",)),), exceptions=(error,))
    finding = report(run).findings[0]
    assert (finding.code, finding.object, finding.certainty) == (
        "dependency-not-on-search-path",
        "a.dll",
        Certainty.LIKELY,
    )
    assert report(replace(run, exceptions=(replace(error, type="ValueError"),))).findings == ()
    assert report(replace(run, exceptions=(replace(error, frames=(own,)),))).findings == ()
