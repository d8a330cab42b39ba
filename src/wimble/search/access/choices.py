"""What a call that gives a key or token chooses beside its user: scopes, a role, a plan.

`POST /keys {"scopes": ["read"]}` gives a key with which others answer 403. With other scopes they may let it in.
"""

from __future__ import annotations

from random import Random
from typing import Final

from wimble.genes import ArrayGene, BooleanGene, EnumGene, Gene, SubsetGene, innermost
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.types import OperationId

OTHER_PROBABILITY: Final = 0.5
"""Probability that a call chooses otherwise for an operation that has let in nobody."""
KEPT_PROBABILITY: Final = 0.9
"""Probability that a call chooses as the one with whose credentials an operation has succeeded."""


class Choices:
    """The choices of calls that give credentials, by the operations that these have got into."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._admitted: dict[OperationId, Call] = {}

    def note_admitted(self, operation: OperationId, giver: Call) -> None:
        """An operation that was forbidden before has succeeded with what the giver has answered."""
        self._admitted[operation] = giver

    def knows_way_into(self, operation: OperationId) -> bool:
        return operation in self._admitted

    def otherwise(self, operation: OperationId, giver: Call) -> Call:
        """Returns the giver with the choices that have let a call of the operation in, or with others."""
        known = self._admitted.get(operation)
        if known is not None and known.operation is giver.operation:
            return _with_choices_of(giver, known) if self._rng.random() < KEPT_PROBABILITY else giver
        return _with_other_choices(giver, self._rng) if self._rng.random() < OTHER_PROBABILITY else giver


def _with_other_choices(call: Call, rng: Random) -> Call:
    changed = TestCase((call,))
    choices = _choices_of(call)
    sure = rng.choice(choices) if choices else None
    for address in choices:
        if address == sure or rng.random() < OTHER_PROBABILITY:
            changed = changed.with_gene(address, changed.gene_at(address).sampled(rng))
    return changed.calls[0]


def _with_choices_of(call: Call, other: Call) -> Call:
    changed, known = TestCase((call,)), TestCase((other,))
    there = set(_choices_of(other))
    for address in _choices_of(call):
        if address in there:
            changed = changed.with_gene(address, known.gene_at(address))
    return changed.calls[0]


def _choices_of(call: Call) -> list[GeneAddress]:
    """Returns where a call chooses among values, or a list of such; not what is within such a list."""
    found: list[GeneAddress] = []
    for address, gene in TestCase((call,)).iter_genes():
        is_within = found and found[-1].input == address.input and _begins(address, found[-1])
        if address.call == 0 and _is_choice(gene) and not is_within:
            found.append(address)
    return found


def _begins(address: GeneAddress, other: GeneAddress) -> bool:
    return address.path[: len(other.path)] == other.path


def _is_choice(gene: Gene) -> bool:
    if isinstance(gene, ArrayGene):
        return isinstance(innermost(gene.element), EnumGene)
    return isinstance(gene, EnumGene | BooleanGene | SubsetGene)
