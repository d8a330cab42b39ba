"""Test cases in which operations that have not succeeded use what a call has just made.

Nothing opens more: an order needs a customer, and ten operations need an order. The first call that makes a customer
may have needed a user, and the answer of a service, so it is used as it is, with all before it. Each other operation
that can name what it has made is called after it at once, a few times for each two.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from typing import Final

from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.resources.input_names import iter_named_genes
from wimble.search.resources.named_nouns import noun_of_input
from wimble.search.resources.references import iter_references
from wimble.search.sampling.sampler import Sampler
from wimble.types import OperationId

MAX_USED_CALLS: Final = 9
"""Maximum number of calls of a test case that is extended by calls that use what its last one has made."""
MAX_NAMED: Final = 3
"""Maximum number of fields of a call that name what another call makes, for each of which it is made."""
MAX_DRAWS: Final = 4
"""How often such a call is drawn, until its fields are bound."""
MAX_TRIES: Final = 3
"""Number of test cases for one operation with what another one has made: its other inputs differ."""
MAX_VAIN: Final = 3
"""How often calls of an operation are drawn for what another makes, while none has a field that names it: as often
again once more of its inputs are known."""
MAX_WAITING: Final = 256


class FirstUses(Generator):
    """Proposes these test cases, the oldest first."""

    def __init__(self, sampler: Sampler, max_calls: int) -> None:
        """max_calls: maximum number of calls of a test case."""
        super().__init__()
        self._sampler = sampler
        self._max_calls = max_calls
        self._succeeded: set[OperationId] = set()
        self._tries: Counter[tuple[OperationId, OperationId]] = Counter()
        """By the operation that makes something, and the one that is to use it."""
        self._vain: Counter[tuple[OperationId, OperationId, int]] = Counter()
        """By the operation that makes something, the one that is to use it, and the number of its learned inputs."""
        self._waiting: deque[TestCase] = deque(maxlen=MAX_WAITING)

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal | None:
        while self._waiting:
            test_case = self._waiting.popleft()
            if test_case.calls[-1].operation.id not in self._succeeded:
                return Proposal(test_case, self)
        return None

    def observe(self, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        calls = evaluation.test_case.calls
        for call, observation in zip(calls, evaluation.observations, strict=False):
            if observation.outcome == "ok":
                self._succeeded.add(call.operation.id)
        if len(self._succeeded) < len(self._sampler.operations) and _has_made(evaluation):
            self._waiting.extend(self._uses(evaluation.test_case))

    def _uses(self, test_case: TestCase) -> Iterator[TestCase]:
        maker = test_case.calls[-1].operation
        for operation in self._sampler.operations:
            pair = (maker.id, operation.id)
            vain = (*pair, len(self._sampler.learned.of(operation)))
            is_settled = self._tries[pair] >= MAX_TRIES or self._vain[vain] >= MAX_VAIN
            if operation.id in self._succeeded or is_settled:
                continue
            uses = list(with_use(test_case, operation, self._sampler))
            self._vain[vain] += not uses
            for longer in uses:
                if len(longer.calls) <= self._max_calls:
                    self._tries[pair] += 1
                    yield longer


def _has_made(evaluation: Evaluation) -> bool:
    calls, observations = evaluation.test_case.calls, evaluation.observations
    if not calls or len(observations) < len(calls) or evaluation.is_sut_lost:
        return False
    return observations[-1].outcome == "ok" and _makes(calls[-1].operation)


def _makes(operation: Operation) -> bool:
    return (operation.effect == "create" or operation.provides == "new") and not operation.entrance


def with_each_use(test_case: TestCase, sampler: Sampler) -> Iterator[TestCase]:
    """Yields the test case with each call after it that can be made with what its last call has made."""
    for operation in sampler.operations:
        yield from with_use(test_case, operation, sampler)


def with_use(test_case: TestCase, operation: Operation, sampler: Sampler) -> Iterator[TestCase]:
    """Yields the test case with a call of the operation, if that can be made with what the last call has made."""
    calls = test_case.calls
    maker = calls[-1].operation
    if len(calls) > MAX_USED_CALLS:
        return
    bindings = sampler.resources.bindings(operation)
    is_of_path = bool(bindings) and maker in bindings[-1].creators
    if is_of_path or any(maker in sampler.resources.creators_of(noun) for _, noun in operation.needs):
        use = sampler.with_bound_path(sampler.call(operation, calls), calls)
        yield TestCase((*calls, use), test_case.setup)
    elif operation is not maker and _makes(maker):
        yield from _with_named(test_case, operation, sampler)


def _with_named(test_case: TestCase, operation: Operation, sampler: Sampler) -> Iterator[TestCase]:
    """Yields the test case with a call whose fields name what its last call makes, which is made once for each: a match
    has a `homeTeamId` and an `awayTeamId`.
    """
    calls, last = test_case.calls, len(test_case.calls) - 1
    # Each call may leave out what is optional.
    n_named = max(_n_naming(sampler.call(operation, ()), calls[last].operation, sampler) for _ in range(MAX_DRAWS))
    if not 0 < n_named <= MAX_NAMED:
        return
    more = (*calls, *[calls[last]] * (n_named - 1))
    for _ in range(MAX_DRAWS):
        use = sampler.with_bound_path(sampler.call(operation, more), more)
        longer = TestCase((*more, use), test_case.setup)
        if any(address.call == len(more) and gene.call == last for address, gene in iter_references(longer)):
            yield longer
            return


def _n_naming(call: Call, maker: Operation, sampler: Sampler) -> int:
    """Returns how many fields of the call name what the maker makes; elements of a list count as one."""
    names = {one.name for one in iter_named_genes(call, 0) if one.role == "content"}
    nouns = (noun_of_input(name, call.operation, sampler.resources, sampler.bindings) for name in names)
    return sum(maker in sampler.resources.creators_of(noun) for noun in nouns if noun is not None)
