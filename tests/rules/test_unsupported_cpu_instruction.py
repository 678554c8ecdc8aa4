"""Cause: docs/causes.md `unsupported-cpu-instruction`."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, codes, healthy, saying
from tests.testbed.memory import SITE, world
from tests.testbed.pewriter import Dll
from whyload.engine.observed import answer_observed
from whyload.findings.report import Question, QuestionKind, Report
from whyload.observe.events import LibraryLoad, ModuleStarted, Via
from whyload.observe.observation import Observation, Outcome
from whyload.world.measured import Measured

LOAD = LibraryLoad(name=MODULE, via=Via.IMPORT, flags=0x1100, module="pkg._x")


def died(status: int) -> Report:
    observation = Observation(
        outcome=Outcome.DIED, exit_status=status, events=(ModuleStarted(module="pkg", file=None), LOAD), loaded=()
    )
    machine = world({MODULE: Dll(name="_x.pyd", pyinit="_x"), f"{SITE}\\pkg\\__init__.py": ""})
    return answer_observed(machine, Question(kind=QuestionKind.IMPORT, modules=("pkg",)), observation)


def test_fires_for_the_status_that_the_process_ended_with() -> None:
    finding = died(0xC000001D).findings[0]
    assert (finding.code, str(finding.culprit), finding.object) == ("unsupported-cpu-instruction", MODULE, "_x.pyd")


def test_another_status_is_a_crash_of_the_start_up() -> None:
    assert codes(died(0xC0000005)) == ["dllmain-failed"]


@pytest.mark.parametrize(
    "text",
    [
        "The TensorFlow library was compiled to use AVX instructions, but these aren't available on your machine.\n"
        "exit code -1073741795",
        "RuntimeError: NumPy was built with baseline optimizations:\n(X86_V2) but your machine doesn't support: X86_V2",
    ],
)
def test_fires_for_the_words_of_packages(text: str) -> None:
    assert codes(ask(saying(healthy(), text))) == ["unsupported-cpu-instruction"]


def test_what_the_processor_lacks_is_shown_where_it_is_known() -> None:
    measured = Measured(processor_features={"sse4.2": True, "avx": False, "avx2": False})
    finding = ask(saying(healthy(), "exit code 3221225501", measured)).findings[0]
    assert finding.notes[0].en == "this processor does not support avx, avx2"


def test_stays_quiet_without_such_a_word() -> None:
    assert codes(ask(saying(healthy(), "RuntimeError: AVX is nice"))) == []


@pytest.mark.parametrize(
    ("features", "code"), [({"avx2": False}, "unsupported-cpu-instruction"), (None, "dllmain-failed")]
)
def test_a_start_up_that_fails_on_an_old_processor(features: dict[str, bool] | None, code: str) -> None:
    said = f'OSError: [WinError 1114] x Error loading "{MODULE}"'
    assert codes(ask(saying(healthy(), said, Measured(processor_features=features)))) == [code]
