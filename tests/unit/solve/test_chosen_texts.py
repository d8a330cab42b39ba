"""A text that a condition or a table has chosen is compared with constants of any length."""

from __future__ import annotations

from wimble.solve.ladder import flipped
from wimble.solve.path_conditions import CHOICE, CONSTANT, Expression, Path, PathEntry

MOVES = '[["<", "open"], ["%", "closed"]]'


def test_names_of_states_differ_in_length() -> None:
    nodes = (
        Expression("in:/query/text", (), "ab"),
        Expression(CONSTANT, (), 1),
        Expression("charAt", (0, 1), "b"),
        Expression(CONSTANT, (), "<"),
        Expression("===", (2, 3), False),
        Expression(CONSTANT, (), "open"),
        Expression(CONSTANT, (), "start"),
        Expression(CHOICE, (4, 5, 6), "start"),
        Expression("===", (7, 5), False),
    )
    answer = flipped(Path(nodes, (PathEntry("a.js:1:1:if", False, 8),)), 0)
    assert answer.values is not None
    assert str(answer.values["/query/text"])[1] == "<"
    assert answer.rung == "characters"


def test_values_of_a_table_differ_in_length() -> None:
    nodes = (
        Expression("in:/query/text", (), "<"),
        Expression(CONSTANT, (), MOVES),
        Expression("chosen", (0, 1), "open"),
        Expression(CONSTANT, (), "closed"),
        Expression("===", (2, 3), False),
    )
    answer = flipped(Path(nodes, (PathEntry("a.js:1:1:if", False, 4),)), 0)
    assert (answer.values, answer.rung) == ({"/query/text": "%"}, "characters")
