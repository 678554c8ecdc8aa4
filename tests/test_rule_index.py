"""Every rule is followed by code or said to be no matter for it, and tested; so is every row of section 8."""

from __future__ import annotations

from tests.rule_index import INDEX, LATER, NOT_STATIC, defined, index_text, places, row_tests, rows, rows_in, rules_in


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


def test_numbers_of_rows_are_read() -> None:
    assert rows_in("Row 28 and rows 80, 82; def test_rows_26_27_x; test_row_1_2; arrows 5; rows = 6") == {
        28, 80, 82, 26, 27, 1, 2,
    }  # fmt: skip


def test_every_rule_in_the_code_is_stated_and_tested() -> None:
    code, tests, stated = places("src"), places("tests"), set(defined())
    assert {rule for rule in code if rule not in stated} == set()
    assert {rule: files for rule, files in code.items() if rule not in tests} == {}


def test_every_rule_is_followed_or_said_to_be_no_matter_for_code() -> None:
    code = places("src")
    stated = {rule for rule in defined() if rule[0] not in LATER}
    assert stated - set(code) - set(NOT_STATIC) == set()
    assert set(NOT_STATIC) & set(code) == set()
    assert set(NOT_STATIC) <= stated


def test_every_row_of_section_8_is_a_test() -> None:
    wanted, tested = rows(), row_tests()
    assert len(wanted) == 112
    assert {row: given for row, given in wanted.items() if row not in tested} == {}
    assert set(tested) <= set(wanted)


def test_the_index_is_up_to_date() -> None:
    assert INDEX.read_text(encoding="utf-8") == index_text(), "run: python -m tests.rule_index"
