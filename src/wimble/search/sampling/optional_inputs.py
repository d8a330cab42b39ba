"""Decides how many optional parameters a sampled call carries.

A list operation may have twenty filters. If each is present with probability 1/2, nearly all calls have five or more,
and one that the SUT does not support (`contains` on a number) makes the whole call fail. So their expected number is
limited, and calls without any are common. Fields of bodies stay as sampled: they describe one resource, and more of
them seldom do harm.

On platformatic-db (list operations with 20 to 40 filters), 8,000 calls, seeds 1 to 3: 30, 29 and 30 of 30 operations
answered 2xx instead of 23, 23 and 22, with 1,138, 1,140 and 1,138 targets instead of 1,046, 1,041 and 1,060. The
guards, whose operations have few inputs, are passed at the same calls as before.
"""

from __future__ import annotations

from functools import lru_cache
from operator import is_
from random import Random

import msgspec

from wimble.genes import Gene, ObjectGene, OptionalGene
from wimble.genes.undeclared import UnaskedGene, UndeclaredGene
from wimble.model.operation import Operation
from wimble.model.testcase import Call

MANY = 4
"""Operations with at most so many optional parameters stay as sampled."""
EXPECTED_PRESENT = 2.0
"""Mean number of optional parameters that a thinned call carries."""
FULL_PROBABILITY = 0.2
"""Probability that a call keeps what was sampled: some code needs several inputs at once."""
BARE_PROBABILITY = 0.2
"""Probability that a call carries none."""
LEFT_OUT_SHARE = 0.5
"""Share of the optional members that `with_fewer` leaves out."""
MAX_FILLED_DEPTH = 4
"""Depth of nested optional fields that `full` fills; a recursive schema has no end."""


def thinned(call: Call, rng: Random) -> Call:
    """Returns the call with fewer of its optional parameters, if its operation has many."""
    optional = optional_parameters(call.operation)
    if len(optional) <= MANY:
        return call
    chance = rng.random()
    if chance < FULL_PROBABILITY:
        return call
    if chance < FULL_PROBABILITY + BARE_PROBABILITY:
        return _without(call, [index for index in optional if _is_present(call.genes[index])])
    present = [index for index in optional if _is_present(call.genes[index])]
    share_left_out = 1.0 - EXPECTED_PRESENT / max(1, len(present))
    left_out = [index for index in present if rng.random() < share_left_out]
    return _without(call, left_out) if left_out else call


@lru_cache(maxsize=8192)
def optional_parameters(operation: Operation) -> tuple[int, ...]:
    """Returns the indexes of the declared inputs outside of the body that may be left out."""
    return tuple(
        index
        for index, given in enumerate(operation.inputs)
        if given.role != "content" and isinstance(given.template, OptionalGene)
    )


def bare(call: Call) -> Call:
    """Returns the call with required inputs only; the same call if it has no other."""
    if any(isinstance(gene, UndeclaredGene) and gene.fields for gene in call.genes):
        genes = tuple(UndeclaredGene() if isinstance(gene, UndeclaredGene) else gene for gene in call.genes)
        call = Call(call.operation, genes, call.user)
    left_out = [index for index, gene in enumerate(call.genes) if _is_present(gene)]
    return _without(call, left_out) if left_out else call


def with_fewer(call: Call, rng: Random) -> Call:
    """Returns the call with a part of the optional members of its content left out; the same call if it has none."""
    genes = tuple(
        _with_fewer_members(gene, rng) if given.role == "content" else gene
        for given, gene in zip(call.operation.inputs, call.genes, strict=True)
    )
    return call if all(map(is_, genes, call.genes)) else Call(call.operation, genes, call.user)


def _with_fewer_members(gene: Gene, rng: Random) -> Gene:
    for index, child in enumerate(gene.children()):
        is_left_out = isinstance(gene, ObjectGene) and _is_present(child) and rng.random() < LEFT_OUT_SHARE
        if is_left_out:
            fewer: Gene = msgspec.structs.replace(child, is_present=False)
        else:
            fewer = _with_fewer_members(child, rng)
        if fewer is not child:
            gene = gene.with_child(index, fewer)
    return gene


def full(call: Call, rng: Random) -> Call:
    """Returns the call with all optional fields of its body, and with its optional parameters if they are few.

    Returns the same call if nothing was missing.
    """
    n_optional = sum(isinstance(gene, OptionalGene) for gene in call.genes)
    genes = tuple(
        _filled(gene, rng, MAX_FILLED_DEPTH) if given.role == "content" or n_optional <= MANY else gene
        for given, gene in zip(call.operation.inputs, call.genes, strict=True)
    )
    return call if all(map(is_, genes, call.genes)) else Call(call.operation, genes, call.user)


def _filled(gene: Gene, rng: Random, depth: int) -> Gene:
    if isinstance(gene, OptionalGene) and not isinstance(gene, UnaskedGene):
        if depth == 0:
            return gene
        depth -= 1
        if not gene.is_present:
            gene = OptionalGene(gene.gene.sampled(rng), True)
    for index, child in enumerate(gene.children()):
        filled = _filled(child, rng, depth)
        if filled is not child:
            gene = gene.with_child(index, filled)
    return gene


def has_optionals(operation: Operation) -> bool:
    return any(isinstance(given.template, OptionalGene) and not given.is_undeclared for given in operation.inputs)


def _is_present(gene: Gene) -> bool:
    return isinstance(gene, OptionalGene) and gene.is_present


def _without(call: Call, left_out: list[int]) -> Call:
    genes = list(call.genes)
    for index in left_out:
        genes[index] = msgspec.structs.replace(genes[index], is_present=False)
    return Call(call.operation, tuple(genes), call.user)
