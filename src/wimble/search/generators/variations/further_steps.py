"""Test cases that take a resource one step further: what was just done to it is followed by each other act on it.

An order is quoted, booked, paid, sent, cancelled: each act is allowed in some states only, and what a state lacks shows
in the third or fourth step (the price of an order that was cancelled is gone, and booking it again fails). Chains that
lead there are long, and each new one begins from nothing. So an act that has succeeded is kept with all that came
before it, and followed by each other operation on the same resource, once for each two; those that have not succeeded
come first, and a few times; oftener after acts that have covered something, since an approval opens other operations
than a rejection. What then succeeds is followed in the same way.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from typing import Final

from wimble.model.carried_credentials import with_credentials_of
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.resource_names import ONE
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.resources.same_subjects import with_subjects_of
from wimble.search.sampling.sampler import Sampler
from wimble.types import OperationId

OPENING_PROBABILITY: Final = 0.2
"""Probability of a turn ahead of others, while a step waits that may let an operation succeed for the first time."""
PROBABILITY: Final = 0.04
"""Probability of a turn ahead of others that cover more, while another step waits: no target leads to what it shows."""
MAX_TRIES: Final = 2
"""Number of test cases for one act and an operation after it that has not succeeded."""
MAX_TRIES_OF_NEW: Final = 6
"""The same, after acts that have covered something."""
MAX_TRIES_OF_OPEN: Final = 1
"""The same for one that has succeeded elsewhere."""
MAX_WAITING: Final = 256


class FurtherSteps(Generator):
    """Proposes these test cases: those of operations that have not succeeded first, and otherwise the oldest."""

    def __init__(self, sampler: Sampler, max_calls: int) -> None:
        """max_calls: maximum number of calls of a test case."""
        super().__init__()
        self._sampler = sampler
        self._max_calls = max_calls
        self._succeeded: set[OperationId] = set()
        self._tries: Counter[tuple[OperationId, OperationId]] = Counter()
        """By the act, and the operation after it."""
        self._opening: deque[TestCase] = deque(maxlen=MAX_WAITING)
        self._waiting: deque[TestCase] = deque(maxlen=MAX_WAITING)

    def is_ready(self) -> bool:
        return bool(self._opening or self._waiting)

    def may_open(self) -> bool:
        """Whether a step waits that may let an operation succeed for the first time."""
        return bool(self._opening)

    def propose(self, progress: float) -> Proposal | None:
        while self._opening:
            test_case = self._opening.popleft()
            if test_case.calls[-1].operation.id not in self._succeeded:
                return Proposal(test_case, self)
        return Proposal(self._waiting.popleft(), self) if self._waiting else None

    def observe(self, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            if observation.outcome == "ok":
                self._succeeded.add(call.operation.id)
        if self._has_acted(evaluation):
            for step in self._steps(evaluation.test_case, covers_new=bool(outcome.improvement.newly_covered)):
                is_open = step.calls[-1].operation.id in self._succeeded
                (self._waiting if is_open else self._opening).append(step)

    def _has_acted(self, evaluation: Evaluation) -> bool:
        """Whether the last call has done something to a resource."""
        calls, observations = evaluation.test_case.calls, evaluation.observations
        if not calls or not len(observations) == len(calls) < self._max_calls or evaluation.is_sut_lost:
            return False
        operation = calls[-1].operation
        return observations[-1].outcome == "ok" and not operation.is_safe and _is_act(operation)

    def _steps(self, test_case: TestCase, *, covers_new: bool) -> Iterator[TestCase]:
        act = test_case.calls[-1]
        for operation in self._sampler.operations:
            pair = (act.operation.id, operation.id)
            most = MAX_TRIES_OF_NEW if covers_new else MAX_TRIES
            if operation.id in self._succeeded:
                most = MAX_TRIES_OF_OPEN
            if self._tries[pair] < most and _are_on_one_kind(operation, act.operation):
                self._tries[pair] += 1
                longer = TestCase((*test_case.calls, self._call(operation, test_case)), test_case.setup)
                yield self._sampler.answers.given_to(longer)

    def _call(self, operation: Operation, test_case: TestCase) -> Call:
        """Returns a call on the resource of the act, by its user, often with inputs that have succeeded."""
        call = self._sampler.producer(operation, test_case.calls)
        act = test_case.calls[-1]
        return with_credentials_of(with_subjects_of(call, act, self._sampler.resources), act)


def _is_act(operation: Operation) -> bool:
    """Whether it acts on one item of a collection."""
    return bool(operation.subjects) and ONE in operation.place


def _are_on_one_kind(operation: Operation, act: Operation) -> bool:
    """Whether both name one item of the same collection, and nothing within it."""
    return (
        bool(operation.subjects)
        and len(operation.subjects) == len(act.subjects)
        and operation.subjects[-1].scope == act.subjects[-1].scope
    )
