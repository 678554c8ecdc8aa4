"""Expressions that are compiled for texts alone that have a word which they need: no match is hidden by that."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools.needed_words import best, divided, expressions, needs, words_of
from whyload.base import needed_words
from whyload.base.regular import Alternatives, folded, has_one, key_of, regular
from whyload.knowledge.reader import toml_loads

WHOLE, PARTS = expressions()
STATED = {key: words for key, words in needed_words.NEEDED.items() if key in WHOLE}
"""What is stated of an expression that was changed since is asked by nobody."""
DIVIDED = {key: PARTS[key] for key in needed_words.DIVIDED if key in PARTS}
TEXTS = [
    str(entry["text"])
    for file in sorted((Path(__file__).parents[1] / "engine").glob("*.toml"))
    for tables in [toml_loads(file.read_text(encoding="utf-8"))]
    for entry in (*tables.get("report", ()), *tables.get("text", ()))
]


def _is_proved(pattern: str, flags: int, words: tuple[str, ...]) -> bool:
    """Whether every match has one of the words, by what the parsed expression says."""
    told = [word for word in words if word]
    return any(all(any(word in literal for word in told) for literal in literals) for literals in needs(pattern, flags))


@pytest.mark.parametrize("key", STATED)
def test_every_match_has_one_of_the_words_that_are_stated(key: int) -> None:
    pattern, flags = WHOLE[key]
    assert _is_proved(pattern, flags, STATED[key])
    minds_case = STATED[key][0] != ""
    assert minds_case != bool(re.compile(pattern, flags).flags & re.IGNORECASE)


@pytest.mark.parametrize("key", DIVIDED)
def test_the_alternatives_are_the_whole_and_have_their_words(key: int) -> None:
    pattern, start = DIVIDED[key], 0
    for end, words in needed_words.DIVIDED[key]:
        part = pattern[start:end]
        assert re.compile(part).flags == re.compile("").flags  # also: it is an expression of its own
        assert not words or _is_proved(part, 0, words)
        assert end == len(pattern) or pattern[end] == "|"
        start = end + 1
    assert start == len(pattern) + 1


@pytest.mark.parametrize("key", STATED)
def test_no_stored_text_hides_a_match(key: int) -> None:
    pattern, words = re.compile(*WHOLE[key]), STATED[key]
    for text in TEXTS[::7]:
        assert has_one(text, words) or pattern.search(text) is None


@pytest.mark.parametrize("key", DIVIDED)
def test_alternatives_are_found_where_the_whole_is(key: int) -> None:
    whole, asked = re.compile(DIVIDED[key]), Alternatives(DIVIDED[key])
    for text in TEXTS[::7]:
        lower = " ".join(text.split()).lower()
        assert asked.are_in(lower) == (whole.search(lower) is not None)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_no_text_that_an_expression_makes_is_without_its_words(data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(STATED)))
    pattern = re.compile(*WHOLE[key])
    text = data.draw(st.from_regex(pattern))
    assert has_one(text, STATED[key]) or pattern.search(text) is None


def test_most_expressions_have_words() -> None:
    """After a change: `python -m tools.needed_words`."""
    assert len(STATED) > 0.7 * sum(bool(words_of(*given)) for given in WHOLE.values())
    assert len(DIVIDED) > 0.5 * len(PARTS)


def test_signs_that_count_as_ascii_where_case_does_not_matter() -> None:
    every = "".join(map(chr, range(0x80, sys.maxunicode + 1)))
    for letter in "abcdefghijklmnopqrstuvwxyz0123456789._-":
        for found in re.findall(re.escape(letter), every, re.IGNORECASE):
            assert folded(found) == letter


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("abc", {"abc"}),
        ("ab|cd", {"ab", "cd"}),
        ("x?abc", {"abc"}),
        (r"a\bbc", {"abc"}),
        ("(?:abc)?d", {"d"}),
        ("(?:abc)+d", {"abc"}),
        ("(?:abc|de)f", {"abc", "de"}),
        ("(?!xyz)ab", {"ab"}),
        ("[ab]cd", {"cd"}),
        ("(?i)ABC", {"abc"}),
        ("(a)?(?(1)bcdef|g)h", {"h"}),
        ("ab.cdef", {"cdef"}),
    ],
)
def test_what_an_expression_needs(pattern: str, expected: set[str]) -> None:
    assert best(list(needs(pattern))) == expected


@pytest.mark.parametrize("pattern", ["a?", "abc|", "[abc]", r"\d+", "(?:abc)*", "(?=abc)"])
def test_expressions_that_need_nothing(pattern: str) -> None:
    assert not list(needs(pattern))


def test_alternatives_end_at_bars_that_stand_in_nothing() -> None:
    assert [end for end, _ in divided(r"ab|(?:c|d)|[|]e|\|f|[]|]g")] == [2, 10, 15, 19, 25]


@pytest.fixture
def of_words(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(needed_words.NEEDED, key_of("fo+bar"), ("bar",))
    return regular("fo+bar")


def test_every_method_gives_what_the_compiled_expression_gives(of_words: Any) -> None:
    compiled = re.compile("fo+bar")
    for text in ("", "nothing", "bar", "foobar", "x foobar y fobar"):
        for method in ("search", "match", "fullmatch"):
            found, expected = getattr(of_words, method)(text), getattr(compiled, method)(text)
            assert (found and found.span()) == (expected and expected.span())
        assert [found[0] for found in of_words.finditer(text)] == compiled.findall(text) == of_words.findall(text)
        assert of_words.sub("-", text) == compiled.sub("-", text)
        assert of_words.split(text) == compiled.split(text)
        assert of_words.search(text, 1) == compiled.search(text, 1) or of_words.search(text, 1)[0] == "foobar"
    assert of_words.pattern == "fo+bar"


def test_nothing_is_compiled_for_texts_without_the_words(of_words: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def compile_(*given: Any) -> None:
        raise AssertionError(given)

    monkeypatch.setattr(re, "compile", compile_)
    assert of_words.search("foo") is None
    assert list(of_words.finditer("foo")) == []
    assert of_words.sub("-", "foo") == "foo"
    with pytest.raises(AssertionError):
        of_words.search("bar")
