"""Finds operations and tests that depend on the state that others leave, although databases are reset between them.

The chosen test cases run one after the other on a fresh start, and again on another; what is the same both times does
not depend on chance. Then they run in reverse order: once after all others, and once on a fresh start after those that
only read. If an answer differs there, the test case depends on state that another test left, or lacks such state.

A test whose operations do not depend on state needs no start of its own while it is minimised. Tests that are answered
the same wherever they run are order-independent: they share a start in verification and in the suite. So does a test
for whose examination there was no time, if none of its operations depends on state.

A test that leaves out a request which its operation sends first unless it has kept the answer (a token) is not
order-independent, even if other tests stood before it in each of the orders whose answers the SUT has kept.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from statistics import median
from typing import NamedTuple

from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.candidates.suite_databases import is_put_back_between_runs, resets_all_databases
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.stability.agreed_checks import body_checks
from wimble.engine.stability.kept_places import KeptPlaces, asks_elsewhere, kept_places, relies_on_kept
from wimble.engine.worker.worker import Worker
from wimble.model.database import Databases
from wimble.model.evaluation import Evaluation
from wimble.model.observation import Observation
from wimble.model.run_conditions import AS_TESTS_RUN, trial_conditions
from wimble.model.testcase import TestCase
from wimble.oracles.failures.crashes import DIED
from wimble.types import OperationId

MAX_ASKED = 300
"""Maximum number of test cases that are examined; each of them runs four times."""
N_RUNS = 4
"""Number of runs of each test case."""
N_STARTS = N_RUNS - 1
N_IN_ORDER = 2
"""How many of them, the first ones, are in the order of the test cases."""
TIME_SHARE = 0.2
"""Share of the time for minimising. Operations that are not examined by then count as depending on state."""
LARGER_SHARE = 0.35
"""The same if there is no time for a start for each test case: what the examination finds out saves most of them."""
SHARE_IF_CHEAP = 0.6
"""The same if the runs of a test case take less time than a start: each that is examined saves two starts of it."""
MIN_EXAMINED = 0.2
"""Share of the test cases that has to be examined by then: for fewer, the time is better spent on starts."""
STARTS_SAVED = 2
"""How many starts are saved by the examination of a test case, at best."""
SLOW_RUN = 8
"""How many times as long as the median a slow run takes, such as that of a test case whose calls sleep by the clock."""
NEEDS_HISTORY = "a fault depends on earlier tests"

Answers = list[Evaluation | None]
"""The evaluation of each test case; None if the SUT was lost, or if there was no time."""


class StateDependence(NamedTuple):
    """The result of the examination."""

    starts: StartPolicy
    candidates: list[Candidate]
    """All candidates; those that are order-independent, or faults that are steady, are marked as such."""
    run_s: float = 0.0
    """How long a run took in the mean, with its share of the starts; 0 if none was examined."""


def find_state_dependence(
    coordinator: Coordinator, worker: Worker, candidates: Sequence[Candidate], limit: PhaseLimit
) -> StateDependence:
    """Runs the candidates in several orders, under the conditions of verification.

    Raises: TargetError, if the SUT cannot be started again.
    """
    about = [number for number, one in enumerate(candidates) if not _ends_the_sut(one)][:MAX_ASKED]
    asked = [candidates[number].test_case for number in about]
    unknown = StateDependence(StartPolicy(), list(candidates))
    if coordinator.settings.library:  # nothing of it is reset between tests (stability/changed_settings.py)
        return unknown
    if not coordinator.settings.command or all(test_case.is_safe for test_case in asked):
        return unknown
    share = TIME_SHARE if limit.allows(len(asked) * worker.next_start_s, LARGER_SHARE) else LARGER_SHARE
    if not limit.allows(N_STARTS * worker.next_start_s, share):
        return unknown
    worker.sut.live_under(AS_TESTS_RUN)
    began_s = coordinator.budget.after_search_s
    examination = _Examination(coordinator, worker, asked, limit)
    try:
        runs = examination.four_ways(share)
    finally:
        worker.sut.live_under(trial_conditions(coordinator.settings))
    n_runs = sum(one is not None for of_one in runs for one in of_one)
    run_s = (coordinator.budget.after_search_s - began_s) / max(1, n_runs)
    known = {
        call.operation.id
        for test_case, *evaluations in zip(asked, *runs, strict=True)
        if all(one is not None for one in evaluations)
        for call in test_case.calls
    }
    differing = dict(_differing(asked, *runs))
    starts = StartPolicy(independent=frozenset(known - differing.keys()), evidence=next(iter(differing.values()), ""))
    marked = list(candidates)
    kept = kept_places([one for one in of_one if one is not None] for of_one in zip(*runs, strict=True))
    for index, (number, *evaluations) in enumerate(zip(about, *runs, strict=True)):
        marked[number] = replace(_marked(marked[number], evaluations, kept), is_slow=index in examination.slow)
    for number in {*range(len(candidates))} - {about[index] for index in examination.ran}:
        is_slow = not examination.slow_operations.isdisjoint(_operations(candidates[number].test_case))
        marked[number] = replace(_marked_as_others(marked[number], starts, kept), is_slow=is_slow)
    return StateDependence(starts, marked, run_s)


def _marked_as_others(candidate: Candidate, starts: StartPolicy, kept: KeptPlaces) -> Candidate:
    """Returns a candidate that has not run, for lack of time, marked as those with its operations were found to be.

    That is a guess: verification runs it in two orders, and on a start of its own if it differs there.
    """
    operations = _operations(candidate.test_case)
    is_alike = operations <= starts.independent and not operations & kept.keys()
    is_asked = candidate.fault_key is None and not candidate.ends_its_start
    return replace(candidate, is_order_independent=is_alike and is_asked)


def _marked(candidate: Candidate, evaluations: Sequence[Evaluation | None], kept: KeptPlaces) -> Candidate:
    """Returns the candidate, marked as what these runs of it show."""
    is_same = _is_same(evaluations) and not any(one is not None and relies_on_kept(one, kept) for one in evaluations)
    candidate = replace(candidate, has_hung=any(one is not None and one.has_hung for one in evaluations))
    if candidate.fault_key is None:
        return replace(candidate, is_order_independent=is_same)
    shown = [one is not None and candidate.is_shown_by(one) for one in evaluations]
    is_steady = all(shown)
    return replace(
        candidate,
        is_steady=is_steady,
        was_shown_twice=all(shown[:N_IN_ORDER]),
        was_missed=any(one is not None and not candidate.is_shown_by(one) for one in evaluations),
        is_order_independent=is_steady and is_same,
    )


def as_suites_start(
    starts: StartPolicy, candidates: Sequence[Candidate], databases: Databases
) -> tuple[StartPolicy, list[Candidate]]:
    """Returns the policy and the candidates for verification.

    No test shares a start unless the suite can reset all databases. Where it puts files back while the SUT is stopped,
    tests are verified on a shared start nevertheless, since the rows in the files are put back there.
    """
    if not resets_all_databases(databases):
        starts = starts.without_independence()
        if is_put_back_between_runs(databases):
            return replace(starts, starts_each=True), list(candidates)
        return starts, [replace(one, is_order_independent=False) for one in candidates]
    if any(starts.depends_on_state(one.test_case) for one in candidates):
        starts = starts.without_independence()
    return starts, list(candidates)


def told_starts(*, remembers: bool, evidence: str, in_order: bool, n_sharing: int, n_tests: int) -> str:
    """Returns a sentence about how tests start the SUT, and why; empty if that was not examined.

    remembers: whether any test may depend on those before it. in_order: whether tests of a file share a start although
    they depend on state.
    """
    if not remembers:
        return "the SUT keeps no state between tests: tests of a file share a start"
    if not evidence:
        return ""
    if in_order:
        how = "tests of a file share a start, in their order"
    elif n_sharing:
        how = (
            f"{n_sharing} of {n_tests} tests are order-independent and share a start per file; each other test starts "
            "the SUT afresh"
        )
    else:
        how = "each test starts it afresh"
    return f"the SUT keeps state ({evidence}): {how}"


class _Examination:
    """Runs of the test cases in several orders."""

    def __init__(self, coordinator: Coordinator, worker: Worker, asked: Sequence[TestCase], limit: PhaseLimit) -> None:
        self._coordinator = coordinator
        self._worker = worker
        self._asked = asked
        self._limit = limit
        self._first: dict[int, Evaluation | None] = {}
        self._left = deque(range(len(asked)))
        self.slow: frozenset[int] = frozenset()
        """Those whose run has taken long."""
        self.slow_operations: set[OperationId] = set()
        """What they call."""

    @property
    def ran(self) -> Collection[int]:
        return self._first.keys()

    def four_ways(self, share: float) -> tuple[Answers, ...]:
        """Returns the answers of four runs, each in the order of the test cases.

        They run one after the other on two fresh starts, and in reverse after the second one. On a third start they run
        in reverse, those that only read first.

        The first run ends with a quarter of the share (half of it after a slow start), and the others leave out what it
        did not reach, what takes long, or what has ended the SUT: a test case of which one run is missing has run in
        vain, and each further end of the SUT would be a start more, in the middle of a run that is to know what has run
        since the last one. If it has reached few of them only, it is the last one.
        """
        budget, worker, limit, asked = self._coordinator.budget, self._worker, self._limit, self._asked
        worker.restart()
        # The first start is the slowest: no process was ready for it, as one is for the others.
        part_of_first = 1 / 2 if limit.is_spent(share / N_RUNS) else 1 / N_RUNS
        began_s = budget.after_search_s
        self._run_first(share * part_of_first)
        run_s = (budget.after_search_s - began_s) / max(1, len(self._first))
        if self._left and N_RUNS * run_s < worker.start_s:
            share = SHARE_IF_CHEAP
            self._run_first(share * part_of_first)
        kept = [
            number
            for number, one in self._first.items()
            if one is not None and not one.has_hung and number not in self.slow
        ]
        if not kept or len(self._first) < MIN_EXAMINED * len(asked):
            return tuple([None] * len(asked) for _ in range(N_RUNS))
        readers_first = sorted(kept, key=lambda number: (not asked[number].is_safe, -number))

        def answers_in(order: Sequence[int]) -> Answers:
            answers = _answers(worker, [asked[number] for number in order], limit, share)
            known = dict(zip(order, answers, strict=False))
            return [known.get(number) for number in range(len(asked))]

        worker.restart()
        again, behind = answers_in(kept), answers_in(kept[::-1])
        worker.restart()
        first = [self._first.get(number) for number in range(len(asked))]
        return first, again, behind, answers_in(readers_first)

    def _run_first(self, share: float) -> None:
        """Runs those for which there is time. Others that call the same as a slow one come last."""
        while self._left and not self._limit.is_spent(share):
            number = self._left.popleft()
            evaluation = self._worker.evaluate(self._asked[number])
            self._first[number] = None if evaluation.is_sut_lost else evaluation
            self.slow = self._slow()
            called = {operation for slow in self.slow for operation in _operations(self._asked[slow])}
            if not called <= self.slow_operations:
                self.slow_operations |= called
                self._left = deque(sorted(self._left, key=self._may_be_slow))

    def _may_be_slow(self, number: int) -> bool:
        return not self.slow_operations.isdisjoint(_operations(self._asked[number]))

    def _slow(self) -> frozenset[int]:
        """Returns which runs take so long that further ones take longer than what they may save: a start of the test
        case's own is cheaper. None if the budget is in calls, since such runs can be repeated exactly.
        """
        took_s = {
            number: sum(observed.elapsed_s for observed in one.observations)
            for number, one in self._first.items()
            if one is not None
        }
        if self._coordinator.budget.is_repeatable or not took_s:
            return frozenset()
        least_s = max(STARTS_SAVED * self._worker.start_s / N_STARTS, SLOW_RUN * median(took_s.values()))
        return frozenset(number for number, run_s in took_s.items() if run_s > least_s)


def _operations(test_case: TestCase) -> set[OperationId]:
    return {call.operation.id for call in test_case.calls}


def _answers(worker: Worker, test_cases: Sequence[TestCase], limit: PhaseLimit, share: float) -> Answers:
    """Returns the answers of those for which there is time, the first ones."""
    answers: Answers = []
    for test_case in test_cases:
        if limit.is_spent(share):
            break
        evaluation = worker.evaluate(test_case)
        answers.append(None if evaluation.is_sut_lost else evaluation)
    return answers


def _differing(
    asked: Sequence[TestCase], first: Answers, again: Answers, *elsewhere: Answers
) -> Iterator[tuple[str, str]]:
    """Yields operations with an answer that differs between orders, and a description.

    The answer has to be the same in the first two runs and to differ in another one.
    """
    for test_case, one, two, *others in zip(asked, first, again, *elsewhere, strict=True):
        for other in others:
            if one is None or two is None or other is None:
                continue
            if asks_elsewhere(one, two, other):
                for operation in dict.fromkeys(call.operation.id for call in test_case.calls):
                    yield operation, f"{operation} did not always ask the same of services"
            for call, *usual, observed in zip(
                test_case.calls, one.observations, two.observations, other.observations, strict=True
            ):
                told = told_apart(usual, observed)
                if told:
                    yield call.operation.id, f"{call.operation.id} answered {told}"


def _is_same(evaluations: Sequence[Evaluation | None]) -> bool:
    """Whether a test case was answered the same in all runs."""
    known = [one for one in evaluations if one is not None]
    if len(known) < len(evaluations):
        return False
    for first, again, *elsewhere in zip(*(one.observations for one in known), strict=True):
        if _outcome(first) != _outcome(again) or any(told_apart((first, again), other) for other in elsewhere):
            return False
    return not any(asks_elsewhere(known[0], known[1], other) for other in known[2:])


def told_apart(usual: Sequence[Observation], other: Observation) -> str:
    """Describes how an answer differs from what the usual answers have in common; empty if it does not."""
    before = {_outcome(one) for one in usual}
    if len(before) > 1:
        return ""
    (outcome,) = before
    if _outcome(other) != outcome:
        return f"{outcome} and {_outcome(other)}"
    answers = [one.exchange for one in usual if one.is_answered]
    if not other.is_answered or len(answers) < len(usual):
        return ""
    places = {answer.place() for answer in answers}
    is_elsewhere = len(places) == 1 and other.exchange.place() not in places
    if is_elsewhere or body_checks(answers) != body_checks([*answers, other.exchange]):
        return f"{outcome} with two bodies"
    return ""


def _outcome(observation: Observation) -> str:
    return observation.outcome_key if observation.is_answered else "nothing"


def _ends_the_sut(candidate: Candidate) -> bool:
    return candidate.fault_key is not None and candidate.fault_key[0] == DIED
