"""Finds the test cases that made the resources that a fault's calls name, and joins them into one independent test.

Example: `POST /orders/129/ship` ends the SUT. An earlier test case made order 129 for customer 17, whom a still earlier
test case made. A fresh SUT has neither. So the test cases that made them come first, and 129 and 17 become references
to their answers. Resources that no test case made existed when the SUT started.

State-setters of tests that are chosen for their coverage are found in the same way. For them, test cases that sent the
same name before count, too, since clients choose some names themselves.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wimble.engine.candidates.joining import concatenated
from wimble.engine.faults.fault_book import Witness
from wimble.engine.faults.provenance_log import Provenance, ProvenanceLog, Use
from wimble.genes import Gene, ReferenceGene, iter_genes
from wimble.model.evaluation import Evaluation
from wimble.model.observation import call_resolver
from wimble.model.operation import Operation
from wimble.model.testcase import GeneAddress, TestCase
from wimble.search.resources.bindings import identifier_rank
from wimble.search.resources.input_names import iter_named_genes
from wimble.search.resources.resources import Resources
from wimble.search.sampling.sent_names import iter_sent

MAX_TEST_CASES = 12
MAX_LATER_USES = 3
"""Number of the latest calls on a resource, and of the latest calls that mention it, that are taken: the last changes
made its state.
"""
MAX_SENDERS = 40
"""A value that more test cases sent is a common value and identifies no resource."""


_ANY = ""
"""The noun of a value that is sent under a name that identifies no kind of resource."""


class _Need(NamedTuple):
    """An input that names a resource that another call made."""

    address: GeneAddress
    gene: Gene
    value: str
    name: str
    noun: str
    makers: Sequence[Operation]
    is_direct: bool
    """Whether the call is one on that resource, which then stands in its path."""


class _Maker(NamedTuple):
    entry: int
    call: int
    pointer: str


def with_provenance(witness: Witness, resources: Resources, *, under_any_name: bool = False) -> TestCase | None:
    """Returns the witness's test case after those that made the resources it names; None if no test case made any."""
    return with_makers(
        witness.evaluation.test_case,
        witness.provenance,
        resources,
        under_any_name=under_any_name,
        spelled_out=_spelled_out(witness.evaluation),
    )


def with_makers(
    last: TestCase,
    provenance: Provenance,
    resources: Resources,
    *,
    by_name: bool = False,
    under_any_name: bool = False,
    spelled_out: TestCase | None = None,
) -> TestCase | None:
    """Returns `last` after the test cases that made the resources it names; None if no test case made any.

    by_name: also take test cases that sent the same names. under_any_name: also take test cases that mention a made
    resource under a name that does not tell its kind (`parent`). spelled_out: `last` with values in place of references
    to what it only read.
    """
    search = _Search(provenance.log, resources, by_name=by_name, under_any_name=under_any_name)
    search.follow(provenance.length, spelled_out or last)
    if not search.parts:
        return None
    numbers = sorted(search.parts)
    test_cases = [provenance.log.entries[number].test_case for number in numbers] + [last]
    offsets, offset = {}, 0
    for number, test_case in zip([*numbers, provenance.length], test_cases, strict=True):
        offsets[number] = offset
        offset += len(test_case.calls)
    joined = concatenated(test_cases)
    for user, need, maker in search.links:
        if user in offsets and maker.entry in offsets:
            address = GeneAddress(need.address.call + offsets[user], need.address.input, need.address.path)
            reference = ReferenceGene(offsets[maker.entry] + maker.call, maker.pointer, need.gene)
            joined = joined.with_gene(address, reference)
    return joined


def _spelled_out(evaluation: Evaluation) -> TestCase:
    """Replaces references to answers of GET calls by the values read, since other test cases have made these."""
    test_case = evaluation.test_case
    resolve = call_resolver(evaluation.observations)
    for index, call in enumerate(test_case.calls):
        for given, root in enumerate(call.genes):
            for path, gene in iter_genes(root):
                if isinstance(gene, ReferenceGene) and test_case.calls[gene.call].operation.is_safe:
                    value = gene.with_value(gene.phenotype(resolve))
                    if value is not None:
                        test_case = test_case.with_gene(GeneAddress(index, given, path), value)
    return test_case


class _Search:
    """Follows needs from a test case to the test cases before it."""

    def __init__(self, log: ProvenanceLog, resources: Resources, *, by_name: bool, under_any_name: bool) -> None:
        self._log = log
        self._entries = log.entries
        self._by_name = by_name
        self._under_any_name = under_any_name
        self._made: dict[str, _Maker] = {}
        self._resources = resources
        self.parts: set[int] = set()
        self.links: list[tuple[int, _Need, _Maker]] = []

    def follow(self, number: int, test_case: TestCase) -> None:
        """Adds what the test case with this number needs, and then what those test cases need.

        It proceeds breadth-first, so that the nearest needs are met within the limit.
        """
        waiting = deque([(number, test_case)])
        while waiting:
            user, needing = waiting.popleft()
            for other in self._needed_by(user, needing):
                if other not in self.parts and len(self.parts) < MAX_TEST_CASES:
                    self.parts.add(other)
                    waiting.append((other, self._entries[other].test_case))

    def _needed_by(self, number: int, test_case: TestCase) -> Iterator[int]:
        for need in self._needs(test_case):
            maker = self._maker_of(need, before=number)
            if maker is None and need.noun == _ANY:
                continue
            if maker is not None:
                self._made[need.value] = maker
                self.links.append((number, need, maker))
                yield maker.entry
            yield from self._uses(need, after=maker.entry if maker is not None else -1, before=number)
        if self._by_name:
            for name, value in dict.fromkeys(iter_sent(test_case)):
                yield from self._senders(name, value, before=number)

    def _senders(self, name: str, value: str, before: int) -> list[int]:
        """Returns the first test case that sent the value under that name, and the last ones.

        The first one may have made the resource.
        """
        senders = [number for number in self._log.senders(name, value) if number < before]
        if len(senders) > MAX_SENDERS:
            return []
        return list(dict.fromkeys([*senders[:1], *senders[1:][-MAX_LATER_USES:]]))

    def _needs(self, test_case: TestCase) -> Iterator[_Need]:
        for index, call in enumerate(test_case.calls):
            bound: set[GeneAddress] = set()
            for binding in self._resources.bindings(call.operation):
                gene = call.genes[binding.input_index]
                if not isinstance(gene, ReferenceGene):
                    address = GeneAddress(index, binding.input_index)
                    bound.add(address)
                    value = str(gene.phenotype())
                    yield _Need(address, gene, value, binding.name, binding.resource, binding.creators, True)
            told = dict(call.operation.needs)
            for named in iter_named_genes(call, index):
                noun = told.get(named.name) or self._resources.noun_named(named.name) or _ANY
                value = named.gene.phenotype()
                if isinstance(named.gene, ReferenceGene) or not isinstance(value, (str, int)):
                    continue
                if noun == _ANY and named.address in bound:
                    continue
                makers = self._resources.creators_of(noun) if noun != _ANY else ()
                yield _Need(named.address, named.gene, str(value), named.name, noun, makers, named.name in told)

    def _maker_of(self, need: _Need, before: int) -> _Maker | None:
        """Returns the latest test case that made a resource of that kind and name."""
        if need.noun == _ANY:
            made = self._made.get(need.value) if self._under_any_name else None
            return made if made is not None and made.entry < before else None
        for number, identity in reversed(self._log.makers(need.value)):
            if number >= before:
                continue
            calls = self._entries[number].test_case.calls
            is_maker = any(calls[identity.call].operation is maker for maker in need.makers)
            if is_maker and identifier_rank(identity.name, identity.pointer, need.name, need.noun) > 0.2:
                return _Maker(number, identity.call, identity.pointer)
        return None

    def _uses(self, need: _Need, after: int, before: int) -> list[int]:
        """Returns the numbers of test cases between `after` and `before` that asked for a change of the resource.

        These are the last ones with a call on the resource, and the last ones that mention it.
        """
        chosen: dict[int, None] = {}
        asked = [Use(need.noun, need.value, True), Use(need.noun, need.value, False)]
        if self._under_any_name and need.value in self._made:
            asked.append(Use(_ANY, need.value, False))
        for use in asked:
            uses = self._uses_of(use)
            between = uses[bisect_right(uses, after) : bisect_left(uses, before)]
            chosen.update(dict.fromkeys(reversed(between[-MAX_LATER_USES:])))
        return list(chosen)

    def _uses_of(self, use: Use) -> list[int]:
        return self._log.uses(use, self._uses_in)

    def _uses_in(self, test_case: TestCase) -> Iterator[Use]:
        for need in self._needs(test_case):
            if not test_case.calls[need.address.call].operation.is_safe:
                yield Use(need.noun, need.value, need.is_direct)
