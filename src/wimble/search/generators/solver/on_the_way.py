"""What the paths of traced test cases came by: they are made for one target, and lead to others.

So what lies behind a guard is asked about in the round in which the guard was passed.
"""

from __future__ import annotations

from collections.abc import Iterator

from wimble.model.targets import TargetTable
from wimble.search.archive.archive import Archive
from wimble.search.generators.solver.solver_inquiry import wanted_condition
from wimble.solve.path_conditions import Path
from wimble.types import TargetId


class OnTheWay:
    """The outcomes of conditions that were found in one round."""

    def __init__(self, archive: Archive, table: TargetTable) -> None:
        self._archive = archive
        self._targets: dict[tuple[str, bool], TargetId] = {}
        """Of conditions, which are the only ones that paths can have with a place."""
        for number, target in enumerate(table):
            if target.kind in ("branch", "case"):
                self._targets[wanted_condition(target)] = TargetId(number)
        self._seen: set[TargetId] = set()

    def uncovered(self, path: Path) -> Iterator[TargetId]:
        """Yields targets that the path covers and nothing before it."""
        yield from self._further((entry.site, entry.is_taken) for entry in path.entries)

    def reached(self, path: Path) -> Iterator[TargetId]:
        """Yields targets that have another outcome on the path, and that no test case of the archive has reached."""
        for target in self._further((entry.site, not entry.is_taken) for entry in path.entries):
            if self._archive.best(target) is None:
                yield target

    def _further(self, outcomes: Iterator[tuple[str, bool]]) -> Iterator[TargetId]:
        for outcome in outcomes:
            target = self._targets.get(outcome)
            if target is not None and target not in self._seen and not self._archive.is_covered(target):
                self._seen.add(target)
                yield target
