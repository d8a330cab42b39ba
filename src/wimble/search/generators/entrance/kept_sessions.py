"""Tries calls once more with the cookies of another call: programs keep things for whoever has a session, also without
a login: a cart, the steps of a form, what was seen last.

The first call of each outcome that an operation has answered without credentials is repeated after a call that sets
cookies, and carries these. If it covers a new target, or is answered in a way that was not seen before, test cases for
the operation begin with the other call from then on, in part, as they do with a login.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from wimble.model.carried_credentials import can_carry, carried_by, with_carried
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.access.obtained import Obtained
from wimble.search.access.openings import Entry, entry_of_session
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.resources.references import inserted, with_only
from wimble.search.sampling.sampler import Sampler
from wimble.types import OperationId

PROBABILITY: Final = 0.3
"""Probability of having a turn, while there is something to try."""
MAX_GIVERS: Final = 3
"""Operations whose cookies are tried. Most programs have one kind of session, which many of them may set."""
MAX_OUTCOMES: Final = 3
"""Outcomes of one operation whose first call is tried."""


class _Trial(Proposal):
    """A call that carries the cookies of another one."""

    entry: Entry | None = None


class KeptSessions(Generator):
    """Proposes the trials in the order in which they became possible."""

    def __init__(self, sampler: Sampler) -> None:
        super().__init__()
        self._sampler = sampler
        self._access = sampler.access
        self._givers: dict[str, Obtained] = {}
        self._calls: dict[OperationId, dict[str, TestCase]] = {}
        """The first call of each outcome without credentials, by operation."""
        self._outcomes: dict[OperationId, set[str]] = {}
        """All outcomes of each operation, with cookies and without."""
        self._waiting: deque[tuple[str, OperationId, str]] = deque()

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal | None:
        while self._waiting:
            giver, operation, outcome_key = self._waiting.popleft()
            known = self._calls[operation][outcome_key]
            if not any(entry.giver == giver for entry in self._access.openings.ways.get(operation, ())):
                return self._trial(giver, known)
        return None

    def _trial(self, giver: str, known: TestCase) -> Proposal:
        begun = self._givers[giver].as_new_user(self._sampler.rng)
        made = inserted(known, 0, begun.calls)
        *before, last = made.calls
        index = len(begun.calls) - 1
        entry = entry_of_session(giver)
        carrying = with_carried(last, self._givers[giver].carried(entry.way, index, before))
        test_case = TestCase((*before, carrying), (*begun.setup, *made.setup))
        return _Trial(test_case, self, is_sampled=True, entry=entry)

    def observe(self, outcome: Outcome) -> None:
        proposal, evaluation = outcome.proposal, outcome.evaluation
        if isinstance(proposal, _Trial) and proposal.entry is not None:
            self._judge(proposal.entry, outcome)
        if len(self._givers) < MAX_GIVERS:
            self._note_givers()
        for index, (call, observation) in enumerate(
            zip(evaluation.test_case.calls, evaluation.observations, strict=False)
        ):
            if not observation.is_answered:
                continue
            known = self._outcomes.setdefault(call.operation.id, set())
            if observation.outcome_key in known:
                continue
            known.add(observation.outcome_key)
            if self._may_keep(call.operation) and not carried_by(call).fields:
                self._note_call(with_only(evaluation.test_case, [index]), call, observation.outcome_key)

    def _may_keep(self, operation: Operation) -> bool:
        """Whether the operation may answer otherwise in a session; one that asks for a user gets one anyway."""
        return can_carry(operation) and not operation.entrance and operation.id not in self._access.denied

    def _note_call(self, test_case: TestCase, call: Call, outcome_key: str) -> None:
        calls = self._calls.setdefault(call.operation.id, {})
        if len(calls) < MAX_OUTCOMES:
            calls[outcome_key] = test_case
            self._waiting.extend((giver, call.operation.id, outcome_key) for giver in self._givers)

    def _note_givers(self) -> None:
        for giver, obtained in self._access.obtained.items():
            if giver not in self._givers and obtained.is_session and len(self._givers) < MAX_GIVERS:
                self._givers[giver] = obtained
                self._waiting.extend((giver, name, key) for name, calls in self._calls.items() for key in calls)

    def _judge(self, entry: Entry, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        calls = evaluation.test_case.calls
        if len(evaluation.observations) < len(calls) or not evaluation.observations[-1].is_answered:
            return
        operation = calls[-1].operation
        is_new = evaluation.observations[-1].outcome_key not in self._outcomes.get(operation.id, ())
        if is_new or outcome.improvement.newly_covered:
            self._access.openings.note(operation, entry)
