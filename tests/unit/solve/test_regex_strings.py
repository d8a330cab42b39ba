"""Strings from ECMAScript expressions. Expected verdicts of the table were taken from Node 20."""

import re
import string
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wimble.solve.patterns.ecmascript import compiled, matches
from wimble.solve.patterns.regex import MAX_EXTRA_REPEATS, matching_string, near_miss

SOLVABLE = [
    (r"^[A-Z]{3}-\d{4}$", ""),
    (r"^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&])[A-Za-z\d@$!%*?&]{8,12}$", ""),
    (r"^(?=.*[a-z])(?=.*\d)[a-z\d]{8}$", ""),
    (r"^(?=.{8,32}$)(?!.*--)[a-z-]+$", ""),
    (r"(?<year>\d{4})\/\k<year>", ""),
    (r"^[\w-.]+@[^\s@]+\.[^]$", ""),
    (r"^\p{L}+\s\u{1F600}$", "u"),
    (r"^\p{Script=Cyrillic}{2}\P{Lu}$", "u"),
    (r"^[^\x00-\x7f]+$", ""),
    (r"^a{,3}$", ""),
    (r"\bfoo\b", "gi"),
    (r"(?<!x)a", "y"),
    (r"[[]", ""),
    (r"^\Z$", ""),
    (r"^(?!abc)[abc]{3}$", ""),
    (r"^\$\{[^}]*\}$", ""),
    (r"^(\d)\1-x\12$", ""),
    (r"^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$", "i"),
    (r"^(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$", ""),
]


@pytest.mark.parametrize(("source", "flags"), SOLVABLE)
def test_matching_strings_match(source: str, flags: str) -> None:
    rng = Random(3)
    for _ in range(20):
        text = matching_string(source, flags, rng)
        assert text is not None and matches(source, flags, text)


@pytest.mark.parametrize(("source", "flags"), SOLVABLE)
def test_near_misses_do_not_match(source: str, flags: str) -> None:
    rng = Random(3)
    for _ in range(20):
        text = near_miss(source, flags, rng)
        assert text is not None and not matches(source, flags, text)


@pytest.mark.parametrize("source", ["(", "[]", r"a\b\Bb", r"\p{Nonsense}", "(a{500}){500}", "x(?!x)(?=x)", "[z-a]"])
def test_unsolvable_patterns_answer_none(source: str) -> None:
    assert matching_string(source, "", Random(1)) is None


def test_patterns_that_match_everything_have_no_near_miss() -> None:
    assert near_miss(".*", "", Random(1)) is None


def test_same_seed_same_string() -> None:
    pattern = r"^[^a-f]{3}\W\S.[^\d]$"
    assert matching_string(pattern, "", Random(9)) == matching_string(pattern, "", Random(9)) == "1Ox!aR&"


def test_unanchored_patterns_are_not_padded_and_repeats_are_short() -> None:
    for seed in range(30):
        assert matching_string("abc", "", Random(seed)) == "abc"
        text = matching_string(r"\d+", "", Random(seed))
        assert text is not None and len(text) <= 1 + MAX_EXTRA_REPEATS


# (source, flags, text, what Node answers to new RegExp(source, flags).test(text))
VERDICTS = [
    (r"a$", "", "a\n", False),
    (r"a$", "m", "a\nb", True),
    (r"^.$", "", "\u2028", False),
    (r"^.$", "s", "\n", True),
    (r"^\s$", "", "\u00a0", True),
    (r"^\S$", "", "\ufeff", False),
    (r"^\d$", "", "\u0663", False),
    (r"^\w$", "", "\u00e9", False),
    (r"^[\w-]$", "", "-", True),
    (r"^[^]$", "", "\n", True),
    (r"^[\b]$", "", "\b", True),
    (r"^\A\z$", "", "Az", True),
    (r"^\cA$", "", "\x01", True),
    (r"^\x41\u0042\u{43}$", "u", "ABC", True),
    (r"^\ud83d\ude00$", "u", "\U0001f600", True),
    (r"^[&&||~~[]$", "", "&", True),
    (r"^[+--]$", "", ",", True),
    (r"^(a)\1\12$", "", "aa\n", True),
    (r"^[\101\0]\8$", "", "A8", True),
    (r"^[a&&b]$", "", "&", True),
    (r"^{$", "", "{", True),
    (r"^a{2,}$", "", "aaa", True),
    (r"^(?<$x>a)\k<$x>$", "", "aa", True),
    (r"B", "i", "b", True),
    (r"b", "y", "ab", False),
    (r"^\/\-\.$", "", "/-.", True),
    (r"^[\]\\^-]+$", "", "]\\^-", True),
]


@pytest.mark.parametrize(("source", "flags", "text", "expected"), VERDICTS)
def test_verdicts_agree_with_node(source: str, flags: str, text: str, expected: bool) -> None:
    assert matches(source, flags, text) is expected


@given(st.text(alphabet=string.printable + "\u00e9\u2028\U0001f600", max_size=6))
def test_escaped_text_matches_itself_only(text: str) -> None:
    source = "^" + re.sub(r"([\\^$.*+?()[\]{}|/])", r"\\\1", text) + "$"
    assert matches(source, "", text)
    assert not matches(source, "", text + "x")
    assert matching_string(source, "", Random(0)) == text


@given(st.text(alphabet="ab01[](){}^$|*+?.\\dwsSbB-,:=!<>kpPuxc", max_size=12), st.sampled_from(["", "i", "u", "ms"]))
def test_any_source_is_translated_or_refused(source: str, flags: str) -> None:
    pattern = compiled(source, flags)
    text = matching_string(source, flags, Random(0))
    assert text is None or (pattern is not None and matches(source, flags, text))
