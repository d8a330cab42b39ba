"""Runs each chosen test twice, each time from a freshly started SUT, and keeps what was the same both times.

Freshness is the rule that generated suites use, too: a fresh start before each file and before each test, unless only calls that
ask for no change of state (GET, HEAD, OPTIONS) were sent since the last start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from wimble.engine.candidates import Candidate, describe_targets
from wimble.engine.checks import body_checks, is_erratic, stable_status
from wimble.engine.context import RunContext
from wimble.engine.events import Event, PhaseStarted
from wimble.engine.faults import is_safe
from wimble.engine.limits import PhaseLimit
from wimble.engine.naming import make_unique, name_test
from wimble.errors import TargetError
from wimble.model.evaluation import Evaluation, Finding, Observation
from wimble.model.http import HttpResponse
from wimble.model.suite import TestKind, VerifiedCall, VerifiedTest
from wimble.model.testcase import TestCase

ERRATIC_RUNS = 4
"""Further runs of a test whose answers are a matter of chance: one of three equally likely lengths of a list is the same in
two runs a third of the time, in six runs once in 243."""


BY_CHANCE = "shows up in some runs only: timing or chance plays a part"


class FirstRun(msgspec.Struct):
    """A candidate and what its first verification run gave."""

    candidate: Candidate
    test_case: TestCase
    evaluation: Evaluation
    findings: list[Finding]

    @property
    def kind(self) -> TestKind:
        if self.findings:
            return "fault"
        responses = [observation.response for observation in self.evaluation.observations]
        return "success" if all(r is not None and r.status < 400 for r in responses) else "other"

    @property
    def order(self) -> tuple[int, bool]:
        """Kinds apart (they become files), and tests without side effects first: they can share one start."""
        return {"fault": 0, "success": 1, "other": 2}[self.kind], not is_safe(self.test_case)


def run_verify(context: RunContext, candidates: list[Candidate]) -> Iterator[Event]:
    """Fills `context.tests`; tests that behave differently are left out with a warning."""
    context.phase = "verify"
    limit = PhaseLimit(context, share=0.5, at_least_s=40.0)  # of the first runs; the second ones take as long again
    yield PhaseStarted(phase="verify", n_steps=2 * len(candidates))
    firsts: list[FirstRun] = []
    verified: list[VerifiedTest] = []
    try:
        for number, candidate in enumerate(candidates):
            if limit.is_reached:
                break
            first = _first_run(context, candidate)
            if first is not None:
                firsts.append(first)
            yield from context.take_events()
            yield context.progress_event(number / (2 * len(candidates)))
        _note_missing_time(context, len(candidates) - len(firsts), limit)
        firsts = _without_repeats(sorted(firsts, key=lambda first: first.order))
        context.stop.rearm()
        yield from _second_runs(context, firsts, verified)
    except KeyboardInterrupt:
        context.stopped_by = "interrupt"
    except TargetError as error:
        context.warn(f"verification ended early: {error.what}")
    context.tests = _renamed(verified)
    yield from context.take_events()


def _second_runs(context: RunContext, firsts: list[FirstRun], verified: list[VerifiedTest]) -> Iterator[Event]:
    kind = None
    unstable = 0
    for number, first in enumerate(firsts):
        if context.stop.is_requested:
            break
        if first.kind != kind:
            kind = first.kind
            context.restart()
        test = _verified(context, first)
        if test is not None:
            verified.append(test)
        else:
            unstable += 1
        yield context.progress_event(0.5 + number / (2 * len(firsts)))
    if unstable:
        context.warn(f"{unstable} of {len(firsts)} tests answered differently when repeated and were left out")


def _first_run(context: RunContext, candidate: Candidate) -> FirstRun | None:
    """The minimised test if it still shows what it is there for, else the one it came from, else nothing."""
    shapes = [candidate.test_case]
    shapes += [shape for shape in (candidate.original, *candidate.shapes) if shape not in shapes]
    last: FirstRun | None = None
    for shape in shapes:
        context.make_fresh(entirely=candidate.fault_key is not None)
        evaluation, findings = context.evaluate(shape, full=True, linger_s=candidate.linger_s)
        if candidate.is_shown_by(evaluation, findings):
            return FirstRun(candidate, shape, evaluation, findings)
        last = FirstRun(candidate, shape, evaluation, findings)
    if candidate.fault_key is None:
        # Not the coverage that it had (that took state which earlier tests built up), but what it does is real.
        return last
    context.fault_notes[candidate.fault_key] = (
        "seen during the search, but not again on a freshly started SUT: it needs state that earlier calls built up, or chance"
    )
    return None


def _verified(context: RunContext, first: FirstRun) -> VerifiedTest | None:
    """The test after its second run; None where the two runs differ in what matters."""
    context.make_fresh()
    evaluation, findings = context.evaluate(first.test_case, full=True, linger_s=first.candidate.linger_s)
    keys = {finding.key for finding in findings}
    lasting = [finding for finding in first.findings if finding.key in keys]
    lasting.sort(key=lambda finding: finding.key != first.candidate.fault_key)
    if first.candidate.fault_key is not None and first.candidate.fault_key not in keys:
        context.fault_notes[first.candidate.fault_key] = BY_CHANCE
        return None
    runs = [first.evaluation, evaluation]
    if any(is_erratic(responses) for responses in _responses_by_call(runs)):
        runs += _more_runs(context, first)
    calls = []
    for observations in zip(*(run.observations for run in runs), strict=True):
        call = _verified_call(observations)
        if call is None:
            if first.candidate.fault_key is not None:
                context.fault_notes[first.candidate.fault_key] = BY_CHANCE
            return None
        calls.append(call)
    kind = first.kind if lasting or first.kind != "fault" else "other"
    return VerifiedTest(
        name=name_test(first.test_case, first.evaluation.observations, lasting),
        kind=kind,
        test_case=first.test_case,
        calls=tuple(calls),
        findings=tuple(lasting),
        reason=_reason(context, first),
    )


def _responses_by_call(runs: list[Evaluation]) -> Iterator[list[HttpResponse]]:
    for observations in zip(*(run.observations for run in runs), strict=True):
        yield [one.response for one in observations if one.response is not None]


def _more_runs(context: RunContext, first: FirstRun) -> Iterator[Evaluation]:
    for _ in range(ERRATIC_RUNS):
        context.make_fresh()
        yield context.evaluate(first.test_case, full=True, linger_s=first.candidate.linger_s)[0]


def _verified_call(runs: Sequence[Observation]) -> VerifiedCall | None:
    first = runs[0]
    if any(run.failure != first.failure for run in runs):
        return None
    responses = [run.response for run in runs if run.response is not None]
    if len(responses) < len(runs):
        return None if responses else VerifiedCall(observation=first, status=None)
    status = stable_status(responses)
    if status is None:
        return None
    return VerifiedCall(observation=first, status=status, checks=body_checks(responses))


def _reason(context: RunContext, first: FirstRun) -> str:
    if first.candidate.fault_key is not None:
        return ""
    return describe_targets(first.candidate.targets, context.table, str(context.settings.working_dir))


def _without_repeats(firsts: list[FirstRun]) -> list[FirstRun]:
    """Faults may share a test case once minimised; one test then stands for all its findings."""
    out: list[FirstRun] = []
    for first in firsts:
        if not any(first.test_case == other.test_case for other in out):
            out.append(first)
    return out


def _renamed(tests: list[VerifiedTest]) -> list[VerifiedTest]:
    names = make_unique([test.name for test in tests], [test.test_case for test in tests])
    for test, name in zip(tests, names, strict=True):
        test.name = name
    return tests


def _note_missing_time(context: RunContext, missing: int, limit: PhaseLimit) -> None:
    if missing > 0 and limit.is_reached and not context.stop.was_ever_requested:
        context.warn(f"{missing} tests were not verified and so not written: out of time")
