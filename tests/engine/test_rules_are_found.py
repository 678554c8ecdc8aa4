"""Rules are found by their files; each is one of the closed list of causes, has a page and a test."""

from __future__ import annotations

import pkgutil
from pathlib import Path

import pytest

from whyload import rules
from whyload.base.message import Message
from whyload.engine import judge
from whyload.facts.shadows import ShadowedModule
from whyload.findings.report import NotChecked
from whyload.knowledge.causes import causes

CODES = sorted(info.name for info in pkgutil.iter_modules(rules.__path__))


@pytest.mark.parametrize("name", CODES)
def test_a_rule_is_a_cause_with_a_page_and_a_test(name: str) -> None:
    assert name.replace("_", "-") in {cause.code for cause in causes()}
    module = next(item for item in judge.rule_modules() if item.__name__.endswith(f".{name}"))
    assert len((module.__doc__ or "").strip().split("\n\n")) >= 2
    examined = hasattr(module, "examine")
    assert (Path(__file__).parents[1] / "rules" / f"test_{name}.py").is_file() == examined


def test_every_cause_has_a_rule() -> None:
    assert {name.replace("_", "-") for name in CODES} == {cause.code for cause in causes()}
    assert [module.__name__.rpartition(".")[2] for module in judge.rule_modules()] == CODES


@pytest.mark.parametrize("name", CODES)
def test_what_a_rule_examines_is_listed(name: str) -> None:
    """Else it is not asked, or imported for every question."""
    module = next(item for item in judge.rule_modules() if item.__name__.endswith(f".{name}"))
    examined = {kind.__name__ for kind in judge._examined(module)} if hasattr(module, "examine") else set()
    assert set(rules.EXAMINED[name.replace("_", "-")]) == examined


def test_only_rules_that_can_answer_are_asked() -> None:
    assert [code for code, _ in judge._rules_of(ShadowedModule)] == ["name-shadowing"]
    assert judge._rules_of(int) == ()


def test_a_rule_that_breaks_down_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    class Subject:
        pass

    def broken(subject: object) -> None:
        raise ZeroDivisionError("boom")

    monkeypatch.setattr(judge, "_rules_of", lambda kind: (("missing-openmp", broken),))
    findings, unchecked = judge.judge([Subject()])
    assert findings == []
    assert unchecked == [
        NotChecked(
            what=Message(en="rule missing-openmp", zh="规则 missing-openmp"),
            why=Message(en="it crashed: ZeroDivisionError: boom", zh="规则出错：ZeroDivisionError: boom"),
        )
    ]
