"""Reduces the solutions of a search to few test cases that cover the same targets on a fresh SUT.

The archive holds one test case for each target. These cover many of each other's targets, but the search has not
measured that. So each is run once more in full. If a candidate then has targets that no candidate covers, it runs after
its state-setters, too (state_setters.py). A greedy set cover chooses among all of these by newly covered targets per
call.

Most solutions have calls that their targets do not need. A test case runs without these first, and as a whole only if
that covers less: where calls are slow, there is no time to find the needed calls one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.state_setters import TWICE, most_times, repeated, with_state_setters
from wimble.engine.candidates.trials import Trials
from wimble.model.targets import TargetTable
from wimble.model.testcase import TestCase
from wimble.search.minimise.greedy_cover import greedy_cover, most_items_per_cost
from wimble.search.resources.resources import Resources
from wimble.types import TargetId

COST_OF_TEST = 2
"""Cost of a test in addition to its calls, in calls: a person has to read each test."""


class Cover:
    """The candidates that are chosen for their coverage, by number."""

    def __init__(
        self, trials: Trials, table: TargetTable, resources: Resources, candidates: Iterable[Candidate]
    ) -> None:
        self._trials = trials
        self._resources = resources
        self._candidates = [candidate for candidate in candidates if candidate.fault_key is None]
        self._wanted = worth_a_test((one.targets for one in self._candidates), table)
        self._covered: set[TargetId] = set()

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        return tuple(self._candidates)

    def measure(self, number: int) -> None:
        """Measures what the candidate covers on a fresh SUT.

        If tests of a file share a start, the SUT is used as it is.
        """
        candidate = self._candidates[number]
        measured = self._measured_as_core(candidate) or self._measured_as_whole(candidate)
        self._candidates[number] = measured
        self._covered |= measured.covers or frozenset()

    def _measured_as_core(self, candidate: Candidate) -> Candidate | None:
        """Returns the candidate with its core as test case.

        Returns None if the core does not cover all targets of the candidate.
        """
        if candidate.core is None:
            return None
        covers = self._covered_by(candidate, candidate.core)
        if not covers or not candidate.targets & self._wanted <= covers:
            return None
        return replace(candidate, test_case=candidate.core, covers=covers)

    def _measured_as_whole(self, candidate: Candidate) -> Candidate:
        covers = self._covered_by(candidate, candidate.original)
        starts = self._trials.starts
        depends_on_state = starts.shares_start or starts.depends_on_state(candidate.original)
        if not depends_on_state and not candidate.targets & self._wanted <= covers:
            with_start = replace(candidate, needs_start=True)
            at_start = self._covered_by(with_start, candidate.original)
            if candidate.targets & (at_start - covers):
                return replace(with_start, covers=at_start)
        return replace(candidate, covers=covers)

    def is_short_of(self, number: int) -> bool:
        """Whether the candidate has targets that no candidate covers."""
        return not self._candidates[number].targets & self._wanted <= self._covered

    def add_state_setters(self, number: int) -> None:
        """Adds candidates with state-setters that cover new targets, until the candidate's targets are covered.

        It gives up once a call is not answered: the longest of these test cases repeat it many times.
        """
        n_hung = self._trials.n_hung
        for longer in with_state_setters(self._resources, self._candidates[number]):
            covers = self._covered_by(longer, longer.original)
            if not covers <= self._covered:
                self._candidates.append(replace(longer, covers=covers))
                self._covered |= covers
            if not self.is_short_of(number) or self._trials.n_hung > n_hung:
                return
        self._add_repeated(self._candidates[number])

    def _add_repeated(self, candidate: Candidate) -> None:
        """Adds the candidate's test case as often as it has to run to cover what it covers when it runs many times."""
        too_few, enough = TWICE, most_times(candidate)
        if enough <= too_few:
            return
        best = repeated(candidate, enough)
        covers = self._covered_by(best, best.original)
        new = covers - self._covered
        while new and enough - too_few > 1:
            n_times = (too_few + enough) // 2
            fewer = repeated(candidate, n_times)
            of_fewer = self._covered_by(fewer, fewer.original)
            if new <= of_fewer:
                enough, best, covers = n_times, fewer, of_fewer
            else:
                too_few = n_times
        if new:
            self._candidates.append(replace(best, covers=covers))
            self._covered |= covers

    def reduced(self) -> list[Candidate]:
        """Returns the candidates to keep.

        A candidate that was not measured counts as covering what it covered in the search.
        """
        return reduced(
            [
                one if one.covers is not None else replace(one, covers=one.targets & self._wanted)
                for one in self._candidates
            ]
        )

    def _covered_by(self, candidate: Candidate, test_case: TestCase) -> frozenset[TargetId]:
        if candidate.is_order_independent:
            self._trials.worker.make_shared()
            return self._trials.covered_by(test_case) & self._wanted
        return self._trials.covered_fresh(candidate, test_case) & self._wanted


def worth_a_test(wanted: Iterable[frozenset[TargetId]], table: TargetTable) -> frozenset[TargetId]:
    """Returns all targets except those that help a search but not a reader of tests.

    The commands that an operation runs at one place of the code may differ in columns and filters. The first command
    that found rows stands for all that did, and the first that found none for all others.
    """
    kept: set[TargetId] = set()
    outcomes: set[tuple[str, int, str, str]] = set()
    for target_id in sorted(frozenset[TargetId]().union(*wanted)):
        target = table[target_id]
        if target.kind == "query":
            outcome = (target.file, target.line, target.operation, target.outcome)
            if outcome in outcomes:
                continue
            outcomes.add(outcome)
        kept.add(target_id)
    return frozenset(kept)


def reduced(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Returns candidates that together cover what all candidates cover, in their order.

    They are chosen by most new targets per cost. `targets` of each becomes the targets that no candidate before it
    covers.
    """
    costs = [COST_OF_TEST + len(candidate.test_case.calls) for candidate in candidates]
    covers = [candidate.covers or frozenset() for candidate in candidates]
    chosen = greedy_cover(list(zip(costs, covers, strict=True)), most_items_per_cost)
    return _with_own_targets([candidates[number] for number in sorted(chosen)])


def _with_own_targets(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Keeps the candidates that cover a target that none before them covers.

    A later choice may have made an earlier one superfluous.
    """
    kept: list[Candidate] = []
    seen: set[TargetId] = set()
    for candidate in candidates:
        own = (candidate.covers or frozenset()) - seen
        if own:
            seen |= own
            kept.append(replace(candidate, targets=own))
    return kept
