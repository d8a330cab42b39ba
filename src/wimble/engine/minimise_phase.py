"""Makes the chosen test cases smaller: fewer calls, fewer optional inputs, simpler values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from wimble.engine.candidates import Candidate, is_shown
from wimble.engine.context import RunContext
from wimble.engine.events import Event, PhaseStarted
from wimble.engine.faults import Witness
from wimble.engine.limits import PhaseLimit
from wimble.engine.memory import AT_FIRST, NEEDS_HISTORY, find_out_memory, note_memory
from wimble.engine.rebuild import rebuild_by_provenance, rebuild_from_history
from wimble.engine.restage import restage
from wimble.engine.sharing import has_to_share
from wimble.errors import TargetError
from wimble.model.testcase import TestCase
from wimble.search.minimise import minimise_test

MAX_TRIES = 60
"""Evaluations per test. Dropping calls takes a few, each optional input one, each value up to three."""
MAX_RESTARTS = 12
"""Of them, how many may need a fresh SUT: a test of 10 calls halves down to 1 or 2 within that."""
MAX_SLOW_RESTARTS = 3
"""The same for a SUT that starts too slowly for a start per test."""
USUAL_CALLS = 10
"""What earlier test cases had made comes as whole test cases, of whose calls one or two are needed: each call beyond so many
adds two tries, with a fresh SUT where that is quick."""

COVERAGE_SHARE = 0.6
"""Of the time, for tests that are there for their coverage, where faults wait whose history has to be found out."""
MAX_REBUILDS = 2
"""Witnesses of a fault whose history is tried, when none of them shows it alone."""


def run_minimise(context: RunContext, candidates: list[Candidate]) -> Iterator[Event]:
    """Replaces `test_case` of each candidate by a smaller one that still shows what it has to."""
    context.phase = "minimise"
    limit = PhaseLimit(context, share=0.5, at_least_s=30.0)
    yield PhaseStarted(phase="minimise", n_steps=len(candidates))
    done = 0
    try:
        find_out_memory(context, candidates, limit)
        context.shares_start = has_to_share(context, candidates)
        for step in _steps(context, candidates, limit):
            if limit.is_reached:
                break
            step()
            done = min(done + 1, len(candidates))  # what is put off takes another step
            yield from context.take_events()
            yield context.progress_event(done / len(candidates))
    except KeyboardInterrupt:
        context.stopped_by = "interrupt"
    except TargetError as error:
        context.warn(f"minimising ended early: {error.what}")
    if done < len(candidates) and not context.stop.was_ever_requested:
        context.warn(f"{len(candidates) - done} of {len(candidates)} tests were not made smaller: out of time")
    yield from context.take_events()


def _steps(context: RunContext, candidates: list[Candidate], limit: PhaseLimit) -> Iterator[Callable[[], None]]:
    """Faults first that show by themselves or behind what made what they speak of, then what is there for its coverage. What shows in
    neither way comes last: tests for coverage, which take a start each to find what they need, then the faults whose history has to be
    found out, with many starts. For these some time is kept."""
    faults = [candidate for candidate in candidates if candidate.fault_key is not None]
    stuck: list[Candidate] = []

    def start_or_put_off(candidate: Candidate) -> None:
        if _find_a_start(context, candidate) or _find_makers(context, candidate):
            _make_smaller(context, candidate, limit)
        else:
            stuck.append(candidate)

    def rebuild(candidate: Candidate) -> None:
        note_memory(context, NEEDS_HISTORY)
        if _find_a_history(context, candidate, limit):
            _make_smaller(context, candidate, limit)

    for fault in faults:
        yield partial(start_or_put_off, fault)
    has_to_go_on = any(candidate.fault_key is not None for candidate in stuck)

    def may_cover() -> bool:
        return not (has_to_go_on and limit.is_spent(COVERAGE_SHARE))

    for candidate in candidates:
        if candidate.fault_key is None and may_cover():
            yield partial(start_or_put_off, candidate)
    rebuilt: list[Candidate] = []

    missing = {target for candidate in stuck for target in candidate.targets}

    def stage(candidate: Candidate) -> None:
        staged = restage(context, candidate, missing)
        if staged is None:
            return
        rebuilt.append(staged)
        if staged is not candidate:
            candidates.append(staged)

    for candidate in stuck:
        if candidate.fault_key is None and may_cover():
            yield partial(stage, candidate)
    for candidate in stuck:
        if candidate.fault_key is not None:
            yield partial(rebuild, candidate)
    for candidate in rebuilt:
        yield partial(_make_smaller, context, candidate, limit)


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
        return True
    if _is_shown_afresh(context, candidate):
        return True
    if all(map(context.remembers, candidate.shapes)):
        return False
    candidate.needs_start = True
    is_shown_then = _is_shown_afresh(context, candidate)
    if is_shown_then and candidate.fault_key is not None:
        note_memory(context, AT_FIRST)
    candidate.needs_start = is_shown_then
    return is_shown_then


def _is_shown_afresh(context: RunContext, candidate: Candidate) -> bool:
    for shape in candidate.shapes:
        context.make_fresh(None if candidate.needs_start else shape, entirely=candidate.fault_key is not None)
        if is_shown(context, candidate, shape):
            candidate.original = candidate.test_case = shape
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
