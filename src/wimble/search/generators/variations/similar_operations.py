"""Inputs that have opened one operation are tried on the operations that are like it.

Operations of one API share headers, keys, modes and codes. An operation that succeeds for the first time has sent
values that passed its checks, and so has an edit that covered something; other operations with an input of that name
often have the same checks. Each value is tried once on each of them.

So are values of path parameters, on the operations at and below the same collection: `/pitches/{id}` and
`/pitches/{pitchId}/reviews`. Where such a value comes from an earlier call of the test case, or from a row that it
inserts, that is what opened the operation: a booking of the user who has logged in. Then the others are called in its
place, after the same calls. So are those with an input that names the same resource (`loanId`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from wimble.genes import Gene, ReferenceGene
from wimble.model.operation import Operation
from wimble.model.resource_names import Place, named_resource, plain_name
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.resources.input_names import iter_named_genes
from wimble.search.resources.resources import Resources
from wimble.search.sampling.place_values import as_read, iter_place_values
from wimble.search.sampling.sampler import Sampler
from wimble.types import ABSENT, Json

MAX_WAITING: Final = 512
"""Maximum number of waiting tries; further ones are dropped."""
MAX_VALUE_LENGTH: Final = 200
"""Longer texts are documents that were made for one input."""

Key: TypeAlias = str | Place
"""Plain name of an input, or the place of the collection of which a path parameter names an element."""
Values: TypeAlias = Mapping[Key, Json]
"""What inputs of a name or place had as values."""


class _Waiting(NamedTuple):
    """A try of an operation."""

    operation: Operation
    values: Values
    before: TestCase | None = None
    """The calls and rows before it; None for those that a new test case has."""
    genes: Mapping[Key, Gene] = {}
    """Inputs that take what comes from them."""


class SimilarOperations(Generator):
    """Proposes operations with the values that have opened similar ones, the oldest first."""

    def __init__(self, operations: Sequence[Operation], sampler: Sampler) -> None:
        super().__init__()
        self._sampler = sampler
        self._succeeded: set[str] = set()
        self._by_key: dict[Key, list[Operation]] = {}
        self._tried: set[tuple[str, Key, str]] = set()
        """(operation, name or place, value) of all tries that were queued."""
        self._waiting: deque[_Waiting] = deque()
        self.join(operations)

    def join(self, operations: Sequence[Operation]) -> None:
        for operation in operations:
            for name in _names_of(operation):
                self._by_key.setdefault(name, []).append(operation)
            for place in dict.fromkeys(binding.scope for binding in self._sampler.resources.bindings(operation)):
                self._by_key.setdefault(place, []).append(operation)

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal:
        waiting = self._waiting.popleft()
        resources = self._sampler.resources
        if waiting.before is None:
            test_case = with_values(self._sampler.sample_for(waiting.operation), waiting.values, resources)
            return Proposal(test_case, self, is_sampled=True)
        calls, setup = waiting.before.calls, waiting.before.setup
        test_case = TestCase((*calls, self._sampler.call(waiting.operation, calls)), setup)
        return Proposal(with_genes(test_case, waiting.genes, resources), self)

    def observe(self, outcome: Outcome) -> None:
        evaluation, proposal = outcome.evaluation, outcome.proposal
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            if observation.outcome == "ok" and call.operation.id not in self._succeeded:
                self._succeeded.add(call.operation.id)
                at_places = iter_place_values(call, self._sampler.resources)
                self._spread(call.operation, {**values_of(call), **dict(at_places)}, only_closed=True)
                self._spread_way(evaluation.test_case, observation.call_index)
        if proposal.edited_from is not None and outcome.improvement.newly_covered:
            for before, after in zip(proposal.edited_from.calls, proposal.test_case.calls, strict=False):
                self._spread(after.operation, _changed(before, after), only_closed=False)
        if proposal.generator is self:
            self.credit.add(is_success=bool(outcome.improvement.newly_covered))

    def _spread(self, source: Operation, values: Values, *, only_closed: bool) -> None:
        """Queues the values for the operations with inputs of these names.

        only_closed: leave out operations that have succeeded.
        """
        found: dict[str, tuple[Operation, dict[Key, Json]]] = {}
        for key, value in values.items():
            for operation in self._by_key.get(key, ()):
                has_opened = only_closed and operation.id in self._succeeded
                attempt = (operation.id, key, repr(value))
                if operation is not source and not has_opened and attempt not in self._tried:
                    self._tried.add(attempt)
                    found.setdefault(operation.id, (operation, {}))[1][key] = value
        for operation, own in found.values():
            if len(self._waiting) < MAX_WAITING:
                self._waiting.append(_Waiting(operation, own))

    def _spread_way(self, test_case: TestCase, index: int) -> None:
        """Queues, after the same calls, the operations that have not succeeded and take the same things."""
        call = test_case.calls[index]
        genes = dict(_iter_taken(call, self._sampler.resources, has_setup=bool(test_case.setup)))
        before = TestCase(test_case.calls[:index], test_case.setup)
        likely = dict.fromkeys(operation for key in genes for operation in self._by_key.get(key, ()))
        for operation in likely:
            is_closed = operation is not call.operation and operation.id not in self._succeeded
            if is_closed and len(self._waiting) < MAX_WAITING:
                self._waiting.append(_Waiting(operation, {}, before, genes))


def _iter_taken(call: Call, resources: Resources, *, has_setup: bool) -> Iterator[tuple[Key, Gene]]:
    """Yields the inputs of a call that name what an earlier call has answered; path parameters also if it may be in a
    row that the test case inserts.
    """
    for binding in resources.bindings(call.operation):
        gene = call.genes[binding.input_index]
        if isinstance(gene, ReferenceGene) or has_setup:
            yield binding.scope, gene
    for named in iter_named_genes(call, 0):
        if isinstance(named.gene, ReferenceGene) and named_resource(named.name):
            yield plain_name(named.name), named.gene


def with_genes(test_case: TestCase, genes: Mapping[Key, Gene], resources: Resources) -> TestCase:
    """Returns the test case with these genes as the inputs of its last call with these names or at these places."""
    last = len(test_case.calls) - 1
    for binding in resources.bindings(test_case.calls[last].operation):
        if binding.scope in genes:
            test_case = test_case.with_gene(GeneAddress(last, binding.input_index), genes[binding.scope])
    for named in list(iter_named_genes(test_case.calls[last], last)):
        if plain_name(named.name) in genes:
            test_case = test_case.with_gene(named.address, genes[plain_name(named.name)])
    return test_case


def values_of(call: Call) -> Values:
    """Returns the values by which a call may have passed a check: not those that name one resource."""
    return dict(_iter_values(call))


def _iter_values(call: Call) -> Iterator[tuple[str, Json]]:
    for named in iter_named_genes(call, 0):
        if isinstance(named.gene, ReferenceGene) or named_resource(named.name):
            continue
        value = named.gene.phenotype()
        if value is ABSENT or isinstance(value, (dict, list)):
            continue
        if not isinstance(value, str) or 0 < len(value) <= MAX_VALUE_LENGTH:
            yield plain_name(named.name), value


def _changed(before: Call, after: Call) -> Values:
    if before is after or before.operation is not after.operation:
        return {}
    known = values_of(before)
    return {name: value for name, value in _iter_values(after) if name not in known or known[name] != value}


def with_values(test_case: TestCase, values: Values, resources: Resources) -> TestCase:
    """Returns the test case with the values in the inputs of its last call with these names or at these places.

    Values that an input cannot have are left out.
    """
    last = len(test_case.calls) - 1
    for binding in resources.bindings(test_case.calls[last].operation):
        old = test_case.calls[last].genes[binding.input_index]
        new = as_read(old, values[binding.scope]) if binding.scope in values else None
        if new is not None:
            test_case = test_case.with_gene(GeneAddress(last, binding.input_index), new)
    for name, value in values.items():
        for named in iter_named_genes(test_case.calls[last], last):
            if plain_name(named.name) != name or isinstance(named.gene, ReferenceGene):
                continue
            gene = named.gene.with_value(value)
            if gene is not None:
                test_case = test_case.with_gene(named.address, gene)
                break
    return test_case


def _names_of(operation: Operation) -> list[str]:
    call = Call(operation, tuple(given.template for given in operation.inputs))
    return list(dict.fromkeys(plain_name(named.name) for named in iter_named_genes(call, 0)))
