"""The traced text with a match of a pattern, or with more characters, beside it."""

from __future__ import annotations

from wimble.solve.ladder import flipped
from wimble.solve.path_conditions import Expression, Path, PathEntry


def test_a_parameter_is_added_to_a_query() -> None:
    nodes = (
        Expression("in:/header/filter", (), "unit=s"),
        Expression("k", (), r"(?:^\??|&)from="),
        Expression("k", (), ""),
        Expression("test", (0, 1, 2), False),
    )
    answer = flipped(Path(nodes, (PathEntry("parameter", False, 3),)), 0)
    assert answer.values == {"/header/filter": "unit=s&from="}


def test_a_loop_over_a_text_goes_once_more_over_its_last_character() -> None:
    nodes = (
        Expression("in:/s", (), "a(b("),
        Expression("length", (0,), 4),
        Expression("k", (), 4),
        Expression("<", (2, 1), False),
    )
    answer = flipped(Path(nodes, (PathEntry("iteration", False, 3),)), 0)
    assert answer.values == {"/s": "a(b(("}
