"""The search: evaluates what the strategy proposes until the budget is spent, the user stops it, or the SUT is lost for good."""

from __future__ import annotations

import time
from collections.abc import Iterator

import msgspec

from wimble.engine.context import RunContext
from wimble.engine.events import Event, FindingFound
from wimble.errors import TargetError
from wimble.model.conditions import Conditions
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.setup import without_setup

PROGRESS_INTERVAL_S = 0.1
CALLS_BETWEEN_RESTARTS = 10_000
"""A SUT that keeps state grows with each test: lists get long, answers slow, and faults depend on what piled up.
A fresh start every 10,000 calls costs some 3 % at 1,000 calls/s. Counted in calls, so that runs can be repeated."""


def run_search(context: RunContext) -> Iterator[Event]:
    """Yields progress and findings. Sets `stopped_by`, `search_s`."""
    budget = context.budget
    budget.restart_clock()
    next_progress_s = 0.0
    techniques = context.settings.techniques
    context.sut.live_under(Conditions(is_isolated=techniques.isolation, resets_databases=techniques.resets))
    try:
        context.slowing.forget()
        while not (budget.is_spent or context.stop.is_requested):
            yield from _evaluate_next(context)
            context.note_curve()
            if budget.elapsed_s >= next_progress_s:
                next_progress_s = budget.elapsed_s + PROGRESS_INTERVAL_S
                yield context.progress_event()
            if context.is_dirty and _has_piled_up(context):
                context.restart()
            if context.throttling.is_throttled:
                _outlast_the_limit(context)
        context.stopped_by = "interrupt" if context.stop.is_requested else context.budget.ended_by
    except TargetError as error:
        context.stopped_by = "sut"
        context.warn("the search ended early: " + "; ".join(line.strip() for line in error.lines()[:-1]))
    except KeyboardInterrupt:
        context.stopped_by = "interrupt"
    finally:
        context.search_s = budget.elapsed_s
        context.sut.live_under(Conditions(is_isolated=techniques.isolation))
    yield from context.take_events()
    yield context.progress_event()


def _has_piled_up(context: RunContext) -> bool:
    """Whether the SUT may be full of what test cases have made, or locked by it."""
    if context.calls_since_start >= CALLS_BETWEEN_RESTARTS:
        return True
    if context.settings.command and context.lockouts.is_locked_out:
        return True
    is_by_the_clock = not context.budget.is_repeatable and bool(context.settings.command)
    return is_by_the_clock and context.slowing.is_worth_a_start(context.start_s)


def _outlast_the_limit(context: RunContext) -> None:
    """Goes on with a fresh SUT; where that is not ours to start, or brought nothing, waits as long as it asks for."""
    if context.settings.command and context.throttling.may_restart():
        context.restart()
    else:
        time.sleep(context.throttling.wait_s())


def _evaluate_next(context: RunContext) -> Iterator[Event]:
    budget, strategy = context.budget, context.strategy
    progress = budget.progress()
    test_case = strategy.next_test_case(progress)
    covered = strategy.archive.newly_covered_since_last()
    evaluation, findings = context.evaluate(test_case, covered=covered, want_hints=strategy.wants_hints)
    budget.calls += len(test_case.calls)
    evaluation = without_refused_rows(evaluation)
    improvement = strategy.observe(evaluation, progress)
    if improvement.is_kept:
        context.backgrounds[strategy.archive.n_added] = context.faults.background()
    if improvement.newly_covered:
        budget.last_improvement = min(1.0, budget.progress())
        for target_id in improvement.newly_covered:
            if context.table[target_id].kind == "line":
                context.lines_covered += 1
    yield from _note_faults(context, evaluation, findings)
    for earlier in evaluation.late:
        yield from _note_faults(context, earlier, context.judge(earlier))
    if context.pending_events:
        yield from context.take_events()


def without_refused_rows(evaluation: Evaluation) -> Evaluation:
    """As if of the test case without the rows that the database has refused: it does the same, and a generated test can bring the others."""
    if not evaluation.refused_rows:
        return evaluation
    test_case = evaluation.test_case
    for number in reversed(evaluation.refused_rows):
        test_case = without_setup(test_case, number)
    return msgspec.structs.replace(evaluation, test_case=test_case, proposed=evaluation.test_case, refused_rows=())


def _note_faults(context: RunContext, evaluation: Evaluation, findings: list[Finding]) -> Iterator[Event]:
    budget = context.budget
    for fault in context.faults.note(evaluation, findings, calls=budget.calls, elapsed_s=budget.elapsed_s):
        yield FindingFound(finding=fault.finding, calls=budget.calls, elapsed_s=budget.elapsed_s)
