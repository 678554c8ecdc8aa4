"""Every rule that the code follows is named by a test, and the published index is the present one."""

from __future__ import annotations

from tests.rule_index import INDEX, defined, index_text, places, rules_in


def test_rule_numbers_are_read() -> None:
    assert rules_in("R2.30 to R2.32, r1_16, R3.9-R3.11") == {
        (2, 30),
        (2, 31),
        (2, 32),
        (1, 16),
        (3, 9),
        (3, 10),
        (3, 11),
    }


def test_every_rule_in_the_code_is_stated_and_tested() -> None:
    code, tests, stated = places("src"), places("tests"), set(defined())
    assert {rule for rule in code if rule not in stated} == set()
    assert {rule: files for rule, files in code.items() if rule not in tests} == {}


def test_the_index_is_up_to_date() -> None:
    assert INDEX.read_text(encoding="utf-8") == index_text(), "run: python -m tests.rule_index"
