"""Paths that begin alike are asked for once."""

from __future__ import annotations

from wimble.search.generators.solver.seen_paths import SeenPaths
from wimble.solve.path_conditions import Path, PathEntry


def path(*outcomes: bool) -> Path:
    return Path((), tuple(PathEntry(f"a.js:{number}:1:if", is_taken, 0) for number, is_taken in enumerate(outcomes)))


def test_another_outcome_was_there_if_a_path_began_so_or_was_asked_for() -> None:
    seen = SeenPaths()
    seen.add(path(True, True, False))
    seen.add(path(True, False))
    assert [seen.has_flipped(path(True, True, False), number) for number in range(3)] == [False, True, False]
    seen.add(path(True, True, False), flipped=2)
    assert [seen.has_flipped(path(True, True, False), number) for number in range(3)] == [False, True, True]
    assert not seen.has_flipped(path(True, False), 0)
