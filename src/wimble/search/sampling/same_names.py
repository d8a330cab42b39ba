"""Same name, same value: makes calls of one test case refer to one resource that the client names itself.

`POST /createPad?padID=kf3ab` answers nothing to which `GET /getText?padID=...` could refer; both have to send the same
text. Operations belong together if they have an input of the same name that names a resource (`padID`, `user_id`).

On etherpad (96 operations, ids chosen by the client), 20,000 calls, seed 1: 5,304 targets and 1,771 lines instead of
3,037 and 990. Bookshop, 10,000 calls, seeds 1 and 2: 551 and 552 targets instead of 547 and 552. The guards, 6,000
calls, lose a little: 1,203 and 1,198 instead of 1,208 and 1,202, and 58 and 57 faults instead of 59 and 57.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from wimble.genes import Gene, OptionalGene, ReferenceGene
from wimble.model.operation import Operation
from wimble.model.resource_names import named_resource, plain_name
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.search.resources.input_names import iter_named_genes
from wimble.types import Json

SAME_VALUE_PROBABILITY = 0.7
"""Probability that an input that names a resource takes the value that another call has sent under that name."""
MATE_PROBABILITY = 0.5
"""Probability that a test case for an operation without creators begins with calls on the resource that its inputs
name.
"""
MAKER_PROBABILITY = 0.5
"""Probability that these calls are of operations whose path says that they create something."""
NAMING_PROBABILITY = 0.8
"""Probability that these calls name the resource in inputs that are optional; else no other call can refer to it."""
_MAKING = re.compile(r"^(create|add|new|make|register|save|put|insert)", re.IGNORECASE)


class SameNames:
    """Operations by the inputs that name a resource."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._by_name: dict[str, list[Operation]] = {}
        self._names: dict[int, tuple[str, ...]] = {}
        self.join(operations)

    def join(self, operations: Sequence[Operation]) -> None:
        """Adds operations."""
        for operation in operations:
            call = Call(operation, tuple(given.template for given in operation.inputs))
            names = [plain_name(named.name) for named in iter_named_genes(call, 0) if named_resource(named.name)]
            self._names[id(operation)] = tuple(dict.fromkeys(names))
            for name in self._names[id(operation)]:
                self._by_name.setdefault(name, []).append(operation)

    def mate(self, operation: Operation, rng: Random) -> Operation | None:
        """Returns another operation with an input of the same name, or None.

        Operations that create something are preferred.
        """
        others = [
            other
            for name in self._names.get(id(operation), ())
            for other in self._by_name[name]
            if other is not operation and other.group != operation.group
        ]
        if not others:
            return None
        makers = [other for other in others if _MAKING.match(other.action)]
        return rng.choice(makers if makers and rng.random() < MAKER_PROBABILITY else others)

    def naming(self, call: Call, operation: Operation, rng: Random) -> Call:
        """Returns the call, usually with all inputs by which it and `operation` name one resource."""
        shared = self._names.get(id(operation), ())
        left_out = [
            (named.address, named.gene)
            for named in iter_named_genes(call, 0)
            if _is_left_out(named.gene) and plain_name(named.name) in shared
        ]
        if not left_out or rng.random() >= NAMING_PROBABILITY:
            return call
        changed = TestCase((call,))
        for address, gene in left_out:
            changed = changed.with_gene(address, gene.mutated(rng, 0.0))
        return changed.calls[0]


class NoSharedValues:
    """Inputs keep values of their own."""

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: inputs take the values that earlier calls sent under the same names."""
        return call

    def named_as(self, call: Call, other: Call) -> Call:
        """Returns the call with the inputs and values by which `other` names a resource."""
        return call

    def left_out_as(self, call: Call, other: Call) -> Call:
        """Returns the call with the values of `other` in inputs that it leaves out."""
        return call


class SharedValues(NoSharedValues):
    """Calls of one test case send the same values under the same names."""

    def __init__(self, names: SameNames, rng: Random) -> None:
        self._names = names
        self._rng = rng

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        return with_same_values(call, earlier, self._rng) if earlier else call

    def named_as(self, call: Call, other: Call) -> Call:
        return with_same_values(self._names.naming(call, other.operation, self._rng), (other,), self._rng)

    def left_out_as(self, call: Call, other: Call) -> Call:
        return with_same_values(call, (other,), self._rng, are_sent_kept=True)


def with_same_values(call: Call, others: Sequence[Call], rng: Random, *, are_sent_kept: bool = False) -> Call:
    """Returns the call with values that others have sent under the same names, if these names denote resources.

    If several calls have sent a name, the value of the first one is taken. are_sent_kept: only inputs that the call
    leaves out take such values.
    """
    sent: dict[str, Json] = {}
    for other in others:
        for named in iter_named_genes(other, 0):
            value = _sent(named.gene)
            if value is not None and named_resource(named.name):
                sent.setdefault(plain_name(named.name), value)
    if not sent:
        return call
    changed = TestCase((call,))
    for named in iter_named_genes(call, 0):
        value = sent.get(plain_name(named.name))
        if value is None or isinstance(named.gene, ReferenceGene) or not named_resource(named.name):
            continue
        if are_sent_kept and not _is_left_out(named.gene):
            continue
        if rng.random() < SAME_VALUE_PROBABILITY:
            changed = _with_value(changed, named.address, named.gene, value)
    return changed.calls[0]


def _with_value(test_case: TestCase, address: GeneAddress, gene: Gene, value: Json) -> TestCase:
    new = gene.with_value(value)
    return test_case if new is None else test_case.with_gene(address, new)


def _is_left_out(gene: Gene) -> bool:
    return isinstance(gene, OptionalGene) and not gene.is_present


def _sent(gene: Gene) -> Json:
    """Returns the value if it may name a resource; None for other values and for references to answers."""
    if isinstance(gene, ReferenceGene):
        return None
    value = gene.phenotype()
    return value if isinstance(value, (str, int)) and not isinstance(value, bool) and value != "" else None
