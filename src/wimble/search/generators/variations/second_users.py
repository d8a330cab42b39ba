"""Test cases in which a second user names what the first one has made.

That an operation looks for a resource by its id alone, and not whose it is, shows if somebody else calls it. No target
leads there: the code is covered already, by the owner. So a call that has succeeded is used with the calls before it:
the owner reads the resource, another user signs up, is kept from reading it, and makes that call; before, the call is
sent without credentials. After a change, both read once more (oracles/security/others_resources.py).

Only operations that ask for a user are called so, and only where the API has a read of the resource, or of its list.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from msgspec.structs import replace

from wimble.genes import CarriedGene, Gene, OptionalGene, ReferenceGene
from wimble.model.carried_credentials import with_carried, with_credentials_of
from wimble.model.operation import Input, Operation
from wimble.model.resource_names import ONE, Place
from wimble.model.testcase import Call, TestCase
from wimble.search.access.access import Access
from wimble.search.access.stale_givers import giving_calls
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.resources.references import mapped_call, reordered
from wimble.search.resources.same_subjects import with_subjects_of
from wimble.search.sampling.sampler import Sampler
from wimble.types import OperationId

PROBABILITY: Final = 0.06
"""Probability of a turn ahead of others that cover more, while such a test case waits: no target leads to it."""
MAX_TRIES: Final = 3
"""Number of test cases for one operation: the first owner's resource may be in a state that does not allow the call."""
MAX_WAITING: Final = 64
MORE_CALLS: Final = 2
"""How many times as many calls as others such a test case may have: there are two users, and up to four reads."""


class _Act(NamedTuple):
    """A call that has succeeded for the owner of what it names, and what comes before it."""

    before: TestCase
    call: Call
    reader: Operation


class SecondUsers(Generator):
    """Proposes these test cases, the oldest first."""

    def __init__(self, operations: Sequence[Operation], sampler: Sampler, rng: Random, max_calls: int) -> None:
        """max_calls: maximum number of calls of other test cases."""
        super().__init__()
        self._sampler = sampler
        self._access: Access = sampler.access
        self._rng = rng
        self._max_calls = max_calls * MORE_CALLS
        self._readers: dict[Place, Operation] = {}
        self._succeeded: dict[OperationId, Operation] = {}
        """Operations that ask for a user, and have let one in."""
        self._tries: Counter[OperationId] = Counter()
        self._waiting: deque[_Act] = deque(maxlen=MAX_WAITING)
        self.join(operations)

    def join(self, operations: Sequence[Operation]) -> None:
        for one in operations:
            if one.effect == "read" and one.place:
                self._readers.setdefault(one.place, one)

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal | None:
        act = self._waiting.popleft()
        test_case = self._made(act)
        if test_case is None:
            self._tries[act.call.operation.id] -= 1
            return None
        return Proposal(test_case, self)

    def observe(self, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        if not self._access.denied or evaluation.is_sut_lost or outcome.proposal.generator is self:
            return
        test_case = evaluation.test_case
        for call, observation in zip(test_case.calls, evaluation.observations, strict=False):
            operation, index = call.operation, observation.call_index
            if observation.outcome == "ok" and operation.id in self._access.denied:
                self._succeeded[operation.id] = operation
                if operation.subjects:
                    self._put(reordered(test_case, range(index)), call)
                elif operation.effect == "create":
                    self._put_uses(reordered(test_case, range(index + 1)))

    def _put_uses(self, test_case: TestCase) -> None:
        """Queues calls of operations that have succeeded on anything (a row that was inserted), with what is made."""
        *_, maker = test_case.calls
        for operation in self._succeeded.values():
            bindings = self._sampler.resources.bindings(operation)
            if bindings and maker.operation in bindings[-1].creators and self._tries[operation.id] < MAX_TRIES:
                use = self._sampler.with_bound_path(self._sampler.producer(operation, test_case.calls), test_case.calls)
                self._put(test_case, with_credentials_of(use, maker))

    def _put(self, before: TestCase, call: Call) -> None:
        operation, subject = call.operation, call.operation.subjects[-1]
        reader = self._reader(operation, subject.scope)
        is_made = isinstance(call.genes[subject.input_index], ReferenceGene)
        if reader is not None and is_made and list(giving_calls(call)) and self._tries[operation.id] < MAX_TRIES:
            self._tries[operation.id] += 1
            self._waiting.append(_Act(before, call, reader))

    def _reader(self, operation: Operation, scope: Place) -> Operation | None:
        """Returns another operation that reads the resource, or else the list that it is in."""
        readers = (self._readers.get((*scope, ONE)), self._readers.get(scope))
        return next((one for one in readers if one is not None and one is not operation), None)

    def _made(self, act: _Act) -> TestCase | None:
        access, before, call = self._access, act.before.calls, act.call
        giver = before[next(iter(giving_calls(call)))].operation.id
        ways = [one for one in access.openings.ways.get(call.operation.id, ()) if one.giver == giver]
        if giver not in access.obtained or not ways or ways[0].is_signed:
            return None
        obtained = access.obtained[giver]
        newcomer = obtained.as_new_user(self._rng)
        if newcomer.setup:
            return None
        first = len(before) + 1
        others = tuple(mapped_call(one, lambda index: index + first) for one in newcomer.calls)
        read = with_credentials_of(self._read(act), call)
        calls = (*before, read, *others)
        carried = obtained.carried(ways[0].way, len(calls) - 1, list(calls), ways[0].preference)
        other_read = with_carried(read, carried)
        calls = (*calls, other_read, with_carried(call, CarriedGene()), with_carried(call, carried))
        if not call.operation.is_safe:
            calls = (*calls, other_read, read)
        return TestCase(calls, act.before.setup) if len(calls) <= self._max_calls else None

    def _read(self, act: _Act) -> Call:
        """Returns the read with as few inputs as it may have, so that the list is not filtered."""
        call = self._sampler.call(act.reader, act.before.calls)
        bare = tuple(map(_bare, call.operation.inputs, call.genes))
        return with_subjects_of(Call(call.operation, bare, call.user), act.call, self._sampler.resources)


def _bare(given: Input, gene: Gene) -> Gene:
    if given.is_undeclared:
        return given.template
    return replace(gene, is_present=False) if isinstance(gene, OptionalGene) else gene
