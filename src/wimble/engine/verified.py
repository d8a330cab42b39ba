"""One test in verification: what its runs gave, and the verified test that they agree on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from wimble.engine.candidates import Candidate, describe_targets
from wimble.engine.checks import body_checks, stable_status
from wimble.engine.context import RunContext
from wimble.engine.doubts import Doubts, doubts_about
from wimble.engine.faults import is_safe
from wimble.engine.naming import make_unique, name_test
from wimble.engine.row_order import with_values_of_lists
from wimble.model.conditions import AS_TESTS_RUN, Conditions
from wimble.model.evaluation import Evaluation, Finding, Observation
from wimble.model.http import HttpResponse
from wimble.model.suite import TestKind, VerifiedCall, VerifiedTest
from wimble.model.testcase import Call, TestCase

BY_CHANCE = "shows up in some runs only: timing or chance plays a part"
ROWS_REFUSED = "seen with rows that the database does not take again: it had been away, or held others then"
CLOCKS_DISAGREE = (
    "many tests fail where the API's clock is 40 days ahead of others'; they were kept, and may fail one day"
)
NOT_AGAIN = "seen during the search, but not again on a freshly started SUT: it needs state that earlier calls built up, or chance"

MAX_DATED = 3
MAX_DATED_SHARE = 0.2
"""Tests, and their share, that may fail on another day. Where more do, that is because the SUT's clock and others' (of a database, of whoever
gives out its tokens) no longer agree, and says nothing about the tests."""


class Run(msgspec.Struct):
    """A candidate in the shape that is verified, and what one run of it gave."""

    candidate: Candidate
    test_case: TestCase
    evaluation: Evaluation
    findings: list[Finding]
    shares_start: bool = False
    """Whether it was run behind others that share a start."""
    in_other_order: tuple[Evaluation, ...] = ()
    """What it gave where these others ran the other way round."""

    @property
    def kind(self) -> TestKind:
        if self.findings:
            return "fault"
        pairs = zip(self.test_case.calls, self.evaluation.observations, strict=True)
        return "success" if all(_went_well(call, observation.response) for call, observation in pairs) else "other"

    @property
    def order(self) -> tuple[int, bool, bool, bool]:
        """Kinds apart (they become files), those that share a start first, then tests without side effects: they share one by themselves."""
        number = {"fault": 0, "success": 1, "other": 2}[self.kind]
        return number, self.candidate.is_disturbing, not self.shares_start, not is_safe(self.test_case)


def _went_well(call: Call, response: HttpResponse | None) -> bool:
    """GraphQL tells its errors in answers of status 200."""
    return (
        response is not None
        and response.status < 400
        and (not call.operation.graphql or call.operation.is_success(response))
    )


def are_too_many(n_dated: int, n_tests: int) -> bool:
    """Whether so many tests fail on another day that it is not theirs."""
    return n_dated > max(MAX_DATED, MAX_DATED_SHARE * n_tests)


def kept_for_fault(context: RunContext, dated: Sequence[VerifiedTest]) -> list[VerifiedTest]:
    """Those of the tests that hold around today only which show a fault: a fault is worth a test that may fail one day, coverage is not."""
    kept = [test for test in dated if test.kind == "fault"]
    for test in kept:
        test.is_dated = True
        for finding in test.findings:
            context.fault_notes.pop(finding.key, None)
    if kept:
        context.warn(f"tests that hold around today only, kept for the faults that they show: {len(kept)}")
    return kept


def run_of(
    context: RunContext, candidate: Candidate, test_case: TestCase, conditions: Conditions = AS_TESTS_RUN
) -> Run:
    """Runs the test case on the SUT as it is."""
    context.sut.live_under(conditions)
    evaluation, findings = context.evaluate(test_case, full=True, linger_s=candidate.linger_s)
    return Run(candidate, test_case, evaluation, findings)


def shapes_of(candidate: Candidate) -> list[TestCase]:
    """The minimised test, then those that it came from."""
    shapes = [candidate.test_case]
    shapes += [shape for shape in (candidate.original, *candidate.shapes) if shape not in shapes]
    return shapes


def shown_run(context: RunContext, candidate: Candidate, run: Callable[[TestCase], Run]) -> Run | None:
    """A run of the first of its shapes that shows what the candidate is there for; notes a fault that none of them shows."""
    last = None
    for shape in shapes_of(candidate):
        last = run(shape)
        if candidate.is_shown_by(last.evaluation, last.findings):
            return last
    if candidate.fault_key is None:
        # Not the coverage that it had (that took state which earlier tests built up), but what it does is real.
        return last
    context.fault_notes[candidate.fault_key] = NOT_AGAIN
    return None


def lasting_findings(runs: Sequence[Run]) -> list[Finding]:
    """Those of the first run that each run has; the one that the test is there for comes first."""
    keys = [{finding.key for finding in run.findings} for run in runs[1:]]
    lasting = [finding for finding in runs[0].findings if all(finding.key in found for found in keys)]
    return sorted(lasting, key=lambda finding: finding.key != runs[0].candidate.fault_key)


def agreed(context: RunContext, runs: Sequence[Run], evaluations: Sequence[Evaluation]) -> VerifiedTest | None:
    """The test on which its runs agree; None where they differ in what matters.

    evaluations: of `runs`, and of further runs whose findings do not count.
    """
    first = runs[0]
    if any(one.refused_rows for one in evaluations):  # as the suite's helper will be, which says so
        if first.candidate.fault_key is not None:
            context.fault_notes[first.candidate.fault_key] = ROWS_REFUSED
        return None
    lasting = lasting_findings(runs)
    doubts = doubts_about(len(first.test_case.calls), evaluations, context.sut.databases.schemas)
    in_any_order = {index for index, about in enumerate(doubts) if about.in_any_order}
    calls = []
    is_lasting = first.candidate.fault_key is None or first.candidate.fault_key in {one.key for one in lasting}
    for about, *observations in zip(doubts, *(one.observations for one in evaluations), strict=True):
        call = _verified_call(observations, about) if is_lasting else None
        if call is None:
            if first.candidate.fault_key is not None:
                context.fault_notes[first.candidate.fault_key] = BY_CHANCE
            return None
        calls.append(call)
    return VerifiedTest(
        # A test that is there for its coverage may show a fault that has a test of its own: it is named by what it does.
        name=name_test(
            first.test_case, first.evaluation.observations, lasting if first.candidate.fault_key is not None else []
        ),
        kind=first.kind if lasting or first.kind != "fault" else "other",
        test_case=with_values_of_lists(first.test_case, evaluations, in_any_order),
        calls=tuple(calls),
        findings=tuple(lasting),
        shares_start=not first.candidate.is_disturbing
        and (context.shares_start or first.shares_start or not context.remembers(first.test_case)),
        covers=first.evaluation.covered(),
        reason=_reason(context, first),
    )


def responses_by_call(evaluations: Sequence[Evaluation]) -> Iterator[list[HttpResponse]]:
    for observations in zip(*(one.observations for one in evaluations), strict=True):
        yield [one.response for one in observations if one.response is not None]


def without_repeats(runs: list[Run]) -> list[Run]:
    """Faults may share a test case once minimised; one test then stands for all its findings."""
    out: list[Run] = []
    for run in runs:
        if not any(run.test_case == other.test_case for other in out):
            out.append(run)
    return out


def renamed(tests: list[VerifiedTest]) -> list[VerifiedTest]:
    names = make_unique([test.name for test in tests], [test.test_case for test in tests])
    for test, name in zip(tests, names, strict=True):
        test.name = name
    return tests


def _verified_call(runs: Sequence[Observation], doubts: Doubts) -> VerifiedCall | None:
    first = runs[0]
    if any(run.failure != first.failure for run in runs):
        return None
    responses = [run.response for run in runs if run.response is not None]
    if len(responses) < len(runs):
        return None if responses else VerifiedCall(observation=first, status=None)
    status = stable_status(responses)
    if status is None:
        return None
    return VerifiedCall(observation=first, status=status, checks=body_checks(responses, doubts))


def _reason(context: RunContext, first: Run) -> str:
    if first.candidate.fault_key is not None:
        return ""
    return describe_targets(first.candidate.targets, context.table, str(context.settings.working_dir))
