"""Verification where a SUT starts too slowly for a start per test: the tests of a file share one start, in their order.

What is verified is what runs later: each file from a fresh start, all its tests, in the same order. A test that is left out, or that
belongs into another file, changes what those behind it find, so files are run again until nothing more has to go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import compress, takewhile
from operator import itemgetter

import msgspec

from wimble.engine.candidates import Candidate
from wimble.engine.context import RunContext
from wimble.engine.events import Event
from wimble.engine.limits import PhaseLimit
from wimble.engine.restage import restaged
from wimble.engine.secrecy import without_secrets
from wimble.engine.verified import (
    CLOCKS_DISAGREE,
    Run,
    agreed,
    are_too_many,
    kept_for_fault,
    run_of,
    shown_run,
    without_repeats,
)
from wimble.model.suite import TestKind, VerifiedTest
from wimble.model.testcase import TestCase

MAX_ROUNDS = 4
"""Of dropping and moving tests, and running the rest again."""
KINDS: tuple[TestKind, ...] = ("fault", "success", "other")
"""Each is a file."""


def verify_in_shared_starts(
    context: RunContext, candidates: list[Candidate], limit: PhaseLimit, verified: list[VerifiedTest]
) -> Iterator[Event]:
    """Appends to `verified`, file by file. The SUT was started just now."""
    chosen: list[Run] = []
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
    chosen = without_secrets(context, without_repeats(sorted(chosen, key=lambda run: run.order)))
    context.stop.rearm()
    files = {kind: TestFile(tests=_rehearsed(context, [run for run in chosen if run.kind == kind])) for kind in KINDS}
    try:
        yield from settle(context, files)
    finally:  # what is verified is kept where the SUT does not start again
        kept = [test for kind in KINDS for test in files[kind].verified]
        verified += kept
    if len(kept) < len(chosen):
        context.warn(
            f"{len(chosen) - len(kept)} of {len(chosen)} tests answered differently when repeated and were left out"
        )


def _rehearsed(context: RunContext, tests: Sequence[Run]) -> list[Run]:
    """The tests of a file as they are run in it for the first time. What those of other files left behind is missing there, so one that
    was made too small takes back what it came from, or gets what it needs before it."""
    if not tests or context.stop.is_requested:
        return list(tests)
    context.restart()
    return [_with_what_it_needs(context, test) for test in tests]


def _with_what_it_needs(context: RunContext, test: Run) -> Run:
    candidate = test.candidate
    run = shown_run(context, candidate, partial(_run, context, candidate)) or test
    if candidate.is_shown_by(run.evaluation, run.findings):
        return run
    for staged in restaged(context, candidate):
        longer = _run(context, candidate, staged.test_case)
        if candidate.shown_of(longer.evaluation) > candidate.shown_of(run.evaluation):
            return longer
    return run


class TestFile(msgspec.Struct):
    """The tests of one kind, in their order."""

    __test__ = False

    tests: list[Run]
    verified: list[VerifiedTest] = []
    """The first of them, up to one that had to go in the last runs: what those behind it found is not what they will find."""
    is_settled: bool = False


def settle(context: RunContext, files: dict[TestKind, TestFile]) -> Iterator[Event]:
    """Runs files until their tests do the same in each run, and what they do belongs into their file."""
    n_tests = sum(len(file.tests) for file in files.values())
    moved: list[Run] = []
    for _ in range(MAX_ROUNDS):
        for kind, file in files.items():
            if context.stop.is_requested:
                return
            if file.is_settled or not file.tests:
                continue
            _verify_file(context, kind, files, moved)
            yield from context.take_events()
            yield context.progress_event(0.5 + sum(len(one.verified) for one in files.values()) / (2 * n_tests))


def _verify_file(context: RunContext, kind: TestKind, files: dict[TestKind, TestFile], moved: list[Run]) -> None:
    """Runs the file; tests that differ leave it, and those of another kind (they met what tests of another file had left behind when they
    were first run) move to the end of the file that is theirs, once."""
    file = files[kind]
    results = _repeated(context, file.tests)
    stays = [result is not None and result.kind == kind for result in results]
    for test, result in zip(file.tests, results, strict=True):
        if result is not None and result.kind != kind and all(test is not other for other in moved):
            moved.append(test)
            files[result.kind].tests.append(test)
            files[result.kind].is_settled = False
    file.verified = [result for result, _ in takewhile(itemgetter(1), zip(results, stays, strict=True)) if result]
    file.tests = list(compress(file.tests, stays))
    file.is_settled = all(stays)


def _repeated(context: RunContext, tests: list[Run]) -> list[VerifiedTest | None]:
    """What the tests do in three runs of their file: one more than tests with a start of their own get, since what happens by chance
    spreads here. In the second one it is another day."""
    first = _run_file(context, tests)
    context.sut.move_clock(True)
    try:
        another_day = _run_file(context, tests)
    finally:
        context.sut.move_clock(False)
    again = _run_file(context, tests)
    today = [_agreed(context, runs) for runs in zip(first, again, strict=True)]
    results = [_agreed(context, runs) for runs in zip(first, another_day, again, strict=True)]
    dated = [same for result, same in zip(results, today, strict=True) if result is None and same is not None]
    if are_too_many(len(dated), len(tests)):
        context.warn(CLOCKS_DISAGREE)
        return today
    kept = kept_for_fault(context, dated)
    return [
        same if same is not None and any(same is one for one in kept) else result
        for result, same in zip(results, today, strict=True)
    ]


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
