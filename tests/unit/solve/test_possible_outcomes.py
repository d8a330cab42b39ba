"""Conditions that cannot have their other outcome, whatever the inputs are, are no questions for a solver."""

from __future__ import annotations

import pytest

from wimble.solve.path_conditions import Expression, Path, PathEntry
from wimble.solve.possible_outcomes import can_turn
from wimble.solve.questions import question_of

X = Expression("in:body/x", (), "a")
TWO = Expression("k", (), 2)
LENGTH = Expression("length", (0,), 2)
IS_TWO = Expression("===", (2, 1), True)
FALSE = Expression("k", (), False)
NODES = (X, TWO, LENGTH, IS_TWO, FALSE)


def path(*added: Expression, before: tuple[PathEntry, ...] = ()) -> Path:
    """Returns a path whose last condition is the last node."""
    nodes = (*NODES, *added)
    return Path(nodes, (*before, PathEntry("app.js:1:1:&&", bool(nodes[-1].value), len(nodes) - 1)))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (path(Expression("ite", (3, 4, 3), False)), False),
        (path(Expression("ite", (3, 3, 4), False)), True),
        (path(Expression("!", (3,), False)), True),
        (path(Expression("!", (4,), True)), False),
        (path(Expression("ite", (3, 4, 3), False), Expression("!", (5,), True)), False),
        (path(Expression("===", (2, 1), True)), True),
    ],
    ids=["x && false", "x && x", "!x", "!false", "!(x && false)", "a comparison"],
)
def test_a_choice_between_constants_and_known_conditions(asked: Path, expected: bool) -> None:
    assert can_turn(asked, 0) is expected
    assert (question_of(asked, 0) is not None) is expected


def test_what_earlier_conditions_exclude_is_impossible_unless_they_only_chose_a_value() -> None:
    both = Expression("ite", (3, 4, 5), False), Expression("===", (0, 1), False)
    made = path(both[1], Expression("ite", (3, 4, 5), False))
    held = PathEntry("app.js:1:1:===", True, 3)
    assert can_turn(made, 0)
    assert not can_turn(Path(made.nodes, (held, *made.entries)), 1)
    merged = PathEntry("app.js:1:1:===", True, 3, True)
    assert can_turn(Path(made.nodes, (merged, *made.entries)), 1)


def test_a_condition_that_was_met_before_can_still_turn() -> None:
    again = PathEntry("app.js:2:1:===", True, 3)
    assert can_turn(Path(NODES, (again, again)), 1)
