"""What a program removes from a text before it compares it is put back where a condition wants a longer one."""

from __future__ import annotations

import pytest

from wimble.solve.path_conditions import Expression, Path, PathEntry
from wimble.solve.values.preimages import preimages


def path(op: str, *rest: str) -> Path:
    constants = [Expression("k", (), text) for text in rest]
    node = Expression(op, (0, *range(1, 1 + len(rest))), "x")
    wanted = [Expression("k", (), "y"), Expression("===", (1 + len(rest), 2 + len(rest)), False)]
    return Path((Expression("in:/query/a", (), "x"), *constants, node, *wanted), (PathEntry("", False, 3 + len(rest)),))


@pytest.mark.parametrize(
    ("op", "rest", "text"),
    [
        ("replaceAll", ("-", ""), "41-14-73"),
        ("replaceMatches", (" ", "g", ""), "4114 73"),
        ("replaceMatches", ("[ ]+", "g", ""), "411473  "),
        ("trim", (), "   411473"),
    ],
)
def test_what_is_removed_is_put_back(op: str, rest: tuple[str, ...], text: str) -> None:
    assert text in {one["/query/a"] for one in preimages(path(op, *rest), {"/query/a": "411473"})}


def test_the_case_that_is_changed_may_be_another_one() -> None:
    values = {"/query/a": "red", "/query/b": 7}
    assert [one["/query/a"] for one in preimages(path("toLowerCase"), values)] == ["RED", "red", "Red"]


def test_a_text_that_is_replaced_by_another_one_is_not_put_back() -> None:
    assert list(preimages(path("replaceAll", "-", "+"), {"/query/a": "red"})) == []
