"""Minimises the chosen test cases: fewer calls, fewer optional inputs, simpler values."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.coverage_candidates import Cover
from wimble.engine.candidates.fault_prefix import Rebuilt, rebuild_by_provenance, rebuild_from_history, rebuilt
from wimble.engine.candidates.proofs import Proofs
from wimble.engine.candidates.selection import candidate_of
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.candidates.trials import Trials
from wimble.engine.events import Event, PhaseStarted
from wimble.engine.faults.fault_book import Witness
from wimble.engine.minimise.later_faults import LaterFaults
from wimble.engine.minimise.shrinking import made_smaller, made_smaller_briefly
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import MINIMISED_BY, MINIMISED_IF_SHARED_BY, VERIFIED_BY, OutOfTime, PhaseLimit
from wimble.engine.stability.start_costs import has_to_share, has_to_verify_at_once, needs_one_file
from wimble.engine.stability.state_dependence import NEEDS_HISTORY, find_state_dependence
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.model.run_conditions import start_conditions, trial_conditions

FAULT_SHARE = 0.5
"""Share of the time for finding out how faults show; the candidates for coverage come after them."""
BRIEF_SHARE = 0.35
"""Share of the time after which faults are not made smaller with a few tries any more: without a measurement of what
the candidates cover, many superfluous ones are verified.
"""
RUNS_TO_VERIFY: Final = 4.0
"""Runs of a test in verification, if it changes nothing; each takes as long as the one that measures its coverage."""
STARTS_TO_VERIFY: Final = 10
"""The starts beside them, of all tests together."""
COVERAGE_SHARE = 0.8
"""Share of the time after which work on coverage and size ends if there are faults whose history has to be found."""


class Minimised(msgspec.Struct, frozen=True):
    """The result of the phase."""

    candidates: tuple[Candidate, ...]
    """Few candidates that cover what all of them covered on a fresh SUT, each as small as it could be made."""
    starts: StartPolicy
    proofs: Proofs
    """Runs on a fresh SUT, which verification need not repeat."""
    is_interrupted: bool = False


def needed_to_verify_s(n_tests: int, *, run_s: float, start_s: float) -> float:
    """Returns how long it takes to verify tests that change nothing."""
    return RUNS_TO_VERIFY * run_s * n_tests + STARTS_TO_VERIFY * start_s


def run_minimise(
    coordinator: Coordinator, worker: Worker, candidates: Sequence[Candidate]
) -> Generator[Event, None, Minimised]:
    """Reduces the number of candidates, and minimises each of them."""
    notices, stop = coordinator.notices, coordinator.stop
    limit = PhaseLimit(coordinator.budget, stop, until=MINIMISED_BY)
    yield PhaseStarted(phase="minimise", n_steps=len(candidates))
    work = _Work(coordinator, worker, candidates, limit)
    later = LaterFaults(coordinator, worker)
    is_interrupted = False
    try:
        with worker.within(limit), worker.watched(later.note):
            work.find_starts()
            for number, step in enumerate(work.steps(), start=1):
                if limit.is_reached:
                    break
                with suppress(OutOfTime):  # of one test case, or of the phase, which ends then
                    step()
                yield from notices.take_events()
                yield from later.take_events()
                yield coordinator.progress("minimise", min(1.0, number / work.n_steps))
    except OutOfTime:
        pass  # what was found so far counts
    except KeyboardInterrupt:
        is_interrupted = True
    except TargetError as error:
        notices.warn(f"minimising ended early: {error.what}")
    finally:
        worker.sut.live_under(start_conditions(coordinator.settings))
    yield from later.take_events()
    left = [*work.candidates, *(candidate_of(fault) for fault in coordinator.faults if fault.key in later.keys)]
    if work.n_large and limit.is_reached and not stop.was_ever_requested:
        notices.warn(f"{work.n_large} of {len(left)} tests were not made smaller: {limit.reason}")
    yield from notices.take_events()
    return Minimised(tuple(left), work.starts, work.proofs, is_interrupted)


class _Work:
    """Finds first how each fault shows and what covers all other targets; minimises only after that.

    A suite that shows less is a greater loss than one that is longer than necessary. Faults that show neither by
    themselves nor after their state-setters come last, and some time is kept for them: finding their history takes many
    starts.
    """

    def __init__(
        self, coordinator: Coordinator, worker: Worker, candidates: Sequence[Candidate], limit: PhaseLimit
    ) -> None:
        self._coordinator = coordinator
        self._worker = worker
        self._trials = Trials(worker, StartPolicy(), conditions=trial_conditions(coordinator.settings))
        self._limit = limit
        self._take(candidates)
        self._found: list[int] = []
        """Numbers of the faults that show by themselves, or after their state-setters."""
        self._looked_at: set[int] = set()
        """Numbers of the faults that were examined."""
        self._chosen: list[Candidate] | None = None
        """The cover, or None until it is taken."""
        self.n_large = len(self._faults)
        """Number of candidates that are not minimised yet."""
        self._briefly_made_smaller: set[int] = set()
        """Numbers of the faults that a few tries have made smaller, so that they count as minimised."""

    def _take(self, candidates: Sequence[Candidate]) -> None:
        self._all = list(candidates)
        self._faults = [candidate for candidate in candidates if candidate.fault_key is not None]
        self._cover = Cover(self._trials, self._coordinator.table, self._coordinator.resources, candidates)

    @property
    def proofs(self) -> Proofs:
        return self._trials.proofs

    @property
    def starts(self) -> StartPolicy:
        return self._trials.starts

    @property
    def candidates(self) -> list[Candidate]:
        """All candidates that are left."""
        return [*self._faults, *self._take_cover()]

    @property
    def n_steps(self) -> int:
        """How many steps there are, as far as is known. The candidates for coverage that are made smaller are known
        once the others have been measured.
        """
        n_brief = sum(not fault.ends_its_start for fault in self._faults)
        chosen = self._cover.candidates if self._chosen is None else self._chosen
        return max(1, 2 * len(self._faults) + n_brief + len(self._cover.candidates) + len(chosen))

    def find_starts(self) -> None:
        """Finds out which candidates need a start of their own."""
        is_late = has_to_verify_at_once(self._coordinator, self._worker)
        dependence = find_state_dependence(self._coordinator, self._worker, self._all, self._limit)
        self._take(dependence.candidates)
        self._trials.adopt(dependence.starts)
        shares_start = has_to_share(self._coordinator, self._worker, dependence.starts, dependence.candidates)
        self._trials.adopt(replace(dependence.starts, shares_start=shares_start))
        if shares_start:
            self._limit.end_by(0.0 if is_late else self._end_if_shared(dependence.run_s))

    def _end_if_shared(self, run_s: float) -> float:
        """Returns by which share of the allowance minimising ends where tests share starts, from how long a run takes;
        0: that is not known.
        """
        if not run_s or needs_one_file(self._coordinator, self._worker):
            return MINIMISED_IF_SHARED_BY
        return max(MINIMISED_IF_SHARED_BY, min(MINIMISED_BY, self._latest_end(len(self._all), run_s)))

    def _latest_end(self, n_tests: int, run_s: float) -> float:
        """Returns by which share of the allowance minimising has to end so that these tests can be verified."""
        needed_s = needed_to_verify_s(n_tests, run_s=run_s, start_s=self._worker.next_start_s)
        return VERIFIED_BY - needed_s / self._coordinator.budget.allowance_s

    def _take_cover(self) -> list[Candidate]:
        """Returns the candidates for coverage. The first call chooses them; later calls return the same ones."""
        if self._chosen is None:
            self._chosen = self._cover.reduced()
            self.n_large += len(self._chosen)
        return self._chosen

    def steps(self) -> Iterator[Callable[[], object]]:
        """Yields the steps of the phase in their order, as functions to call."""
        yield from self._steps_for_faults()
        has_stuck = len(self._found) < len(self._faults)
        yield from self._steps_for_coverage(has_stuck=has_stuck)
        yield from self._steps_for_size(has_stuck=has_stuck)
        for number in range(len(self._faults)):
            if number not in self._found:
                yield partial(self._rebuild, number)

    def _steps_for_faults(self) -> Iterator[Callable[[], object]]:
        yield from self._steps_to_start()
        # What hangs, or ends the SUT, takes as long as dozens of others. Where starts are slow, each such fault takes a
        # start, and no other one would be made smaller.
        by_cost = sorted(range(len(self._faults)), key=lambda one: self._faults[one].ends_its_start)
        late = [one for one in by_cost if self.starts.shares_start and self._faults[one].ends_its_start]
        yield from self._steps_to_look_at(one for one in by_cost if one not in late)
        for number in sorted(self._found):
            if not (self._faults[number].ends_its_start or self._limit.is_spent(BRIEF_SHARE)):
                yield partial(self._shrink_briefly, number)
        yield from self._steps_to_look_at(late)
        self._found.sort()

    def _steps_to_start(self) -> Iterator[Callable[[], object]]:
        """Starts the SUT afresh for what shares a start, unless starts take nearly all of the time."""
        if self.starts.shares_start and not needs_one_file(self._coordinator, self._worker):
            yield partial(self._worker.make_fresh, entirely=True)

    def _steps_to_look_at(self, numbers: Iterable[int]) -> Iterator[Callable[[], object]]:
        for number in numbers:
            if not self._limit.is_spent(FAULT_SHARE):
                yield partial(self._look_at, number)

    def _steps_for_coverage(self, *, has_stuck: bool) -> Iterator[Callable[[], object]]:
        yield from self._steps_to_start()
        candidates, begun_s = self._cover.candidates, self._coordinator.budget.after_search_s
        numbers = sorted(
            range(len(candidates)),
            key=lambda one: (candidates[one].ends_its_start, not candidates[one].is_order_independent),
        )
        for number in numbers:
            if self._is_time_for_coverage(has_stuck=has_stuck):
                yield partial(self._measure, number)
        for number in range(len(candidates)):
            if self._cover.is_short_of(number) and self._is_time_for_coverage(has_stuck=has_stuck):
                yield partial(self._cover.add_state_setters, number)
        self._leave_time_to_verify(self._coordinator.budget.after_search_s - begun_s)

    def _measure(self, number: int) -> None:
        """Measures what a candidate covers, unless it takes as long as dozens of others."""
        n_calls = len(self._cover.candidates[number].test_case.calls)
        with self._worker.within(self._limit, patience_s=self._coordinator.budget.patience_s(n_calls)):
            self._cover.measure(number)

    def _leave_time_to_verify(self, measured_s: float) -> None:
        """Ends the phase sooner if otherwise too little time would be left for the tests that were chosen: what is not
        verified is lost, however small it is. Where tests share starts, it ends later if there is time.

        measured_s: how long it took to measure what the candidates cover.
        """
        budget, chosen = self._coordinator.budget, self._take_cover()
        if budget.is_repeatable:
            return
        run_s = measured_s / max(1, len(self._cover.candidates))
        until = self._latest_end(len(chosen) + len(self._faults), run_s)
        if all(one.test_case.is_safe for one in chosen):
            self._limit.end_by(until)
        elif self.starts.shares_start and not needs_one_file(self._coordinator, self._worker):
            self._limit.end_later(min(MINIMISED_BY, until))

    def _steps_for_size(self, *, has_stuck: bool) -> Iterator[Callable[[], object]]:
        chosen = self._take_cover()
        by_length = sorted(range(len(chosen)), key=lambda one: -len(chosen[one].test_case.calls))
        slots = [*((self._faults, number) for number in self._found), *((chosen, number) for number in by_length)]
        for candidates, number in slots:
            if self._is_time_for_coverage(has_stuck=has_stuck):
                yield partial(self._shrink, candidates, number)

    def _is_time_for_coverage(self, *, has_stuck: bool) -> bool:
        """has_stuck: whether there are faults whose history has to be found."""
        return not (has_stuck and self._limit.is_spent(COVERAGE_SHARE))

    def _look_at(self, number: int) -> bool:
        """Whether the fault shows by itself, or after its state-setters."""
        self._looked_at.add(number)
        found = self._shown_alone(number) or rebuilt(self._faults[number], self._by_provenance)
        if found is None:
            return False
        self._faults[number] = found
        self._found.append(number)
        return True

    def _rebuild(self, number: int) -> None:
        if number not in self._looked_at and self._look_at(number):  # there was no time for it before
            self._shrink(self._faults, number)
            return
        self._trials.adopt(self.starts.without_independence(NEEDS_HISTORY))
        found = rebuilt(self._faults[number], self._from_history)
        if found is None:
            self.n_large -= 1
            return
        self._faults[number] = found
        self._shrink(self._faults, number)

    def _shrink_briefly(self, number: int) -> None:
        """Makes a fault smaller with a few tries, so that it is small whatever time the others take."""
        self._faults[number] = made_smaller_briefly(self._trials, self._faults[number], self._limit)
        if not self._limit.is_reached:
            self._briefly_made_smaller.add(number)
            self.n_large -= 1

    def _shrink(self, candidates: list[Candidate], number: int) -> None:
        candidate = candidates[number]
        known = self._as_known_end(candidate) if candidate.fault_key is None else None
        candidates[number] = known or made_smaller(self._trials, candidate, self._limit)
        is_counted = candidate.fault_key is not None and number in self._briefly_made_smaller
        if not self._limit.is_reached and not is_counted:
            self.n_large -= 1

    def _as_known_end(self, candidate: Candidate) -> Candidate | None:
        """Returns a candidate for coverage that ends the SUT with the test case of a fault that does so and covers the
        same. To make it smaller by itself takes a start for each try that ends the SUT, and ends at that test case.
        """
        own = self._trials.known_run(candidate, candidate.test_case)
        if own is None or not own.is_sut_lost:
            return None
        for fault in (self._faults[number] for number in self._found):
            run = self._trials.known_run(fault, fault.original)
            if run is not None and run.is_sut_lost and candidate.targets <= run.covered():
                return replace(candidate, test_case=fault.test_case)
        return None

    def _shown_alone(self, number: int) -> Candidate | None:
        """Returns the fault with the first of its shapes that shows it; None if none does.

        On a fresh SUT, unless it has shown in this shape already, and most likely by itself.
        """
        fault = self._faults[number]
        for shape in fault.shapes:
            if (fault.is_steady or fault.was_shown_twice) and shape == fault.test_case:
                return replace(fault, original=shape)
            if self._trials.shows_fresh(fault, shape):
                return replace(fault, original=shape, test_case=shape)
        return None

    def _by_provenance(self, fault: Candidate, witness: Witness) -> Rebuilt | None:
        return rebuild_by_provenance(self._trials, self._coordinator.resources, fault, witness)

    def _from_history(self, fault: Candidate, witness: Witness) -> Rebuilt | None:
        return rebuild_from_history(self._trials, fault, witness, self._limit)
