"""The languages of regular expressions accept the texts that the expressions match."""

from __future__ import annotations

from random import Random

import pytest

from wimble.solve.path_conditions import Unmodelled
from wimble.solve.patterns.ecmascript import matches
from wimble.solve.patterns.regex import matching_string
from wimble.solve.patterns.regex_languages import Language, accepts_empty, derivative, language_accepted_by

PATTERNS = (
    (r"^[a-f0-9]{4}$", ""),
    (r"^\d+(\.\d+)?$", ""),
    (r"ab|cd$", ""),
    (r"^(a|b)*c?$", ""),
    (r"(^|,)x", ""),
    (r"^(?=.*\d)(?=.*[a-z]).{3,6}$", ""),
    (r"^(?!ab)\w+$", ""),
    (r"^hello$", "i"),
    (r"^[^a-c]\S\s?$", ""),
    (r"a.c", ""),
    (r"^(?:x|yy){2,3}$", ""),
    (r"\ba", ""),
    (r"[abc]\b", ""),
    (r"a\B|\b,", ""),
    (r"\b(?:a|,)x*\b", ""),
    (r"[a-d]*\b[ ,.]*\b[0-9a]", "i"),
    (r"^\W*\b\w*\b\W*$", ""),
    (r"\B[,.]\B|x(?=\b)", ""),
    (r"^(?:\b[a-d]\b,?)?[.x ]*", ""),
    (r"(?:[ab]\b[,. ]){1,3}\d?", ""),
)


def _accepts(language: Language, text: str) -> bool:
    for char in text:
        language = derivative(language, ord(char))
    return accepts_empty(language)


@pytest.mark.parametrize(("source", "flags"), PATTERNS)
def test_accepts_what_the_expression_matches(source: str, flags: str) -> None:
    language = language_accepted_by(source, flags)
    rng = Random(source)
    n_matches = 0
    for number in range(300):
        text = "".join(rng.choice("abcdxy019,. ABHELOhelo\n") for _ in range(rng.randrange(9)))
        if number % 3 == 0:
            text = matching_string(source, flags, rng) or text
        expected = matches(source, flags, text)
        assert _accepts(language, text) == expected, repr(text)
        n_matches += bool(expected)
    assert n_matches >= 50


@pytest.mark.parametrize("source", [r"(?:a\b)+", r"(?<=a)b", r"(a)\1"])
def test_refuses_what_it_does_not_model(source: str) -> None:
    with pytest.raises(Unmodelled):
        language_accepted_by(source, "")
