"""What is named where no cause has anything to say."""

from __future__ import annotations

import pytest

from whyload.engine.explain import rank
from whyload.engine.guess import _as_guess, _suspect, guessed
from whyload.findings.candidate import Strength
from whyload.findings.certainty import Certainty
from whyload.knowledge.reader import data_text
from whyload.observe.text.clues import Clues
from whyload.observe.text.reading import read_clues

CODES = next(line for line in data_text("likeness.txt").splitlines() if not line.startswith("#")).split()

_SILENT = (
    ">>> import custom\nC:\\Users\\user>\n\nos: Windows 11\ncustom: own C extension, installed with pip for 3.13t; "
    "Python exits at the import, faulting module custom.cp313t-win_amd64.pyd\nnote: it works in the regular 3.13"
)


def test_three_causes_as_a_guess() -> None:
    found = guessed(read_clues(_SILENT))
    assert len({candidate.code for candidate in found}) == 3
    for candidate in found:
        assert candidate.strength is Strength.POSSIBLE
        assert candidate.certainty is Certainty.POSSIBLE
        assert candidate.ask
        assert "guess" in candidate.why.en
        assert "推测" in candidate.why.zh
    assert "most public reports" in found[0].why.en
    assert all("some public reports" in candidate.why.en for candidate in found[1:])


def test_none_without_a_sign_of_a_library() -> None:
    assert not guessed(read_clues("os: Windows 11\npython: 3.12\ntorch: 2.4.0+cu121, installed with pip"))


def test_none_of_what_reads_like_something_else() -> None:
    assert not guessed(read_clues("RuntimeError: Could not load the prompt library from https://example.org: timeout"))


def test_none_of_a_log() -> None:
    assert not guessed(read_clues("step 12 loss 0.3\n" * 200 + _SILENT))


def test_what_a_cause_says_comes_alone() -> None:
    clues = read_clues("ImportError: /lib/libm.so.6: version `GLIBC_2.29' not found (required by /env/_x.so)")
    assert all("guess" not in candidate.why.en for candidate in rank(clues))


@pytest.mark.parametrize("code", CODES)
def test_every_cause_that_may_be_guessed_has_a_question(code: str) -> None:
    candidate = _as_guess(Clues(text="", suspects=(_suspect((code,)),)), code, is_first=True)
    assert candidate.code == code
    assert candidate.ask
