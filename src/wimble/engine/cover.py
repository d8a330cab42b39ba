"""Few test cases that cover, on a fresh SUT, what the search covered.

The search knows of each target one test case that covered it; these cover much of each other's targets, which nobody asked about while they
ran. So each is run once more and all that it covers is noted; those whose targets are covered by none then run behind what made what
they speak of (restage.py). Of all these a greedy cover is taken: by targets that no other one has covered yet, per call.

Most test cases of a search have calls that had nothing to do with what they were kept for; without these, a test case is run first, and as
a whole only where that covers less. Where calls are slow there is no time to find that out call by call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heapreplace

from wimble.engine.candidates import Candidate, make_fresh_for
from wimble.engine.context import RunContext
from wimble.engine.restage import restaged
from wimble.model.targets import TargetTable
from wimble.model.testcase import TestCase
from wimble.types import TargetId

COST_OF_TEST = 2
"""Of a test beside its calls, in calls: a reader looks at each of them."""


class Cover:
    """Of the candidates that are there for their coverage."""

    def __init__(self, context: RunContext, candidates: Iterable[Candidate]) -> None:
        self._context = context
        self.candidates = [candidate for candidate in candidates if candidate.fault_key is None]
        self._wanted = worth_a_test((one.targets for one in self.candidates), context.table)
        self._covered: set[TargetId] = set()

    def look_at(self, candidate: Candidate) -> None:
        """Notes what it covers on a fresh SUT; where tests of a file share a start, on the SUT as those before it left it."""
        candidate.covers = self._core_covers(candidate) or self._whole_covers(candidate)
        self._covered |= candidate.covers

    def _core_covers(self, candidate: Candidate) -> frozenset[TargetId]:
        """What its core covers, which becomes its test case; nothing where that is less than it is there for."""
        if candidate.core is None:
            return frozenset()
        covers = self._covered_by(candidate, candidate.core)
        if not candidate.targets & self._wanted <= covers:
            return frozenset()
        candidate.test_case = candidate.core
        return covers

    def _whole_covers(self, candidate: Candidate) -> frozenset[TargetId]:
        covers = self._covered_by(candidate, candidate.original)
        remembers = self._context.shares_start or self._context.remembers(candidate.original)
        if remembers or candidate.targets & self._wanted <= covers:
            return covers
        candidate.needs_start = True
        at_start = self._covered_by(candidate, candidate.original)
        if candidate.targets & (at_start - covers):
            return at_start
        candidate.needs_start = False
        return covers

    def is_short_of(self, candidate: Candidate) -> bool:
        """Whether it has targets that no candidate covers."""
        return not candidate.targets & self._wanted <= self._covered

    def restage(self, candidate: Candidate) -> None:
        """Puts further candidates beside it that cover what nobody does, until its own targets are covered."""
        for staged in restaged(self._context, candidate):
            staged.covers = self._covered_by(staged, staged.original)
            if not staged.covers <= self._covered:
                self.candidates.append(staged)
                self._covered |= staged.covers
            if not self.is_short_of(candidate):
                return

    def reduced(self) -> list[Candidate]:
        """What is to be kept. Of those that nobody has looked at, the search is believed."""
        for candidate in self.candidates:
            if candidate.covers is None:
                candidate.covers = candidate.targets & self._wanted
        return reduced(self.candidates)

    def _covered_by(self, candidate: Candidate, test_case: TestCase) -> frozenset[TargetId]:
        if candidate.is_forgetful:
            self._context.make_shared()
        else:
            make_fresh_for(self._context, candidate, test_case)
        evaluation, _ = self._context.evaluate(test_case, full=True)
        return evaluation.covered() & self._wanted


def worth_a_test(wanted: Iterable[frozenset[TargetId]], table: TargetTable) -> frozenset[TargetId]:
    """All targets but those that a search goes for and a reader would not: of the commands that one operation runs at one place, whatever
    columns and filters they are put together from, the first that found something stands for all, and the first that did not."""
    kept: set[TargetId] = set()
    outcomes: set[tuple[str, int, str]] = set()
    for target_id in sorted(frozenset[TargetId]().union(*wanted)):
        target = table[target_id]
        if target.kind == "query":
            outcome = (target.file, target.line, target.detail.partition(": ")[0])
            if outcome in outcomes:
                continue
            outcomes.add(outcome)
        kept.add(target_id)
    return frozenset(kept)


def reduced(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates that together cover what all of them do, in their order; `targets` of each becomes what none before it covers.

    Source: the greedy cover of weighted sets (Chvatal, Mathematics of Operations Research 4(3), 1979).
    """
    covers = [candidate.covers or frozenset() for candidate in candidates]
    costs = [COST_OF_TEST + len(candidate.test_case.calls) for candidate in candidates]
    left = set[TargetId]().union(*covers)
    # Gains only get smaller, so the first one whose gain is up to date is the best.
    waiting = [(-len(cover) / cost, number) for number, (cover, cost) in enumerate(zip(covers, costs, strict=True))]
    heapify(waiting)
    taken: list[int] = []
    while left:
        gain, number = waiting[0]
        now = -len(covers[number] & left) / costs[number]
        if now > gain:
            heapreplace(waiting, (now, number))
            continue
        heappop(waiting)
        taken.append(number)
        left -= covers[number]
    return _with_own_targets([candidates[number] for number in sorted(taken)])


def _with_own_targets(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Those that cover what none before them does: a later choice may have made an earlier one needless."""
    kept: list[Candidate] = []
    seen: set[TargetId] = set()
    for candidate in candidates:
        own = (candidate.covers or frozenset()) - seen
        if own:
            candidate.targets = own
            seen |= own
            kept.append(candidate)
    return kept
