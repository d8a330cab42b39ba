"""The runs of one test in verification, and the verified test on which they agree."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.selection import describe_targets
from wimble.engine.candidates.test_names import make_unique, name_test
from wimble.engine.stability.agreed_checks import body_checks
from wimble.engine.stability.nondeterminism import Nondeterminism, nondeterminism_of
from wimble.engine.stability.row_order import with_values_of_lists
from wimble.engine.stability.unplanned_requests import unplanned_requests
from wimble.engine.stability.verification import Verification
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Observation
from wimble.model.run_conditions import AS_TESTS_RUN, Conditions
from wimble.model.suite import TestKind, VerifiedCall, VerifiedTest
from wimble.model.testcase import TestCase
from wimble.users import Secrets

BY_CHANCE = "shows up in some runs only: timing or chance plays a part"
ROWS_REFUSED = "needs rows that the database now refuses: it was unavailable or held other rows when the fault was seen"
CLOCKS_DISAGREE = (
    "many tests fail if only the API's clock is moved 40 days ahead; they were kept, but may fail on a later day"
)
NOT_AGAIN = (
    "seen during the search, but not again on a freshly started SUT: it needs state that earlier calls built up, "
    "or chance"
)
NOT_BEHIND = (
    "seen during the search, but not again behind the other tests, which share a start, since the SUT starts slowly; "
    "there was no time to try it on a start of its own"
)
BEHIND_OTHERS = "its test shows it behind others, which share a start; its requests alone may not show it"
"""Of a fault that has a test."""

MAX_DATED = 3
MAX_DATED_SHARE = 0.2
"""Maximum number of tests, and their maximum share, that may fail on another day. If more do, the clock of the SUT and
another clock (of a database, of an issuer of tokens) no longer agree, and the tests are not the cause.
"""


WELL: Final = frozenset({"ok", "redirected"})
"""Outcomes of the calls of a success test, which shows what works."""


class Run(msgspec.Struct, frozen=True):
    """A candidate, the test case as which it is verified, and the evaluation of one run."""

    candidate: Candidate
    test_case: TestCase
    evaluation: Evaluation
    shares_start: bool = False
    """Whether it ran after other tests on a shared start."""
    in_other_order: tuple[Evaluation, ...] = ()
    """Its evaluation when the tests on the shared start ran in reverse order; empty if they did not."""
    took_s: float = 0.0
    """Wall time of the run. It is for time limits only."""

    @property
    def kind(self) -> TestKind:
        """The kind of test: `fault` if there are findings, `success` if all outcomes are WELL, else `other`."""
        if self.evaluation.findings:
            return "fault"
        return (
            "success" if all(observation.outcome in WELL for observation in self.evaluation.observations) else "other"
        )

    @property
    def order(self) -> tuple[int, bool, bool, bool]:
        """A sort key: by kind, since each kind becomes a file.

        Within a kind polluters come last, tests that share a start first.

        Among tests that do not share a start, those without side effects come first, since they can share one anyway.
        """
        number = {"fault": 0, "success": 1, "other": 2}[self.kind]
        return number, self.candidate.is_polluter, not self.shares_start, not self.test_case.is_safe


def are_too_many(n_dated: int, n_tests: int) -> bool:
    """Whether so many tests fail on another day that the tests are not the cause."""
    return n_dated > max(MAX_DATED, MAX_DATED_SHARE * n_tests)


def kept_for_fault(verification: Verification, dated: Sequence[VerifiedTest]) -> list[VerifiedTest | None]:
    """Returns, for each test that holds around today only, the test if it shows a fault, marked as dated, else None.

    A fault is worth a test that may fail one day; coverage is not.
    """
    kept = [replace(test, is_dated=True) if test.kind == "fault" else None for test in dated]
    n_kept = 0
    for test in kept:
        if test is not None:
            n_kept += 1
            for finding in test.findings:
                verification.withdraw_note(finding.key)
    if n_kept:
        verification.warn(f"tests that pass only around today's date, kept for the faults that they show: {n_kept}")
    return kept


def run_of(
    verification: Verification, candidate: Candidate, test_case: TestCase, conditions: Conditions = AS_TESTS_RUN
) -> Run:
    """Runs the test case on the SUT as it is."""
    worker = verification.worker
    worker.sut.live_under(conditions)
    worker.start_if_lost()
    begun_s = time.monotonic()
    evaluation = worker.evaluate(test_case, full=True, linger_s=candidate.linger_s)
    return Run(candidate, test_case, evaluation, took_s=time.monotonic() - begun_s)


def run_in_file(
    verification: Verification, candidate: Candidate, test_case: TestCase, conditions: Conditions = AS_TESTS_RUN
) -> Run:
    """Runs a test in its file, as `run_of`.

    If a call was not answered, the next test gets a fresh start: the suite's helper does the same.
    """
    run = run_of(verification, candidate, test_case, conditions)
    if any(not observation.is_answered for observation in run.evaluation.observations):
        verification.worker.freshness.note_loss()
    return run


def shared_run(
    verification: Verification, candidate: Candidate, test_case: TestCase, conditions: Conditions = AS_TESTS_RUN
) -> Run:
    """Runs the test case on the start that order-independent tests share, after those before it."""
    verification.worker.make_shared()
    return replace(run_of(verification, candidate, test_case, conditions), shares_start=True)


def lasting_findings(runs: Sequence[Run]) -> list[Finding]:
    """Returns the findings of the first run that all runs have; the candidate's own fault comes first."""
    keys = [{finding.key for finding in run.evaluation.findings} for run in runs[1:]]
    lasting = [finding for finding in runs[0].evaluation.findings if all(finding.key in found for found in keys)]
    return sorted(lasting, key=lambda finding: finding.key != runs[0].candidate.fault_key)


def is_wholly_repeated(verification: Verification, first: Run, again: Run) -> bool:
    """Whether another run shows all that the first one did: its findings, its targets, and all that may be asserted."""
    if len(lasting_findings([first, again])) < len(first.evaluation.findings):
        return False
    return weakens_nothing(verification, first.candidate, [first.evaluation], again.evaluation)


def weakens_nothing(
    verification: Verification, candidate: Candidate, before: Sequence[Evaluation], again: Evaluation
) -> bool:
    """Whether a test that was run once more would assert the same as after the runs before, and shows what it has to
    show.
    """
    if again.refused_setup or not candidate.is_shown_by(again):
        return False
    together = [*before, again]
    schemas = verification.worker.sut.databases.schemas
    nondeterminism = nondeterminism_of(len(again.test_case.calls), together, schemas)
    return all(
        agreed_call(runs[:-1], about) == agreed_call(runs, about)
        for about, *runs in zip(nondeterminism, *(one.observations for one in together), strict=True)
    )


def agreed(verification: Verification, runs: Sequence[Run], evaluations: Sequence[Evaluation]) -> VerifiedTest | None:
    """Returns the test on which its runs agree; None if they differ in outcomes, or in the fault that is to be shown.

    None also if a run has sent a request that the test does not expect: another test has left the answer to it in a
    cache of the SUT, or chance decides whether it is sent.

    evaluations: those of `runs`, and of further runs whose findings do not count.
    """
    first = runs[0]
    fault_key = first.candidate.fault_key
    if any(one.refused_setup for one in evaluations):  # the suite's helper reports these as well
        verification.note_fault(fault_key, ROWS_REFUSED)
        return None
    lasting = lasting_findings(runs)
    schemas = verification.worker.sut.databases.schemas
    nondeterminism = nondeterminism_of(len(first.test_case.calls), evaluations, schemas)
    is_lasting = fault_key is None or fault_key in {one.key for one in lasting}
    secrets = verification.coordinator.settings.secrets
    is_expected = not any(map(unplanned_requests, evaluations))
    calls = _verified_calls(evaluations, nondeterminism, secrets) if is_lasting and is_expected else None
    if calls is None:
        verification.note_fault(fault_key, BY_CHANCE)
        return None
    in_any_order = {index for index, about in enumerate(nondeterminism) if about.in_any_order}
    starts = verification.starts
    return VerifiedTest(
        # A test chosen for its coverage may show a fault that has another test, so its name says what it does.
        name=name_test(first.test_case, first.evaluation.observations, lasting if fault_key is not None else []),
        kind=first.kind if lasting or first.kind != "fault" else "other",
        test_case=with_values_of_lists(first.test_case, evaluations, in_any_order),
        calls=tuple(calls),
        findings=tuple(lasting),
        shares_start=not first.candidate.is_polluter
        and (starts.shares_start or first.shares_start or not starts.depends_on_state(first.test_case)),
        covers=first.evaluation.covered(),
        is_in_one_file=starts.has_one_file,
        has_crashed=any(crash.late is None for one in evaluations for crash in one.crashes),
        reason=_reason(verification, first),
    )


def answers_by_call(evaluations: Sequence[Evaluation]) -> Iterator[list[Observation]]:
    """Yields, for each call, its answered observations in these evaluations."""
    for observations in zip(*(one.observations for one in evaluations), strict=True):
        yield [one for one in observations if one.is_answered]


def without_repeats(runs: Sequence[Run]) -> list[Run]:
    """Removes runs of equal test cases: minimised faults may share a test case, which then shows all its findings.

    If a run that stays was chosen for its coverage, it takes over the fault of the one that it replaces, and is named
    after it. A fault that it does not show keeps a run of its own.
    """
    out: list[Run] = []
    for run in runs:
        place = next((place for place, other in enumerate(out) if run.test_case == other.test_case), None)
        if place is None or not _shows_fault_of(run.candidate, out[place].evaluation):
            out.append(run)
        elif out[place].candidate.fault_key is None:
            candidate = replace(out[place].candidate, fault_key=run.candidate.fault_key)
            out[place] = replace(out[place], candidate=candidate)
    return out


def _shows_fault_of(candidate: Candidate, evaluation: Evaluation) -> bool:
    return candidate.fault_key is None or candidate.is_shown_by(evaluation)


def renamed(tests: list[VerifiedTest]) -> list[VerifiedTest]:
    """Returns the tests with unique names."""
    names = make_unique([test.name for test in tests], [test.test_case for test in tests])
    return [replace(test, name=name) for test, name in zip(tests, names, strict=True)]


def _verified_calls(
    evaluations: Sequence[Evaluation], nondeterminism: Sequence[Nondeterminism], secrets: Secrets
) -> list[VerifiedCall] | None:
    """Returns the calls with what all evaluations have in common; None if the outcomes of a call differ."""
    calls = []
    for about, *observations in zip(nondeterminism, *(one.observations for one in evaluations), strict=True):
        call = agreed_call(observations, about)
        if call is None:
            return None
        checks = tuple(check for check in call.checks if not secrets.has_any(json.dumps(check.value)))
        calls.append(replace(call, checks=checks) if len(checks) < len(call.checks) else call)
    return calls


def agreed_call(runs: Sequence[Observation], nondeterminism: Nondeterminism) -> VerifiedCall | None:
    """Returns the call with the checks on which its runs agree; None if their outcomes differ."""
    first = runs[0]
    if any(run.outcome_key != first.outcome_key for run in runs):
        return None
    checks = body_checks([run.exchange for run in runs], nondeterminism) if first.is_answered else ()
    return VerifiedCall(observation=first, checks=checks)


def _reason(verification: Verification, first: Run) -> str:
    if first.candidate.fault_key is not None:
        return ""
    coordinator = verification.coordinator
    return describe_targets(first.candidate.targets, coordinator.table, str(coordinator.settings.working_dir))
