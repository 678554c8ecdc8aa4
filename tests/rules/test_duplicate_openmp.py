"""Cause: docs/causes.md `duplicate-openmp`."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, codes, importing, module, only, saying
from tests.testbed.memory import SITE, Files, record, world
from tests.testbed.pewriter import Dll
from whyload.base.paths import WinPath
from whyload.engine.observed import answer_observed
from whyload.findings.model import Severity
from whyload.findings.report import Question, QuestionKind, Report, Verdict
from whyload.observe.events import LibraryLoad, Via
from whyload.observe.observation import Observation, Outcome

FIRST, SECOND = f"{SITE}\\mkl\\libiomp5md.dll", f"{SITE}\\torch\\lib\\libiomp5md.dll"
SAID = "OMP: Error #15: Initializing libiomp5md.dll, but found libiomp5md.dll already initialized."


def both(name: str = "libiomp5md.dll", said: str = "") -> Report:
    files: Files = {
        **record("mkl", "2024.0", {"mkl/libiomp5md.dll": Dll(name="libiomp5md.dll", exports={"f": 1})}),
        **record("torch", "2.4.1", {f"torch/lib/{name}": Dll(name=name, exports={"f": 1})}),
        MODULE: module({}),
    }
    loads = [LibraryLoad(name=path, via=Via.CTYPES, flags=0x1100) for path in (FIRST, f"{SITE}\\torch\\lib\\{name}")]
    machine = world(files)
    return ask(saying(machine, said) if said else machine, (*loads, *importing()))


def test_fires_for_the_words_of_the_runtime_and_names_both_copies() -> None:
    finding = both(said=SAID).findings[0]
    assert (finding.code, finding.severity) == ("duplicate-openmp", Severity.ERROR)
    assert (str(finding.culprit), finding.object, str(finding.found_at)) == (SECOND, "libiomp5md.dll", FIRST)


def test_warns_where_both_are_loaded() -> None:
    report = both()
    finding = only(report)
    assert (finding.code, finding.severity, report.verdict) == ("duplicate-openmp", Severity.WARNING, Verdict.LOADS)
    assert (str(finding.culprit), str(finding.found_at)) == (SECOND, FIRST)


def test_the_name_that_a_wheel_repairer_made_counts_too() -> None:
    assert codes(both("libomp140.x86_64-342e80c06daee0da2e436795e93b0163.dll")) == ["duplicate-openmp"]


@pytest.mark.parametrize("name", ["vcomp140.dll", "libiompstubs5md.dll", "libgomp-1.dll"])
def test_stays_quiet_for_a_runtime_of_another_kind(name: str) -> None:
    assert codes(both(name)) == []


def test_stays_quiet_where_one_package_brings_both() -> None:
    library = Dll(name="x", exports={"f": 1})
    files: Files = record("faiss", "1.8", {"mkl/libiomp5md.dll": library, "torch/lib/libomp.dll": library})
    loads = [
        LibraryLoad(name=f"{SITE}\\{name}", via=Via.CTYPES, flags=0)
        for name in ("mkl\\libiomp5md.dll", "torch\\lib\\libomp.dll")
    ]
    assert codes(ask(world({**files, MODULE: module({})}), (*loads, *importing()))) == []


def test_the_words_alone_are_enough() -> None:
    finding = only(ask(saying(world({MODULE: module({})}), SAID)))
    assert (finding.code, finding.object, finding.culprit) == ("duplicate-openmp", "libiomp5md.dll", None)


def test_fires_for_a_run_that_the_runtime_ended() -> None:
    """abort() ends a process of Windows with exit code 3."""
    files: Files = {FIRST: Dll(name="libiomp5md.dll"), SECOND: Dll(name="libiomp5md.dll")}
    ended = Observation(
        outcome=Outcome.DIED, exit_status=3, stderr=SAID + "\n", loaded=(WinPath(FIRST), WinPath(SECOND))
    )
    report = answer_observed(world(files), Question(kind=QuestionKind.IMPORT, modules=("torch",)), ended)
    finding = report.findings[0]
    assert (finding.code, str(finding.culprit), report.verdict) == ("duplicate-openmp", SECOND, Verdict.FAILS)
