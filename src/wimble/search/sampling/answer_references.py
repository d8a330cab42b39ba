"""Binds inputs of a call to earlier calls of its test case: path parameters, foreign keys and declared links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from wimble.genes import Gene, ReferenceGene
from wimble.model.operation import Operation
from wimble.model.resource_names import plain_name
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.bindings import Bindings
from wimble.search.resources.input_names import iter_named_genes
from wimble.search.resources.looked_up_keys import LookedUpKeys
from wimble.search.resources.named_nouns import noun_of_input
from wimble.search.resources.resources import Resources, SubjectBinding

REUSE_PROBABILITY: Final = 0.8
"""Probability that a path parameter is bound to a fitting earlier call that was not added for it."""
FOREIGN_KEY_PROBABILITY: Final = 0.7
"""Probability that a field such as `bookId` is bound to an earlier call that creates a book."""
OLDER_PROBABILITY: Final = 0.1
"""Probability that a path parameter is not bound to the last fitting call, but to one before it."""
USED_PROBABILITY: Final = 0.9
"""Probability that a call uses the value that an earlier call used for the same parameter, if no call created a
resource after that.
"""


class NoReferences:
    """Inputs keep values of their own."""

    def with_bound_path(self, call: Call, earlier: Sequence[Call], bind_probability: float = REUSE_PROBABILITY) -> Call:
        """Returns the call with path parameters bound to earlier calls that created, listed or used such a resource."""
        return call

    def with_foreign_keys(
        self, call: Call, earlier: Sequence[Call], bind_probability: float = FOREIGN_KEY_PROBABILITY
    ) -> Call:
        """Returns the call with bound fields if they name a resource or follow a declared link.

        This is a sampling step.
        """
        return call

    def with_needs(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Returns the call with what its operation needs bound to the latest calls that make it, where it has values of
        its own: when they were drawn, nothing was known of the answers to those calls.
        """
        return call


class AnswerReferences(NoReferences):
    """Binds inputs by the relations between resources and by the answers so far."""

    def __init__(self, resources: Resources, bindings: Bindings, looked_up: LookedUpKeys, rng: Random) -> None:
        self._resources = resources
        self._looked_up = looked_up
        self._bindings = bindings
        self._rng = rng

    def with_bound_path(self, call: Call, earlier: Sequence[Call], bind_probability: float = REUSE_PROBABILITY) -> Call:
        bindings = self._resources.bindings(call.operation)
        if not bindings or not earlier:
            return call
        genes = list(call.genes)
        for binding in bindings:
            if self._rng.random() < bind_probability:
                bound = self._bound_gene(binding, genes[binding.input_index], earlier)
                if bound is not None:
                    genes[binding.input_index] = bound
        return Call(call.operation, tuple(genes), call.user)

    def with_foreign_keys(
        self, call: Call, earlier: Sequence[Call], bind_probability: float = FOREIGN_KEY_PROBABILITY
    ) -> Call:
        if not earlier:
            return call
        bound = self._with_bound_fields(call, earlier, bind_probability)
        return self._resources.links.followed(bound, earlier, self._rng)

    def with_needs(self, call: Call, earlier: Sequence[Call]) -> Call:
        own_index, needs = len(earlier), dict(call.operation.needs)
        for named in list(iter_named_genes(call, own_index)) if needs else ():
            creators = self._resources.creators_of(needs.get(named.name, ""))
            index = next((i for i in range(own_index - 1, -1, -1) if earlier[i].operation in creators), None)
            is_own = not isinstance(named.gene, ReferenceGene) and isinstance(named.gene.phenotype(), (str, int))
            if index is not None and is_own and self._bindings.has_observed(earlier[index].operation):
                pointer = self._bindings.choose(earlier[index].operation, named.name, needs[named.name], self._rng)
                bound = TestCase((*earlier, call)).with_gene(named.address, ReferenceGene(index, pointer, named.gene))
                call = bound.calls[own_index]
        return call

    def _bound_gene(self, binding: SubjectBinding, own: Gene, earlier: Sequence[Call]) -> Gene | None:
        """Returns the gene for a path parameter, from the latest fitting call or (sometimes) an older one, or None."""
        rng = self._rng
        for index in range(len(earlier) - 1, -1, -1):
            call = earlier[index]
            if call.operation in binding.creators or call.operation in binding.lists:
                if rng.random() < OLDER_PROBABILITY and any(c.operation is call.operation for c in earlier[:index]):
                    continue
                if call.operation.effect == "replace":
                    return self._same_parameter(binding, call)
                return self._reference(binding, own, call, index)
            used = self._same_parameter(binding, call)
            if used is not None and rng.random() < USED_PROBABILITY:
                return used
        return None

    def _same_parameter(self, binding: SubjectBinding, call: Call) -> Gene | None:
        """Returns the gene that an earlier call used for the same parameter of the same collection, or None."""
        for other in self._resources.bindings(call.operation):
            if other.scope == binding.scope:
                return call.genes[other.input_index]
        return None

    def _reference(self, binding: SubjectBinding, own: Gene, producer: Call, index: int) -> Gene:
        fallback = own.fallback if isinstance(own, ReferenceGene) else own
        sent = self._sent_value(binding, fallback, producer, index)
        if sent is not None:
            return sent
        pointer = self._bindings.choose(producer.operation, binding.name, binding.resource, self._rng)
        return ReferenceGene(index, pointer, fallback)

    def _sent_value(self, binding: SubjectBinding, own: Gene, producer: Call, index: int) -> Gene | None:
        """Returns the value that the producer sent, if the client chooses the identity.

        Example: `POST /users {username}`. Returns None if the client does not choose it.
        """
        wanted = plain_name(binding.name)
        if any(link.name == binding.name and not link.is_sent for link in producer.operation.links):
            return None
        if any(plain_name(name) == wanted for name in self._bindings.observed(producer.operation).values()):
            return None
        for named in iter_named_genes(producer, index):
            if named.role == "content" and plain_name(named.name) == wanted:
                value = named.gene.phenotype()
                return own.with_value(value) if isinstance(value, (str, int, float)) else None
        return None

    def _with_bound_fields(self, call: Call, earlier: Sequence[Call], bind_probability: float) -> Call:
        """Binds fields such as `bookId` to an earlier call that creates a book, and fields with the name of a path
        parameter to one that creates what is at that path.
        """
        own_index = len(earlier)
        bound: TestCase | None = None
        taken: dict[int, str] = {}
        drawn: dict[int, bool] = {}
        """By the operation that makes a kind of thing: whether it is named, by all fields for it or by none."""
        needs = dict(call.operation.needs)
        for named in iter_named_genes(call, own_index):
            made = self._looked_up.made(call.operation, named.name, named.gene, earlier)
            if made is not None:
                if self._rng.random() < bind_probability:
                    bound = (bound or TestCase((*earlier, call))).with_gene(named.address, made)
                continue
            noun = needs.get(named.name) or noun_of_input(named.name, call.operation, self._resources, self._bindings)
            key = self._resources.named(named.name) if noun is None and named.role == "content" else None
            if (noun is None and key is None) or not isinstance(named.gene.phenotype(), (str, int, float)):
                continue
            creators = key.creators if key is not None else self._resources.creators_of(noun or "")
            if key is not None and call.operation in creators:
                continue  # it names what it makes
            index = _latest(earlier, creators, taken, named.name)
            if index is None:
                continue
            kind = id(creators[0])
            if kind not in drawn:
                drawn[kind] = self._rng.random() < bind_probability
            if not drawn[kind]:
                continue
            taken.setdefault(index, named.name)
            gene = self._key_of(key, named.gene, earlier, index) if key is not None else None
            if gene is None:
                pointer = self._bindings.choose(earlier[index].operation, named.name, noun or "", self._rng)
                gene = ReferenceGene(index, pointer, named.gene)
            bound = bound or TestCase((*earlier, call))
            bound = bound.with_gene(named.address, gene)
        return bound.calls[own_index] if bound else call

    def _key_of(self, key: SubjectBinding, own: Gene, earlier: Sequence[Call], index: int) -> Gene | None:
        """Returns the gene for a field that names what an earlier call has made."""
        if earlier[index].operation.effect != "replace":
            return self._reference(key, own, earlier[index], index)
        sent = self._same_parameter(key, earlier[index])
        if sent is None or isinstance(sent, ReferenceGene):
            return sent
        return own.with_value(sent.phenotype())


def _latest(earlier: Sequence[Call], creators: Sequence[Operation], taken: Mapping[int, str], name: str) -> int | None:
    """Returns the index of the latest call that makes what an input names, if possible one whose thing no input of
    another name is bound to: a match has two teams. None if there is no such call.

    taken: names of inputs by the index of the call to which they are bound.
    """
    fitting = [index for index in range(len(earlier) - 1, -1, -1) if earlier[index].operation in creators]
    return next((index for index in fitting if taken.get(index, name) == name), fitting[0] if fitting else None)
