"""Test cases that read a resource before and after a call that has changed or removed it.

A cache that nobody clears answers what was there before. No target leads there: all of the code is covered already. To
make such a change anew takes a session, a role and a valid body, which most calls lack. So a call that has succeeded is
used as it is, with the calls before it: the resource that it names is read before it and once more after it, by the
same user.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from typing import Final, NamedTuple

from wimble.model.carried_credentials import with_credentials_of
from wimble.model.observation import Observation
from wimble.model.operation import Operation
from wimble.model.resource_names import Place
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.resources.references import inserted
from wimble.search.resources.same_subjects import with_subjects_of
from wimble.search.sampling.sampler import Sampler
from wimble.types import ABSENT, OperationId

MAX_TRIES: Final = 3
"""Number of test cases for one operation, until one has read the resource and changed it: what changes first may be
what nobody could read."""
MAX_WAITING: Final = 64
N_ADDED: Final = 2


class _Change(NamedTuple):
    """A test case that waits; its last call has changed something."""

    test_case: TestCase
    reader: Operation


class RereadResources(Generator):
    """Proposes these test cases, the oldest first."""

    def __init__(self, operations: Sequence[Operation], sampler: Sampler, max_calls: int) -> None:
        """max_calls: maximum number of calls of a test case."""
        super().__init__()
        self._sampler = sampler
        self._max_calls = max_calls
        self._readers: dict[Place, Operation] = {}
        """Of one item of a collection, or of what there is once (`/me`, `/settings`), which is changed at its place."""
        self._tries: Counter[OperationId] = Counter()
        self._waiting: deque[_Change] = deque(maxlen=MAX_WAITING)
        self.join(operations)

    def join(self, operations: Sequence[Operation]) -> None:
        for one in operations:
            if one.effect == "read" and one.place:
                self._readers.setdefault(one.place, one)

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal:
        return Proposal(self._made(self._waiting.popleft()), self)

    def observe(self, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        calls, observations = evaluation.test_case.calls, evaluation.observations
        if evaluation.is_sut_lost:
            return
        if outcome.proposal.generator is self:
            if len(observations) == len(calls) and all(one.outcome == "ok" for one in observations[-3:-1]):
                self._tries[calls[-2].operation.id] = MAX_TRIES
            return
        for index, (call, observation) in enumerate(zip(calls, observations, strict=False)):
            reader = self._readers.get(call.operation.place)
            if reader is not None and index + 1 + N_ADDED <= self._max_calls and self._is_wanted(call, observation):
                self._tries[call.operation.id] += 1
                test_case = TestCase(calls[: index + 1], evaluation.test_case.setup)
                self._waiting.append(_Change(test_case, reader))

    def _is_wanted(self, call: Call, observation: Observation) -> bool:
        operation = call.operation
        if observation.outcome != "ok" or self._tries[operation.id] >= MAX_TRIES:
            return False
        if operation.effect == "remove":
            return True
        return operation.effect in ("replace", "change") and _sends_anything(call)

    def _made(self, change: _Change) -> TestCase:
        *before, act = change.test_case.calls
        read = self._read(change.reader, act, before)
        longer = inserted(change.test_case, len(before), (read,))
        return TestCase((*longer.calls, read), longer.setup)

    def _read(self, reader: Operation, act: Call, before: Sequence[Call]) -> Call:
        """Returns a read of the resource that the act names, by its user."""
        read = with_subjects_of(self._sampler.call(reader, before), act, self._sampler.resources)
        return with_credentials_of(read, act)


def _sends_anything(call: Call) -> bool:
    """Whether the call has any input beside those that name the resource and the user."""
    given = zip(call.operation.inputs, call.genes, strict=True)
    return any(gene.phenotype() not in (ABSENT, {}) for one, gene in given if one.role not in ("subject", "credential"))
