"""Cause: docs/causes.md `missing-openmp`; names: import tables of torch 2.4.0 and of MKL extensions."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, codes, module, only
from tests.testbed.memory import SITE, world
from tests.testbed.pewriter import Dll
from whyload.findings.model import Certainty
from whyload.findings.report import Verdict


@pytest.mark.parametrize("name", ["libomp140.x86_64.dll", "libiomp5md.dll", "vcomp140.dll"])
def test_fires(name: str) -> None:
    report = ask(world({MODULE: module({name: ["omp_get_max_threads"]})}))
    finding = only(report)
    assert report.verdict is Verdict.FAILS
    assert (finding.code, str(finding.culprit), finding.object) == ("missing-openmp", MODULE, name)
    assert finding.certainty is Certainty.PROVED
    assert finding.os_error is not None
    assert finding.os_error.winerror == 126


def test_names_the_file_next_to_the_fault() -> None:
    inner = f"{SITE}\\pkg\\fbgemm.dll"
    files = {
        MODULE: module({"fbgemm.dll": ["f"]}),
        inner: Dll(name="fbgemm.dll", exports={"f": 1}, imports={"vcomp140.dll": ["g"]}),
    }
    finding = only(ask(world(files)))
    assert str(finding.culprit) == inner
    assert finding.chain[-2:] == (inner, "vcomp140.dll")


def test_a_stray_copy_elsewhere_does_not_change_the_code() -> None:
    files = {
        MODULE: module({"libiomp5md.dll": ["f"]}),
        "C:\\mkl\\libiomp5md.dll": Dll(name="libiomp5md.dll", exports={"f": 1}),
    }
    assert codes(ask(world(files, path=["C:\\mkl"]))) == ["missing-openmp"]


def test_stays_quiet_when_it_is_there() -> None:
    files = {
        MODULE: module({"libiomp5md.dll": ["f"]}),
        f"{SITE}\\pkg\\libiomp5md.dll": Dll(name="libiomp5md.dll", exports={"f": 1}),
    }
    report = ask(world(files))
    assert (report.verdict, report.findings) == (Verdict.LOADS, ())


def test_a_defective_release_is_cured_by_the_next() -> None:
    from tests.testbed.memory import record

    files = record("torch", "2.4.0", {"pkg/_x.pyd": module({"libomp140.x86_64.dll": ["f"]})})
    finding = only(ask(world(files)))
    assert finding.remedies[0].commands[0].endswith("-m pip install torch==2.4.1")
