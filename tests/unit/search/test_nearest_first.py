"""What came closest to an outcome is tried first."""

from __future__ import annotations

import pytest

from wimble.search.generators.solver.nearest_first import NO_DISTANCE, NearestFirst, distance_of
from wimble.solve.path_conditions import Expression, Path, PathEntry


def test_the_closest_is_next_and_of_equal_ones_the_last() -> None:
    queue = NearestFirst[str]()
    for item, distance in (("far", 0.9), ("near", 0.1), ("first", 0.5), ("second", 0.5)):
        queue.add(item, distance)
    assert queue.latest(3) == ["near", "second", "first"]
    assert [queue.pop() for _ in range(4)] == ["near", "second", "first", "far"]
    assert len(queue) == 0


def test_where_the_distance_is_not_known_the_last_and_the_first_take_turns() -> None:
    queue = NearestFirst[int]()
    for item in range(5):
        queue.add(item)
    assert [queue.pop() for _ in range(5)] == [4, 0, 3, 1, 2]


def between(left: str | float, right: str | float) -> float:
    nodes = (
        Expression("in:/a", (), left),
        Expression("k", (), right),
        Expression("===", (0, 1), False),
        Expression("!", (2,), True),
    )
    return distance_of(Path(nodes, (PathEntry("a:1:1:!", True, 3),)), 0)


@pytest.mark.parametrize(("far", "near"), [((300, 260), (262, 260)), (("abc", "soda"), ("sodx", "soda"))])
def test_the_distance_is_that_of_the_operands(far: tuple[str, str], near: tuple[str, str]) -> None:
    assert 0 < between(*near) < between(*far) < NO_DISTANCE


def test_a_condition_without_operands_is_as_far_as_one_that_is_not_there() -> None:
    path = Path((Expression("in:/a", (), True),), (PathEntry("a:1:1:if", True, 0),))
    assert distance_of(path, 0) == NO_DISTANCE
