"""Automata of regular expressions, and texts that are accepted by them."""

from __future__ import annotations

import z3

from wimble.solve.patterns.automata import automaton_of
from wimble.solve.patterns.regex_languages import ANY_TEXT, MAX_CODE, language_accepted_by
from wimble.solve.terms.character_terms import accepted


def test_moves_join_neighbouring_ranges_and_leave_out_those_without_an_end() -> None:
    automaton = automaton_of(language_accepted_by("^([0-4]|[5-9]|x)$", ""))
    (after,) = automaton.moves(automaton.start).items()
    assert after[1] == ((ord("0"), ord("9")), (ord("x"), ord("x")))


def test_states_that_lead_to_no_acceptance_at_the_given_length_are_not_useful() -> None:
    automaton = automaton_of(language_accepted_by("^(ab|abc|d{9})$", ""))
    assert [len(states) for states in automaton.useful_states(3)] == [1, 1, 1, 1]
    assert [len(states) for states in automaton.useful_states(4)] == [0] * 5


def test_a_text_in_which_a_match_was_found_is_not_followed_to_its_end() -> None:
    automaton = automaton_of(language_accepted_by("ab", ""))
    useful = automaton.useful_states(5)
    assert ANY_TEXT not in useful[1]
    assert ANY_TEXT in useful[2]
    assert automaton.moves(ANY_TEXT) == {ANY_TEXT: ((0, MAX_CODE),)}


def test_the_texts_that_are_accepted_are_those_that_match() -> None:
    codes = [z3.Int(f"code {at}") for at in range(3)]
    solver = z3.Solver()
    solver.add(accepted(language_accepted_by("^[ab]c*$|^.d", ""), codes))
    solver.add(*(z3.And(code >= ord("a"), code <= ord("d")) for code in codes))
    found = set()
    while solver.check() == z3.sat:
        model = solver.model()
        values = [model.eval(code, model_completion=True).as_long() for code in codes]
        found.add("".join(map(chr, values)))
        solver.add(z3.Or(*(code != value for code, value in zip(codes, values, strict=True))))
    assert found == {"acc", "bcc", *(f"{first}d{last}" for first in "abcd" for last in "abcd")}
