"""Tries what earlier steps in a session change: a coupon before the checkout, three articles before the cart.

Each call that has changed something in a session without a login comes before a call of each operation that has
succeeded in one: once, and as often as it takes for what programs do with several things.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from wimble.model.carried_credentials import carried_by
from wimble.model.testcase import Call, TestCase
from wimble.search.access.stale_givers import giving_calls
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.resources.references import inserted, mapped_call, with_only
from wimble.types import OperationId

PROBABILITY: Final = 0.2
"""Probability of having a turn, while there is something to try."""
MAX_OPERATIONS: Final = 10
REPEATS: Final = (1, 3)
"""How often a step comes before the call."""


class SessionSteps(Generator):
    """Proposes each step before each call, in the order in which they have succeeded."""

    def __init__(self, max_calls: int) -> None:
        super().__init__()
        self._max_calls = max_calls
        self._succeeded: dict[OperationId, TestCase] = {}
        """The first success of each operation in a session, with the calls that give it."""
        self._waiting: deque[tuple[OperationId, OperationId, int]] = deque()

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal | None:
        while self._waiting:
            step, last, n_times = self._waiting.popleft()
            test_case = self._with_step(self._succeeded[step], self._succeeded[last], n_times)
            if test_case is not None:
                return Proposal(test_case, self, is_sampled=True)
        return None

    def _with_step(self, of_step: TestCase, known: TestCase, n_times: int) -> TestCase | None:
        """Returns the call that is known after a step in its session; None if the step cannot be made there."""
        at = len(known.calls) - 1
        (own, *_), (giving, *_) = tuple(giving_calls(of_step.calls[-1])), tuple(giving_calls(known.calls[-1]))
        is_same = of_step.calls[own].operation is known.calls[giving].operation
        if not is_same or len(known.calls) + n_times > self._max_calls:
            return None
        step = mapped_call(of_step.calls[-1], lambda call: giving if call == own else None)
        return inserted(known, at, [step] * n_times)

    def observe(self, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        for index, (call, observation) in enumerate(
            zip(evaluation.test_case.calls, evaluation.observations, strict=False)
        ):
            name = call.operation.id
            if observation.outcome == "ok" and name not in self._succeeded and _is_in_session(call):
                known = with_only(evaluation.test_case, [index])
                if not any(one.operation.entrance for one in known.calls):
                    self._note(name, known)

    def _note(self, name: OperationId, test_case: TestCase) -> None:
        if len(self._succeeded) >= MAX_OPERATIONS:
            return
        self._succeeded[name] = test_case
        for other in self._succeeded:
            for step, last in dict.fromkeys(((name, other), (other, name))):
                if self._is_step(step):
                    self._waiting.extend((step, last, n_times) for n_times in REPEATS)

    def _is_step(self, name: OperationId) -> bool:
        """Whether the operation may change the session, and its call refers to nothing but that."""
        *before, last = self._succeeded[name].calls
        return last.operation.effect != "read" and set(giving_calls(last)) == set(range(len(before)))


def _is_in_session(call: Call) -> bool:
    """Whether the call carries cookies, and nothing else."""
    fields = carried_by(call).fields
    return bool(fields) and all(place.startswith("set-cookie ") for place, _ in fields)
