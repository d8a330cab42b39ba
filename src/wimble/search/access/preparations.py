"""What a user does before some operations let the user in: verifies an address, chooses a plan, accepts the terms.

An operation that refuses a known user names what it misses at most in words, and another operation sets it. Which one
does is tried (`generators/entrance/prepared_users.py`); what has helped once begins all new test cases of the
operation from then on. The same holds for tenants, accounts and things whose state does not allow a call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

import msgspec

from wimble.genes import CarriedGene, Gene, ReferenceGene
from wimble.model.observation import Observation
from wimble.model.operation import Operation
from wimble.model.resource_names import named_resource, words_in
from wimble.model.testcase import Call, TestCase
from wimble.search.access.identities import with_fresh_identity
from wimble.search.resources.input_names import iter_named_genes
from wimble.search.resources.references import inserted, mapped_call, reordered, with_only
from wimble.search.resources.resources import Resources
from wimble.types import ABSENT, OperationId

BEGIN_PROBABILITY: Final = 0.85
"""Probability that a new test case for a prepared operation begins with its preparation."""
PRODUCER_PROBABILITY: Final = 0.5
"""The same if only an operation is prepared that creates what this one needs: it may let other users in."""
WORDS_READ: Final = 40
MIN_WORD: Final = 3
"""Length of a word of a refusal that counts."""
_PLAIN: Final = re.compile(r"(?<![\w@.-])[A-Za-z_]+(?![\w@-])")
"""No part of a name, an address or a number, which differ from call to call."""


class Refusal(msgspec.Struct, frozen=True):
    """What an operation has refused a call with; two calls that the same guard refuses have equal ones."""

    outcome_key: str
    words: frozenset[str]


def refusal_of(observation: Observation) -> Refusal:
    parts = _PLAIN.findall(observation.exchange.refusal_text())
    words = [word for part in parts for word in words_in(part) if len(word) >= MIN_WORD]
    return Refusal(observation.outcome_key, frozenset(words[:WORDS_READ]))


class Preparations:
    """The calls that have made operations let a user in, by operation."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._starts: dict[OperationId, TestCase] = {}
        self._steps: dict[OperationId, tuple[OperationId, ...]] = {}

    def note(self, operation: OperationId, proven: TestCase, step: int) -> None:
        """Notes a test case whose last call was let in further than before, with the call that was added for that."""
        steps = (*self._steps.get(operation, ()), proven.calls[step].operation.id)
        self._steps[operation] = tuple(dict.fromkeys(steps))
        self._starts[operation] = with_only(proven, self.needed(operation, proven.calls[:-1]))

    def needed(self, operation: OperationId, before: Sequence[Call]) -> list[int]:
        """Returns the indexes of the calls before one of the operation that let its user in."""
        steps = self._steps.get(operation, ())
        return [i for i, call in enumerate(before) if call.operation.entrance or call.operation.id in steps]

    def begun(self, operation: Operation, producers: Callable[[Operation], Sequence[Operation]]) -> TestCase | None:
        """Returns the calls that prepare the operation, mostly, as a new user; None if none are known.

        producers: returns the operations that create what one needs, nearest first.
        """
        if not self._starts:
            return None
        start, probability = self._starts.get(operation.id), BEGIN_PROBABILITY
        if start is None:
            prepared = (self._starts[one.id] for one in producers(operation) if one.id in self._starts)
            start, probability = next(prepared, None), PRODUCER_PROBABILITY
        if start is None or self._rng.random() >= probability:
            return None
        return with_fresh_identity(start, self._rng)


def with_step(refused: TestCase, act: TestCase, resources: Resources) -> tuple[TestCase, int]:
    """Returns a test case in which the act comes before the refused call, which is the last one, and the act's index.

    refused: a test case whose last call was refused.
    act: the same, without setup, with a call that has succeeded. Calls that it needs are left out if the refused test
    case has such calls already: then both act for the same user, and on the same things.
    """
    last = len(refused.calls) - 1
    known = {call.operation.id for call in refused.calls[:last]}
    moved = tuple(mapped_call(call, lambda index: index + last) for call in act.calls)
    joined = inserted(refused, last, moved)
    is_double = [call.operation.id in known for call in act.calls[:-1]]
    order = [i for i in range(len(joined.calls)) if not 0 <= i - last < len(is_double) or not is_double[i - last]]
    made = reordered(joined, order)
    at = len(made.calls) - 2
    made = made.with_call(at, _for_same(made.calls[at], made.calls[-1], resources))
    return made, at


def after_act(refused: Call, act: TestCase, resources: Resources) -> tuple[TestCase, int]:
    """Returns the act with the refused call behind it, for the same user and on the same things, and the act's index.

    refused: a call without references. act: a test case whose last call has succeeded, with the rows that it needs.
    """
    at = len(act.calls) - 1
    return TestCase((*act.calls, _for_same(refused, act.calls[at], resources)), act.setup), at


def are_on_one_thing(act: Call, refused: Call, resources: Resources) -> bool:
    """Whether both calls name a thing of the same kind."""
    return not _things(act, resources).keys().isdisjoint(_things(refused, resources))


def _things(call: Call, resources: Resources) -> dict[str, Gene]:
    """Returns the genes that name things, by the thing's noun: of a path, and of members such as `showId`."""
    bound = {one.resource: call.genes[one.input_index] for one in resources.bindings(call.operation)}
    named = (
        (named_resource(one.name), one.gene) for one in iter_named_genes(call, 0) if one.gene.phenotype() is not ABSENT
    )
    return {noun: gene for noun, gene in named if noun} | bound


def _for_same(call: Call, other: Call, resources: Resources) -> Call:
    """Returns the call with the credentials of the other one, and on the things that this one names."""
    named = {one.scope: other.genes[one.input_index] for one in resources.bindings(other.operation)}
    for binding in resources.bindings(call.operation):
        if binding.scope in named:
            call = call.with_gene(binding.input_index, named[binding.scope])
    things = _things(other, resources)
    for one in iter_named_genes(call, 0):
        thing = things.get(named_resource(one.name) or "")
        if thing is not None and (gene := _naming(one.gene, thing)) is not None:
            call = TestCase((call,)).with_gene(one.address, gene).calls[0]
    own, others = call.genes[-1:], other.genes[-1:]
    is_same_way = bool(own and others) and _places(own[0]) == _places(others[0]) is not None
    return call.with_gene(len(call.genes) - 1, others[0]) if is_same_way else call


def _naming(own: Gene, thing: Gene) -> Gene | None:
    """Returns the gene for a place that names what `thing` names; None if the place cannot hold such a value."""
    fallback = own.fallback if isinstance(own, ReferenceGene) else own
    if isinstance(thing, ReferenceGene):
        return msgspec.structs.replace(thing, fallback=fallback)
    return fallback.with_value(thing.phenotype())


def _places(gene: Gene) -> list[str] | None:
    return [place for place, _ in gene.fields] if isinstance(gene, CarriedGene) else None
