"""Optional parameters that no successful call has sent yet, each added alone to a call that has succeeded.

An operation with dozens of filters seldom gets a certain one of them in a sample that succeeds, and still less often
the rare value of a switch whose default is declared. So each optional parameter of an operation with many is tried by
itself, once the operation has succeeded: booleans and enumerations with each of their values.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec

from wimble.genes import BooleanGene, EnumGene, Gene, OptionalGene
from wimble.genes.wrappers import innermost
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.sampling.optional_inputs import MANY, optional_parameters
from wimble.types import ABSENT, Absent, Json, OperationId

MAX_CALLS: Final = 4
"""Maximum number of calls of the test case whose last call gets a parameter."""
MAX_VALUES: Final = 4
"""Maximum number of values of an enumeration that are tried."""

_Item = tuple[int, Json | Absent]
"""The index of an input, and the value that it is to have; ABSENT for any value."""


class _Open(msgspec.Struct):
    """The parameters of an operation that has succeeded, as far as no success has had them."""

    items: list[_Item]
    best: TestCase
    """The shortest test case of which the last call has succeeded."""


class InputsInTurn(Generator):
    """Proposes the parameters of one operation after those of another, in the order of their declaration."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._rng = rng
        self._open: dict[OperationId, _Open] = {}
        self._known: set[OperationId] = set()

    def is_ready(self) -> bool:
        return bool(self._open)

    def propose(self, progress: float) -> Proposal | None:
        name, one = next(iter(self._open.items()))
        del self._open[name]
        item = one.items.pop(0)
        if one.items:
            self._open[name] = one  # behind the other operations
        index = len(one.best.calls) - 1
        call = self._with(one.best.calls[index], item)
        return None if call is None else Proposal(one.best.with_call(index, call), self)

    def observe(self, outcome: Outcome) -> None:
        if outcome.proposal.generator is self:
            self.credit.add(is_success=bool(outcome.improvement.newly_covered))
        evaluation = outcome.evaluation
        calls = evaluation.test_case.calls
        if len(calls) > MAX_CALLS or len(evaluation.observations) < len(calls) or evaluation.is_sut_lost:
            return
        operation = calls[-1].operation if calls else None
        if operation is None or evaluation.observations[-1].outcome != "ok":
            return
        one = self._open.get(operation.id)
        if one is None:
            if operation.id in self._known:
                return
            self._known.add(operation.id)
            one = _Open(list(_items(operation)), evaluation.test_case)
        elif len(calls) < len(one.best.calls):
            one.best = evaluation.test_case
        one.items = [item for item in one.items if not _is_sent(calls[-1], item)]
        if one.items:
            self._open[operation.id] = one
        else:
            self._open.pop(operation.id, None)

    def _with(self, call: Call, item: _Item) -> Call | None:
        """Returns the call with a parameter; None if it cannot have the value."""
        index, value = item
        gene = call.genes[index]
        if not isinstance(gene, OptionalGene):
            return None
        wanted: Gene | None
        if value is ABSENT:
            wanted = gene if gene.is_present else gene.mutated(self._rng, 1.0)
        else:
            wanted = gene.with_value(value)
        return None if wanted is None else call.with_gene(index, wanted)


def _items(operation: Operation) -> Iterator[_Item]:
    parameters = optional_parameters(operation)
    for index in parameters if len(parameters) > MANY else ():
        if operation.inputs[index].is_undeclared:
            continue
        for value in _values(innermost(operation.inputs[index].template)):
            yield index, value


def _values(gene: Gene) -> tuple[Json | Absent, ...]:
    if isinstance(gene, BooleanGene):
        return (True, False)
    if isinstance(gene, EnumGene):
        return gene.options[:MAX_VALUES]
    return (ABSENT,)


def _is_sent(call: Call, item: _Item) -> bool:
    index, value = item
    gene = call.genes[index]
    return isinstance(gene, OptionalGene) and gene.is_present and (value is ABSENT or gene.phenotype() == value)
