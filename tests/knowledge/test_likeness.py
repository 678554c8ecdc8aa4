"""What texts that read alike turned out to be: the form of the model, and how it is asked."""

from __future__ import annotations

import math

import pytest

from whyload.knowledge.causes import causes
from whyload.knowledge.likeness import chances_of, relatedness_of
from whyload.knowledge.reader import data_text

MODELS = {
    name: [line for line in data_text(f"{name}.txt").splitlines() if not line.startswith("# ")]
    for name in ("likeness", "relatedness")
}


def test_every_cause_of_the_model_is_one_of_the_closed_list() -> None:
    assert set(MODELS["likeness"][0].split()) <= {cause.code for cause in causes()}


@pytest.mark.parametrize("lines", MODELS.values(), ids=list(MODELS))
def test_every_feature_stands_once_and_weighs_for_outcomes_that_there_are(lines: list[str]) -> None:
    named = lines[0].split()
    assert len(set(named)) == len(named) == len(lines[1].split())
    features = [line.split("\t")[0] for line in lines[2:]]
    assert features == sorted(set(features))
    for line in lines[2:]:
        _, rarity, row = line.split("\t")
        assert int(rarity) > 0
        assert {int(entry.split(":")[0]) for entry in row.split()} <= set(range(len(named)))


def test_chances_add_up() -> None:
    for features in ((), ("avx",), ("nobody", "ever", "wrote", "xyzzyx")):
        assert math.isclose(sum(chances_of(features).values()), 1)


def test_features_that_no_report_has_say_nothing() -> None:
    assert chances_of(("xyzzyx",)) == chances_of(())


@pytest.mark.parametrize(
    ("features", "cause"),
    [
        (("avx", "cpu", "processor"), "unsupported-cpu-instruction"),
        (("glibc", "centos"), "glibc-too-old"),
        (("alpine", "musl"), "libc-mismatch-musl"),
        (("quarantine", "antivirus", "defender"), "antivirus-quarantine"),
        (("#1455", "页面", "文件", "太小"), "paging-file-too-small"),
        (("pyinstaller", "exe", "frozen"), "frozen-app-missing-file"),
    ],
)
def test_words_of_the_field_speak_for_their_cause(features: tuple[str, ...], cause: str) -> None:
    found = chances_of(features)
    assert max(found, key=lambda code: found[code]) == cause


def test_words_of_the_field_are_related() -> None:
    assert relatedness_of(("dll", "load", "failed", "python")) > 0 > relatedness_of(("git", "branch", "commit"))
