"""What of a text is compared with public reports."""

from __future__ import annotations

import pytest

from whyload.observe.text.features import features_of
from whyload.observe.text.reading import read_clues


@pytest.mark.parametrize(
    ("text", "has", "has_not"),
    [
        ("Torch 2.4.1 on Windows", {"torch", "2.4", "windows"}, {"2.4.1", "2", "Torch"}),
        ("fbgemm.dll", {"fbgemm", "dll"}, {"fbgemm.dll"}),
        ("找不到指定的模块", {"找不", "不到", "模块"}, {"找不到指定的模块", "找"}),
        ("指", {"指"}, set()),
        ("E   it fails on C: with -x", {"it", "with"}, {"e", "c", "x"}),
        ("モジュール", {"モジ", "ール"}, {"モジュール"}),
        (
            "DLL load failed while importing x: The specified module could not be found.",
            {"#126", "!import-failed"},
            set(),
        ),
        ("", set(), {""}),
    ],
)
def test_words(text: str, has: set[str], has_not: set[str]) -> None:
    found = features_of(read_clues(text))
    assert has <= found
    assert not has_not & found


def test_what_was_understood_counts_beside_the_words() -> None:
    found = features_of(
        read_clues("ImportError: DLL load failed: x\nnote: works in the Anaconda Prompt, python: conda")
    )
    assert "+conda" in found


def test_order_and_repetition_do_not_matter() -> None:
    assert features_of(read_clues("b a a")) == features_of(read_clues("a b"))
