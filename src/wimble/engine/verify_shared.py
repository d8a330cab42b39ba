"""Verification where a SUT starts too slowly for a start per test: the tests of a file share one start, in their order.

What is verified is what runs later: each file from a fresh start, all its tests, in the same order. A test that is left out changes
what those behind it find, so a file is run again until nothing more has to go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby

from wimble.engine.candidates import Candidate
from wimble.engine.context import RunContext
from wimble.engine.events import Event
from wimble.engine.limits import PhaseLimit
from wimble.engine.verified import Run, agreed, run_of, shown_run, without_repeats
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import TestCase

RUNS_OF_A_FILE = 3
"""From fresh starts. One more than tests with a start of their own get, since what happens by chance spreads here."""
MAX_ROUNDS = 4
"""Of dropping tests that differ and running the rest again."""


def verify_in_shared_starts(
    context: RunContext, candidates: list[Candidate], limit: PhaseLimit, verified: list[VerifiedTest]
) -> Iterator[Event]:
    """Appends to `verified`, file by file."""
    chosen: list[Run] = []
    context.restart()
    for number, candidate in enumerate(candidates):
        if limit.is_reached:
            context.warn(f"{len(candidates) - number} tests were not verified and so not written: out of time")
            break
        # On the SUT as the candidates before it left it.
        shown = shown_run(context, candidate, partial(_run, context, candidate))
        if shown is not None:
            chosen.append(shown)
        yield from context.take_events()
        yield context.progress_event(number / (2 * len(candidates)))
    chosen = without_repeats(sorted(chosen, key=lambda run: run.order))
    context.stop.rearm()
    n_dropped = 0
    for _, runs in groupby(chosen, key=lambda run: run.kind):
        tests = list(runs)
        if context.stop.is_requested:
            return
        kept = _verified_file(context, tests)
        verified += kept
        n_dropped += len(tests) - len(kept)
        yield from context.take_events()
        yield context.progress_event(0.5 + len(verified) / (2 * len(chosen)))
    if n_dropped:
        context.warn(f"{n_dropped} of {len(chosen)} tests answered differently when repeated and were left out")


def _verified_file(context: RunContext, tests: list[Run]) -> list[VerifiedTest]:
    """The tests that do the same in each run of their file."""
    for _ in range(MAX_ROUNDS):
        repeats = [_run_file(context, tests) for _ in range(RUNS_OF_A_FILE)]
        results = [_agreed(context, runs) for runs in zip(*repeats, strict=True)]
        kept = [test for test, result in zip(tests, results, strict=True) if result is not None]
        if len(kept) == len(tests) or context.stop.is_requested:
            return [result for result in results if result is not None]
        tests = kept
    return [result for result in results if result is not None]


def _run_file(context: RunContext, tests: Sequence[Run]) -> list[Run]:
    context.restart()
    return [_run(context, test.candidate, test.test_case) for test in tests]


def _run(context: RunContext, candidate: Candidate, test_case: TestCase) -> Run:
    run = run_of(context, candidate, test_case)
    if any(observation.failure is not None for observation in run.evaluation.observations):
        context.is_lost = True  # the suite's own helper starts a SUT again that broke off, too
    return run


def _agreed(context: RunContext, runs: Sequence[Run]) -> VerifiedTest | None:
    test = agreed(context, runs, [run.evaluation for run in runs])
    if test is not None and runs[0].candidate.fault_key is not None:
        context.fault_notes.pop(runs[0].candidate.fault_key, None)
    return test
