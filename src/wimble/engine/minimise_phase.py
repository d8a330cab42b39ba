"""Makes the chosen test cases smaller: fewer calls, fewer optional inputs, simpler values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from wimble.engine.candidates import Candidate, is_shown, make_fresh_for
from wimble.engine.context import RunContext
from wimble.engine.cover import Cover
from wimble.engine.events import Event, PhaseStarted
from wimble.engine.faults import Witness
from wimble.engine.limits import PhaseLimit
from wimble.engine.memory import NEEDS_HISTORY, find_out_memory, note_memory
from wimble.engine.rebuild import rebuild_by_provenance, rebuild_from_history
from wimble.engine.sharing import has_to_share
from wimble.errors import TargetError
from wimble.model.testcase import TestCase
from wimble.search.minimise import minimise_test

MAX_TRIES = 60
"""Evaluations per test. Dropping calls takes a few, each optional input one, each value up to three."""
MAX_RESTARTS = 12
"""Of them, how many may need a fresh SUT: a test of 10 calls halves down to 1 or 2 within that."""
USUAL_CALLS = 10
"""What earlier test cases had made comes as whole test cases, of whose calls one or two are needed: each call beyond so many
adds two tries, with a fresh SUT where that is quick."""

FAULT_SHARE = 0.5
"""Of the time, for finding out how faults show: behind them waits what is there for its coverage."""
COVERAGE_SHARE = 0.8
"""By when that has to be done, where faults wait whose history has to be found out."""
MAX_REBUILDS = 2
"""Witnesses of a fault whose history is tried, when none of them shows it alone."""


def run_minimise(context: RunContext, candidates: list[Candidate]) -> Iterator[Event]:
    """Leaves as few candidates as cover what all of them do on a fresh SUT, each as small as it may be."""
    context.phase = "minimise"
    limit = PhaseLimit(context, share=0.5, at_least_s=30.0)
    yield PhaseStarted(phase="minimise", n_steps=len(candidates))
    work = _Work(context, candidates, limit)
    try:
        find_out_memory(context, candidates, limit)
        context.shares_start = has_to_share(context, candidates)
        for number, step in enumerate(work.steps(), start=1):
            if limit.is_reached:
                break
            step()
            yield from context.take_events()
            yield context.progress_event(min(1.0, number / (2 * len(candidates))))
    except KeyboardInterrupt:
        context.stopped_by = "interrupt"
    except TargetError as error:
        context.warn(f"minimising ended early: {error.what}")
    candidates[:] = work.candidates
    if work.n_large and limit.is_reached and not context.stop.was_ever_requested:
        context.warn(f"{work.n_large} of {len(candidates)} tests were not made smaller: out of time")
    yield from context.take_events()


class _Work:
    """First it is found out how each fault shows, and what covers all other targets; only then is anything made smaller, for a suite that
    shows less is a greater loss than one that says more than it has to. Faults that show neither by themselves nor behind what made what
    they speak of come last: their history has to be found out, with many starts, and for these some time is kept."""

    def __init__(self, context: RunContext, candidates: Sequence[Candidate], limit: PhaseLimit) -> None:
        self._context = context
        self._limit = limit
        self._faults = [candidate for candidate in candidates if candidate.fault_key is not None]
        self._cover = Cover(context, candidates)
        self._found: list[Candidate] = []
        """Faults that show by themselves, or behind what made what they speak of."""
        self._looked_at: set[tuple[str, ...] | None] = set()
        """Keys of faults."""
        self._chosen: list[Candidate] | None = None
        self.n_large = len(self._faults)
        """Candidates that nobody has tried to make smaller."""

    @property
    def candidates(self) -> list[Candidate]:
        """All that are left."""
        return [*self._faults, *self.take_cover()]

    def take_cover(self) -> list[Candidate]:
        """The candidates for coverage; from the first time on these and no others."""
        if self._chosen is None:
            self._chosen = self._cover.reduced()
            self.n_large += len(self._chosen)
        return self._chosen

    def steps(self) -> Iterator[Callable[[], object]]:
        if self._context.shares_start:
            yield partial(self._context.make_fresh, entirely=True)
        for fault in self._faults:
            if not self._limit.is_spent(FAULT_SHARE):
                yield partial(self._look_at, fault)
        has_stuck = len(self._found) < len(self._faults)
        if self._context.shares_start:
            yield partial(self._context.make_fresh, entirely=True)
        for candidate in sorted(self._cover.candidates, key=lambda one: not one.is_forgetful):
            if not (has_stuck and self._limit.is_spent(COVERAGE_SHARE)):
                yield partial(self._cover.look_at, candidate)
        for candidate in tuple(self._cover.candidates):
            if self._cover.is_short_of(candidate) and not (has_stuck and self._limit.is_spent(COVERAGE_SHARE)):
                yield partial(self._cover.restage, candidate)
        for candidate in (*self._found, *sorted(self.take_cover(), key=lambda one: -len(one.test_case.calls))):
            if not (has_stuck and self._limit.is_spent(COVERAGE_SHARE)):
                yield partial(self._shrink, candidate)
        found = {fault.fault_key for fault in self._found}
        for fault in self._faults:
            if fault.fault_key not in found:
                yield partial(self._rebuild, fault)

    def _look_at(self, fault: Candidate) -> bool:
        self._looked_at.add(fault.fault_key)
        is_found = _find_a_start(self._context, fault) or _find_makers(self._context, fault)
        if is_found:
            self._found.append(fault)
        return is_found

    def _rebuild(self, fault: Candidate) -> None:
        if fault.fault_key not in self._looked_at and self._look_at(fault):  # there was no time before
            self._shrink(fault)
            return
        note_memory(self._context, NEEDS_HISTORY)
        if _find_a_history(self._context, fault, self._limit):
            self._shrink(fault)
        else:
            self.n_large -= 1

    def _shrink(self, candidate: Candidate) -> None:
        _make_smaller(self._context, candidate, self._limit)
        if not self._limit.is_reached:
            self.n_large -= 1


def _make_smaller(context: RunContext, candidate: Candidate, limit: PhaseLimit) -> None:
    """A try with fewer calls runs on a fresh SUT, so that a call that only prepares state is not dropped because an
    earlier try has left that state behind; tries with other inputs run on whatever is there, and verification decides."""
    restarts = 0
    fewest_calls = len(candidate.test_case.calls)
    extra = 2 * max(0, fewest_calls - USUAL_CALLS)
    # Tests that share a start run on what others left behind anyway, and verification gives back to them what they miss.
    needs_fresh = not context.shares_start

    def is_kept(test_case: TestCase) -> bool:
        nonlocal restarts, fewest_calls
        if limit.is_reached:
            return False
        # A fault may come of calls that only read: of how many there were, say.
        is_stale = context.is_dirty or (candidate.fault_key is not None and context.calls_since_start > 0)
        is_stale = is_stale and not candidate.is_forgetful and (candidate.needs_start or context.remembers(test_case))
        if needs_fresh and len(test_case.calls) < fewest_calls and is_stale and not context.is_lost:
            if restarts >= MAX_RESTARTS + extra:
                return False
            restarts += 1
            context.restart()
        if not is_shown(context, candidate, test_case):
            return False
        fewest_calls = len(test_case.calls)
        return True

    candidate.test_case = minimise_test(candidate.test_case, is_kept, MAX_TRIES + extra)


def _find_a_start(context: RunContext, fault: Candidate) -> bool:
    """Sets `original` to a test case that shows the fault on a fresh SUT; False where there is none."""
    for shape in fault.shapes:
        make_fresh_for(context, fault, shape)
        if is_shown(context, fault, shape):
            fault.original = fault.test_case = shape
            return True
    return False


def _find_makers(context: RunContext, candidate: Candidate) -> bool:
    """The same with those before it that made what it speaks of: of a fault, since it takes a start or two."""
    return _find_before(candidate, lambda witness: rebuild_by_provenance(context, candidate, witness))


def _find_a_history(context: RunContext, candidate: Candidate, limit: PhaseLimit) -> bool:
    """The same with whatever ran before it."""
    return _find_before(candidate, lambda witness: rebuild_from_history(context, candidate, witness, limit))


def _find_before(candidate: Candidate, rebuild: Callable[[Witness], TestCase | None]) -> bool:
    # The shorter the history, the fewer starts it takes; one that was cut (HISTORY_LENGTH) may lack its beginning.
    witnesses = sorted(candidate.witnesses, key=lambda one: (one.background.length, len(one.history)))
    for witness in witnesses[:MAX_REBUILDS]:
        rebuilt = rebuild(witness)
        if rebuilt is not None:
            candidate.original = candidate.test_case = rebuilt
            return True
    return False
