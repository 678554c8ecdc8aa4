"""Every cause is named for a text of its own, and stays quiet for a text that has nothing to do with it."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import pytest

from tests.symptoms.texts import NOT_FIRST, TEXTS
from whyload import symptoms
from whyload.engine.explain import explain
from whyload.knowledge.causes import causes
from whyload.observe.text.reading import read_clues

CODES = [cause.code for cause in causes()]


def test_every_cause_has_a_module_and_a_text() -> None:
    modules = {info.name.replace("_", "-") for info in pkgutil.iter_modules(symptoms.__path__)}
    assert modules == set(CODES)
    assert set(TEXTS) == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_it_is_named_for_its_text(code: str) -> None:
    found = [candidate.code for candidate in explain(TEXTS[code]).candidates]
    assert code in found[:3]
    if code not in NOT_FIRST:
        assert found[0] == code


@pytest.mark.parametrize("code", CODES)
def test_it_answers_under_its_own_name_and_in_both_languages(code: str) -> None:
    module = import_module(f"whyload.symptoms.{code.replace('-', '_')}")
    candidate = module.explain(read_clues(TEXTS[code]))
    assert candidate is not None
    assert candidate.code == code
    assert candidate.why.en != candidate.why.zh
    for remedy in candidate.remedies:
        assert remedy.title.en != remedy.title.zh
        assert "System32" not in " ".join((*remedy.commands, remedy.title.en))
        assert "regsvr32" not in " ".join(remedy.commands)


@pytest.mark.parametrize("code", CODES)
def test_it_stays_quiet_where_nothing_native_is_told_of(code: str) -> None:
    module = import_module(f"whyload.symptoms.{code.replace('-', '_')}")
    text = (
        "Windows 7 Server Core 32-bit, Anaconda and pip mixed, PyInstaller, antivirus, upgraded, built from source, "
        "torch 2.4.0, CUDA 12.1, cuDNN 8.9, Python 3.11 in Docker on WSL: all is well"
    )
    assert module.explain(read_clues(text)) is None
