"""Makes the chosen test cases smaller: fewer calls, fewer optional inputs, simpler values."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial

import msgspec
from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.coverage_candidates import Cover
from wimble.engine.candidates.fault_prefix import rebuild_by_provenance, rebuild_from_history
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.candidates.trials import Trials
from wimble.engine.events import Event, PhaseStarted
from wimble.engine.faults.fault_book import Witness
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.stability.start_costs import has_to_share
from wimble.engine.stability.state_dependence import NEEDS_HISTORY, find_state_dependence
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.model.testcase import TestCase
from wimble.search.minimise.minimiser import minimise_test

MAX_TRIES = 60
"""Evaluations per test. Dropping calls takes a few, each optional input one, each value up to three."""
MAX_RESTARTS = 12
"""Of them, how many may need a fresh SUT: a test of 10 calls halves down to 1 or 2 within that."""
USUAL_CALLS = 10
"""State-setters are added as whole test cases, of whose calls one or two are needed: each call beyond so many adds two
tries, with a fresh SUT where that is quick."""

FAULT_SHARE = 0.5
"""Share of the time for finding out how faults show; the candidates for coverage come after them."""
COVERAGE_SHARE = 0.8
"""Share of the time after which these end, where faults are left whose history has to be found."""
MAX_REBUILDS = 2
"""Witnesses of a fault whose history is tried, where none of them shows it alone."""


class Minimised(msgspec.Struct, frozen=True):
    """The result of the phase."""

    candidates: tuple[Candidate, ...]
    """Few that cover what all of them did on a fresh SUT, each as small as it could be made."""
    starts: StartPolicy
    is_interrupted: bool = False


def run_minimise(
    coordinator: Coordinator, worker: Worker, candidates: Sequence[Candidate]
) -> Generator[Event, None, Minimised]:
    """Makes the candidates fewer and smaller."""
    notices, stop = coordinator.notices, coordinator.stop
    limit = PhaseLimit(coordinator.budget, stop, share=0.5, at_least_s=30.0)
    yield PhaseStarted(phase="minimise", n_steps=len(candidates))
    work = _Work(coordinator, worker, candidates, limit)
    is_interrupted = False
    try:
        work.find_starts()
        for number, step in enumerate(work.steps(), start=1):
            if limit.is_reached:
                break
            step()
            yield from notices.take_events()
            yield coordinator.progress("minimise", min(1.0, number / (2 * len(candidates))))
    except KeyboardInterrupt:
        is_interrupted = True
    except TargetError as error:
        notices.warn(f"minimising ended early: {error.what}")
    left = work.candidates
    if work.n_large and limit.is_reached and not stop.was_ever_requested:
        notices.warn(f"{work.n_large} of {len(left)} tests were not made smaller: out of time")
    yield from notices.take_events()
    return Minimised(tuple(left), work.starts, is_interrupted)


class _Work:
    """First how each fault shows, and what covers all other targets; only then is anything made smaller.

    For a suite that shows less is a greater loss than one that is longer than necessary. Faults that show neither by
    themselves nor after their state-setters come last: their history has to be found out, which takes many starts, and
    some time is kept for it.
    """

    def __init__(
        self, coordinator: Coordinator, worker: Worker, candidates: Sequence[Candidate], limit: PhaseLimit
    ) -> None:
        self._coordinator = coordinator
        self._worker = worker
        self._trials = Trials(worker, StartPolicy())
        self._limit = limit
        self._take(candidates)
        self._found: list[int] = []
        """Numbers of the faults that show by themselves, or after their state-setters."""
        self._looked_at: set[int] = set()
        """Numbers of faults."""
        self._chosen: list[Candidate] | None = None
        """The cover, once it was taken."""
        self.n_large = len(self._faults)
        """Candidates that were not made smaller yet."""

    def _take(self, candidates: Sequence[Candidate]) -> None:
        self._all = list(candidates)
        self._faults = [candidate for candidate in candidates if candidate.fault_key is not None]
        self._cover = Cover(self._trials, self._coordinator.table, self._coordinator.resources, candidates)

    @property
    def starts(self) -> StartPolicy:
        return self._trials.starts

    @property
    def candidates(self) -> list[Candidate]:
        """All that are left."""
        return [*self._faults, *self._take_cover()]

    def find_starts(self) -> None:
        """Finds out which candidates need a start of their own."""
        dependence = find_state_dependence(self._coordinator, self._worker, self._all, self._limit)
        self._take(dependence.candidates)
        self._trials.adopt(dependence.starts)
        shares_start = has_to_share(self._coordinator, self._worker, dependence.starts, dependence.candidates)
        self._trials.adopt(replace(dependence.starts, shares_start=shares_start))

    def _take_cover(self) -> list[Candidate]:
        """The candidates for coverage; from the first time on these and no others."""
        if self._chosen is None:
            self._chosen = self._cover.reduced()
            self.n_large += len(self._chosen)
        return self._chosen

    def steps(self) -> Iterator[Callable[[], object]]:
        yield from self._steps_for_faults()
        has_stuck = len(self._found) < len(self._faults)
        yield from self._steps_for_coverage(has_stuck=has_stuck)
        yield from self._steps_for_size(has_stuck=has_stuck)
        for number in range(len(self._faults)):
            if number not in self._found:
                yield partial(self._rebuild, number)

    def _steps_for_faults(self) -> Iterator[Callable[[], object]]:
        if self.starts.shares_start:
            yield partial(self._worker.make_fresh, entirely=True)
        for number in range(len(self._faults)):
            if not self._limit.is_spent(FAULT_SHARE):
                yield partial(self._look_at, number)

    def _steps_for_coverage(self, *, has_stuck: bool) -> Iterator[Callable[[], object]]:
        if self.starts.shares_start:
            yield partial(self._worker.make_fresh, entirely=True)
        candidates = self._cover.candidates
        for number in sorted(range(len(candidates)), key=lambda one: not candidates[one].is_order_independent):
            if self._is_time_for_coverage(has_stuck=has_stuck):
                yield partial(self._cover.measure, number)
        for number in range(len(candidates)):
            if self._cover.is_short_of(number) and self._is_time_for_coverage(has_stuck=has_stuck):
                yield partial(self._cover.add_state_setters, number)

    def _steps_for_size(self, *, has_stuck: bool) -> Iterator[Callable[[], object]]:
        chosen = self._take_cover()
        by_length = sorted(range(len(chosen)), key=lambda one: -len(chosen[one].test_case.calls))
        slots = [*((self._faults, number) for number in self._found), *((chosen, number) for number in by_length)]
        for candidates, number in slots:
            if self._is_time_for_coverage(has_stuck=has_stuck):
                yield partial(self._shrink, candidates, number)

    def _is_time_for_coverage(self, *, has_stuck: bool) -> bool:
        """has_stuck: whether there are faults whose history has to be found out."""
        return not (has_stuck and self._limit.is_spent(COVERAGE_SHARE))

    def _look_at(self, number: int) -> bool:
        """Whether the fault shows by itself, or after its state-setters."""
        self._looked_at.add(number)
        found = self._shown_alone(number) or self._shown_after(number, self._by_provenance)
        if found is None:
            return False
        self._faults[number] = found
        self._found.append(number)
        return True

    def _rebuild(self, number: int) -> None:
        if number not in self._looked_at and self._look_at(number):  # there was no time before
            self._shrink(self._faults, number)
            return
        self._trials.adopt(self.starts.without_independence(NEEDS_HISTORY))
        found = self._shown_after(number, self._from_history)
        if found is None:
            self.n_large -= 1
            return
        self._faults[number] = found
        self._shrink(self._faults, number)

    def _shrink(self, candidates: list[Candidate], number: int) -> None:
        candidates[number] = _made_smaller(self._trials, candidates[number], self._limit)
        if not self._limit.is_reached:
            self.n_large -= 1

    def _shown_alone(self, number: int) -> Candidate | None:
        """The fault as the first of its shapes that shows it on a fresh SUT; None where none does."""
        fault = self._faults[number]
        for shape in fault.shapes:
            self._trials.make_fresh_for(fault, shape)
            if self._trials.shows(fault, shape):
                return replace(fault, original=shape, test_case=shape)
        return None

    def _shown_after(self, number: int, rebuild: Callable[[Candidate, Witness], TestCase | None]) -> Candidate | None:
        """The fault as what is rebuilt of its witnesses; None where none of them can be."""
        fault = self._faults[number]
        # The shorter the history, the fewer starts it takes; one that was cut (HISTORY_LENGTH) may lack its beginning.
        witnesses = sorted(fault.witnesses, key=lambda one: (one.provenance.length, len(one.history)))
        for witness in witnesses[:MAX_REBUILDS]:
            rebuilt = rebuild(fault, witness)
            if rebuilt is not None:
                return replace(fault, original=rebuilt, test_case=rebuilt)
        return None

    def _by_provenance(self, fault: Candidate, witness: Witness) -> TestCase | None:
        return rebuild_by_provenance(self._trials, self._coordinator.resources, fault, witness)

    def _from_history(self, fault: Candidate, witness: Witness) -> TestCase | None:
        return rebuild_from_history(self._trials, fault, witness, self._limit)


def _made_smaller(trials: Trials, candidate: Candidate, limit: PhaseLimit) -> Candidate:
    """A try with fewer calls runs on a fresh SUT, so that a call that only prepares state is not dropped because an
    earlier try has left that state behind; tries with other inputs run on whatever is there, and verification decides."""
    worker = trials.worker
    restarts = 0
    fewest_calls = len(candidate.test_case.calls)
    extra = 2 * max(0, fewest_calls - USUAL_CALLS)
    # Tests that share a start run on what others left anyway, and verification gives back to them what they miss.
    needs_fresh = not trials.starts.shares_start

    def is_stale_for(test_case: TestCase) -> bool:
        freshness = worker.freshness
        # A fault may come of calls that only read: of how many there were, say.
        is_stale = freshness.is_dirty or (candidate.fault_key is not None and freshness.n_calls > 0)
        needs_start = candidate.needs_start or trials.starts.depends_on_state(test_case)
        return is_stale and needs_start and not candidate.is_order_independent and not freshness.is_lost

    def is_kept(test_case: TestCase) -> bool:
        nonlocal restarts, fewest_calls
        if limit.is_reached:
            return False
        if needs_fresh and len(test_case.calls) < fewest_calls and is_stale_for(test_case):
            if restarts >= MAX_RESTARTS + extra:
                return False
            restarts += 1
            worker.restart()
        if not trials.shows(candidate, test_case):
            return False
        fewest_calls = len(test_case.calls)
        return True

    return replace(candidate, test_case=minimise_test(candidate.test_case, is_kept, MAX_TRIES + extra))
