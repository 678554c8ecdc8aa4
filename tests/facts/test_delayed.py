"""Delay imports that a run needed (loader.md R2.52; Microsoft, "Error handling and notification")."""

from __future__ import annotations

import pytest

from tests.rules.asking import ask, codes, module, only, saying
from tests.testbed.memory import SITE, world
from whyload.findings.report import Verdict

CAMERA = world({f"{SITE}\\pkg\\_x.pyd": module({}, delay={"camsdk.dll": ["CamOpen"]})})


@pytest.mark.parametrize(
    "said",
    [
        "Process finished with exit code -1066598274 (0xC06D007E)",
        "Unhandled exception at 0x00007FFB: 0xC06D007E: Module not found.",
        "could not start camsdk.dll: the camera is off",
    ],
)
def test_a_run_that_ended_for_want_of_one(said: str) -> None:
    finding = only(ask(saying(CAMERA, said)))
    assert (finding.code, str(finding.culprit), finding.object) == (
        "missing-dependency",
        f"{SITE}\\pkg\\_x.pyd",
        "camsdk.dll",
    )


@pytest.mark.parametrize("said", ["", "it works", "mycamsdk.dll was found", "exit code 0xC0000374"])
def test_one_that_nothing_speaks_of(said: str) -> None:
    report = ask(saying(CAMERA, said))
    assert (codes(report), report.verdict) == ([], Verdict.LOADS if "0x" not in said else report.verdict)
