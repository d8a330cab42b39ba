"""What matches a text of a fixed length, for expressions that are no languages too."""

from __future__ import annotations

from random import Random

import pytest
import z3

from wimble.solve.path_conditions import Unmodelled
from wimble.solve.patterns.ecmascript import compiled, matches
from wimble.solve.patterns.regex import matching_string
from wimble.solve.patterns.regex_languages import Ranges
from wimble.solve.patterns.regex_spans import Term, has_match

PATTERNS = (
    (r"^[a-f0-9]{3,4}$", ""),
    (r"^(a|b)*c?$", ""),
    (r"(^|,)x", ""),
    (r"^(?=.*\d)(?=.*[a-z])(?!.*(.)\1).{3,6}$", ""),
    (r"^(?!ab)\w+$", ""),
    (r"(?<=a)b|(?<![a-c])0", ""),
    (r"(?<=^|[ ,])x+(?=$|,)", ""),
    (r"^(['x])([ab]+)\1=?\2$", ""),
    (r"(a)?b\1", ""),
    (r"^(?<one>[ab0])\k<one>", "i"),
    (r"^a$|^[xy]+$", "m"),
    (r"[ab]+[01]", "y"),
    (r"\ba|[01]\B", ""),
    (r"(?:x|yy){2,3}$", ""),
    (r"(?:a\b,?)+", ""),
    (r"(?:[ab]?)*0", ""),
    (r"(a*)*b|x{0,2}?y", ""),
    (r"(.)(.)\2\1", "i"),
)
ALPHABET = "abcxyAB01', =\n"


def in_ranges(code: Term, ranges: Ranges) -> Term:
    return z3.Or(*(z3.And(code >= low, code <= high) for low, high in ranges))


def is_match(text: str, source: str, flags: str, start: int = 0, group: int = 0) -> bool:
    codes = [z3.IntVal(ord(char)) for char in text]
    term = has_match(codes, (source, flags), start=start, group=group, in_ranges=in_ranges)
    return z3.is_true(z3.simplify(term))


@pytest.mark.parametrize(("source", "flags"), PATTERNS)
def test_matches_what_the_expression_matches(source: str, flags: str) -> None:
    rng, n_matches = Random(source), 0
    for number in range(80):
        text = "".join(rng.choice(ALPHABET) for _ in range(rng.randrange(8)))
        if number % 2 == 0:
            text = matching_string(source, flags, rng) or text
        expected = matches(source, flags, text)
        assert is_match(text, source, flags) == expected, repr(text)
        n_matches += bool(expected)
    assert n_matches >= 20


@pytest.mark.parametrize(("source", "flags"), [one for one in PATTERNS if one[1] in ("", "m")])
def test_what_stands_before_the_start_of_a_search_counts(source: str, flags: str) -> None:
    pattern = compiled(source, flags)
    rng = Random(source)
    for _ in range(40 if pattern is not None else 0):
        text = "".join(rng.choice(ALPHABET) for _ in range(rng.randrange(2, 7)))
        assert pattern is not None
        assert is_match(text, source, flags, start=2) == (pattern.search(text, 2) is not None), repr(text)


def test_a_group_can_be_required() -> None:
    assert is_match("ab", r"^(a)?b$", "", group=1)
    assert is_match("b", r"^(a)?b$", "")
    assert not is_match("b", r"^(a)?b$", "", group=1)


def test_a_group_that_a_repetition_left_out_is_empty() -> None:
    assert not is_match("babbac", r"(?:(a)|b)+\1c", "")
    assert is_match("babaac", r"(?:(a)|b)+\1c", "")
    assert is_match("abc", r"^(?:(a)|b)+\1c", "")


def test_solves_for_a_text() -> None:
    codes = [z3.Int(f"c{number}") for number in range(11)]
    solver = z3.Solver()
    solver.add(has_match(codes, (r"^(['x])([a-z]{4})\1=\2$(?<=[k-z])", ""), in_ranges=in_ranges))
    assert solver.check() == z3.sat
    model = solver.model()
    text = "".join(chr(model.eval(code, model_completion=True).as_long()) for code in codes)
    assert matches(r"^(['x])([a-z]{4})\1=\2$(?<=[k-z])", "", text), text


def test_refuses_what_would_take_long() -> None:
    codes = [z3.Int(f"c{number}") for number in range(100)]
    with pytest.raises(Unmodelled):
        has_match(codes, (r"(.*)(.*)(.*)\1\2\3", ""), in_ranges=in_ranges)
