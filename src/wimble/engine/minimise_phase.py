"""Makes the chosen test cases smaller: fewer calls, fewer optional inputs, simpler values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from wimble.engine.candidates import Candidate, is_shown, make_fresh_for
from wimble.engine.context import RunContext
from wimble.engine.events import Event, PhaseStarted
from wimble.engine.faults import Witness
from wimble.engine.limits import PhaseLimit
from wimble.engine.memory import NEEDS_HISTORY, find_out_memory, note_memory
from wimble.engine.rebuild import rebuild_by_provenance, rebuild_from_history
from wimble.engine.restage import restage
from wimble.engine.sharing import has_to_share
from wimble.errors import TargetError
from wimble.model.testcase import TestCase
from wimble.search.minimise import minimise_test
from wimble.types import TargetId

MAX_TRIES = 60
"""Evaluations per test. Dropping calls takes a few, each optional input one, each value up to three."""
MAX_RESTARTS = 12
"""Of them, how many may need a fresh SUT: a test of 10 calls halves down to 1 or 2 within that."""
MAX_SLOW_RESTARTS = 3
"""The same for a SUT that starts too slowly for a start per test."""
USUAL_CALLS = 10
"""What earlier test cases had made comes as whole test cases, of whose calls one or two are needed: each call beyond so many
adds two tries, with a fresh SUT where that is quick."""

FAULT_SHARE = 0.5
"""Of the time, for faults at first: behind them wait the tests that are there for their coverage, which a suite needs more than the last
call less in a test of a fault."""
COVERAGE_SHARE = 0.8
"""By when these have to be done, where faults wait whose history has to be found out."""
MAX_REBUILDS = 2
"""Witnesses of a fault whose history is tried, when none of them shows it alone."""


def run_minimise(context: RunContext, candidates: list[Candidate]) -> Iterator[Event]:
    """Replaces `test_case` of each candidate by a smaller one that still shows what it has to."""
    context.phase = "minimise"
    limit = PhaseLimit(context, share=0.5, at_least_s=30.0)
    yield PhaseStarted(phase="minimise", n_steps=len(candidates))
    work = _Work(context, candidates, limit)
    try:
        find_out_memory(context, candidates, limit)
        context.shares_start = has_to_share(context, candidates)
        for step in work.steps():
            if limit.is_reached:
                break
            step()
            yield from context.take_events()
            yield context.progress_event(min(1.0, work.n_tried / len(candidates)))
    except KeyboardInterrupt:
        context.stopped_by = "interrupt"
    except TargetError as error:
        context.warn(f"minimising ended early: {error.what}")
    n_large = max(0, len(candidates) - work.n_tried)
    if n_large and limit.is_reached and not context.stop.was_ever_requested:
        context.warn(f"{n_large} of {len(candidates)} tests were not made smaller: out of time")
    yield from context.take_events()


class _Work:
    """Faults first that show by themselves or behind what made what they speak of. Then each test that is there for its coverage finds
    what it needs; and only then are these made smaller, for a suite that covers less is a greater loss than one that says more than it has
    to. Faults that show in neither way come last: their history has to be found out, with many starts, and for these some time is kept."""

    def __init__(self, context: RunContext, candidates: list[Candidate], limit: PhaseLimit) -> None:
        self._context = context
        self._candidates = candidates
        self._limit = limit
        self._large: list[Candidate] = []
        """Those that show what they have to, and may show more."""
        self._stuck: list[Candidate] = []
        self.n_tried = 0
        """Candidates that were made smaller, or that cannot be."""

    def steps(self) -> Iterator[Callable[[], None]]:
        faults = [candidate for candidate in self._candidates if candidate.fault_key is not None]
        coverage = [candidate for candidate in self._candidates if candidate.fault_key is None]
        for fault in faults:
            yield partial(self._begin_fault, fault)
        stuck_faults, self._stuck = self._stuck, []
        for candidate in coverage:
            if self._may_cover(stuck_faults):
                yield partial(self._begin_coverage, candidate)
        missing = {target for candidate in self._stuck for target in candidate.targets}
        for candidate in self._stuck:
            if self._may_cover(stuck_faults):
                yield partial(self._stage, candidate, missing)
        for candidate in self._large:
            if self._may_cover(stuck_faults):
                yield partial(self._shrink, candidate)
        for fault in stuck_faults:
            yield partial(self._rebuild, fault)

    def _may_cover(self, stuck_faults: list[Candidate]) -> bool:
        return not (stuck_faults and self._limit.is_spent(COVERAGE_SHARE))

    def _begin_fault(self, fault: Candidate) -> None:
        if not (_find_a_start(self._context, fault) or _find_makers(self._context, fault)):
            self._stuck.append(fault)
        elif self._limit.is_spent(FAULT_SHARE):
            self._large.append(fault)
        else:
            self._shrink(fault)

    def _begin_coverage(self, candidate: Candidate) -> None:
        (self._large if _find_a_start(self._context, candidate) else self._stuck).append(candidate)

    def _stage(self, candidate: Candidate, missing: set[TargetId]) -> None:
        staged = restage(self._context, candidate, missing)
        if staged is None:
            self.n_tried += 1
            return
        self._large.append(staged)
        if staged is not candidate:
            self._candidates.append(staged)
            self.n_tried += 1

    def _rebuild(self, fault: Candidate) -> None:
        note_memory(self._context, NEEDS_HISTORY)
        if _find_a_history(self._context, fault, self._limit):
            self._shrink(fault)
        else:
            self.n_tried += 1

    def _shrink(self, candidate: Candidate) -> None:
        _make_smaller(self._context, candidate, self._limit)
        if not self._limit.is_reached:
            self.n_tried += 1


def _make_smaller(context: RunContext, candidate: Candidate, limit: PhaseLimit) -> None:
    """A try with fewer calls runs on a fresh SUT, so that a call that only prepares state is not dropped because an
    earlier try has left that state behind; tries with other inputs run on whatever is there, and verification decides."""
    restarts = 0
    fewest_calls = len(candidate.test_case.calls)
    extra = 2 * max(0, fewest_calls - USUAL_CALLS)
    most_restarts = MAX_SLOW_RESTARTS if context.shares_start else MAX_RESTARTS + extra
    # Tests that share a start run on what others left behind anyway.
    needs_fresh = candidate.fault_key is not None or not context.shares_start

    def is_kept(test_case: TestCase) -> bool:
        nonlocal restarts, fewest_calls
        if limit.is_reached:
            return False
        # A fault may come of calls that only read: of how many there were, say.
        is_stale = context.is_dirty or (candidate.fault_key is not None and context.calls_since_start > 0)
        is_stale = is_stale and (candidate.needs_start or context.remembers(test_case))
        if needs_fresh and len(test_case.calls) < fewest_calls and is_stale and not context.is_lost:
            if restarts >= most_restarts:
                return False
            restarts += 1
            context.restart()
        if not is_shown(context, candidate, test_case):
            return False
        fewest_calls = len(test_case.calls)
        return True

    candidate.test_case = minimise_test(candidate.test_case, is_kept, MAX_TRIES + extra)


def _find_a_start(context: RunContext, candidate: Candidate) -> bool:
    """Sets `original` to a test case that shows what it has to on a fresh SUT; False where there is none."""
    if candidate.fault_key is None and context.shares_start:
        return any(_is_shown_as(context, candidate, shape) for shape in candidate.shapes)
    if _is_shown_afresh(context, candidate):
        return True
    if candidate.fault_key is not None or all(map(context.remembers, candidate.shapes)):
        return False
    candidate.needs_start = True
    candidate.needs_start = _is_shown_afresh(context, candidate)
    return candidate.needs_start


def _is_shown_afresh(context: RunContext, candidate: Candidate) -> bool:
    for shape in candidate.shapes:
        make_fresh_for(context, candidate, shape)
        if _is_shown_as(context, candidate, shape):
            return True
    return False


def _is_shown_as(context: RunContext, candidate: Candidate, shape: TestCase) -> bool:
    """Whether the shape, which then becomes the candidate's, shows it on the SUT as it is."""
    if not is_shown(context, candidate, shape):
        return False
    candidate.original = candidate.test_case = shape
    return True


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
