"""What the solver does for a question is counted, also where Z3 does not count it."""

from __future__ import annotations

import z3

from wimble.solve.patterns.regex_languages import language_accepted_by
from wimble.solve.terms.character_terms import accepted
from wimble.solve.work import UNITS_PER_MOVE, Work


def work_for(source: str, length: int) -> int:
    work = Work(is_thorough=False)
    accepted(language_accepted_by(source, ""), [z3.Int(f"code {number}") for number in range(length)])
    return work.spent


def test_patterns_that_are_made_into_terms_count_as_work() -> None:
    assert work_for("^(?:[a-f]+[0-9]){4}$", 30) > 100 * UNITS_PER_MOVE


def test_longer_texts_and_larger_patterns_take_more_of_it() -> None:
    small = work_for("^[a-f]+[0-9]$", 10)
    assert work_for("^[a-f]+[0-9]$", 30) > 2 * small
    assert work_for("^(?:[a-f]+[0-9]){4}$", 10) > 2 * small
