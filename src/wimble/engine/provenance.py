"""Finds the test cases that made what a fault's calls speak of, and joins them to one test that stands by itself.

`POST /orders/129/ship` ends the SUT: order 129 was made by an earlier test case, for customer 17, whom a still earlier one made. On a
fresh SUT there is neither; so the makers come first, and 129 and 17 become references to what they answer.

What a test was chosen for its coverage needs is found in the same way, and besides by what clients name themselves: the test cases that
sent the same name before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wimble.engine.faults import Witness
from wimble.engine.joining import concatenated
from wimble.engine.ledger import Background, Ledger
from wimble.genes import Gene, ReferenceGene
from wimble.model.operation import Operation
from wimble.model.testcase import GeneAddress, TestCase
from wimble.search.bindings import identifier_rank
from wimble.search.naming import iter_named_genes
from wimble.search.resources import Resources, named_resource
from wimble.search.sent import iter_sent

MAX_TEST_CASES = 12
MAX_LATER_USES = 3
"""Of a resource, the latest calls on it that count: what changed it last made it what it was."""
MAX_SENDERS = 40
"""A value that more test cases sent is a common one, and names nothing."""


class _Need(NamedTuple):
    """An input that names a resource somebody else made."""

    address: GeneAddress
    gene: Gene
    value: str
    name: str
    noun: str
    makers: Sequence[Operation]


class _Maker(NamedTuple):
    entry: int
    call: int
    pointer: str


def with_provenance(witness: Witness, operations: Sequence[Operation]) -> TestCase | None:
    """The witness's test case behind those that made what it speaks of; None where nobody made anything of it."""
    return with_makers(witness.evaluation.test_case, witness.background, operations)


def with_makers(
    last: TestCase, background: Background, operations: Sequence[Operation], *, by_name: bool = False
) -> TestCase | None:
    """`last` behind the test cases that made what it speaks of; None where nobody made anything of it.

    by_name: those that sent the same names, too.
    """
    search = _Search(background.ledger, Resources(operations), by_name=by_name)
    search.follow(background.length, last)
    if not search.parts:
        return None
    numbers = sorted(search.parts)
    test_cases = [background.ledger.entries[number].test_case for number in numbers] + [last]
    offsets, offset = {}, 0
    for number, test_case in zip([*numbers, background.length], test_cases, strict=True):
        offsets[number] = offset
        offset += len(test_case.calls)
    joined = concatenated(test_cases)
    for user, need, maker in search.links:
        if user in offsets and maker.entry in offsets:
            address = GeneAddress(need.address.call + offsets[user], need.address.input, need.address.path)
            reference = ReferenceGene(offsets[maker.entry] + maker.call, maker.pointer, need.gene)
            joined = joined.with_gene(address, reference)
    return joined


class _Search:
    """Follows needs from one test case to those before it."""

    def __init__(self, ledger: Ledger, resources: Resources, *, by_name: bool) -> None:
        self._ledger = ledger
        self._entries = ledger.entries
        self._by_name = by_name
        self._resources = resources
        self.parts: set[int] = set()
        self.links: list[tuple[int, _Need, _Maker]] = []

    def follow(self, number: int, test_case: TestCase) -> None:
        """Adds what the test case with this number needs, and what that needs in turn."""
        for need in self._needs(test_case):
            maker = self._maker_of(need, before=number)
            if maker is None:
                continue
            self.links.append((number, need, maker))
            for other in (maker.entry, *self._later_uses(need, maker.entry, number)):
                self._add(other)
        if self._by_name:
            for name, value in dict.fromkeys(iter_sent(test_case)):
                for other in self._senders(name, value, before=number):
                    self._add(other)

    def _add(self, number: int) -> None:
        if number not in self.parts and len(self.parts) < MAX_TEST_CASES:
            self.parts.add(number)
            self.follow(number, self._entries[number].test_case)

    def _senders(self, name: str, value: str, before: int) -> list[int]:
        """The first that sent the value under that name (it may have made what is called so), and the last ones."""
        senders = [number for number in self._ledger.senders(name, value) if number < before]
        if len(senders) > MAX_SENDERS:
            return []
        return list(dict.fromkeys([*senders[:1], *senders[1:][-MAX_LATER_USES:]]))

    def _needs(self, test_case: TestCase) -> Iterator[_Need]:
        for index, call in enumerate(test_case.calls):
            for binding in self._resources.bindings(call.operation):
                gene = call.genes[binding.input_index]
                if not isinstance(gene, ReferenceGene):
                    address = GeneAddress(index, binding.input_index)
                    value = str(gene.phenotype())
                    yield _Need(address, gene, value, binding.name, binding.resource, binding.creators)
            for named in iter_named_genes(call, index):
                noun = named_resource(named.name)
                value = named.gene.phenotype()
                if noun is None or isinstance(named.gene, ReferenceGene) or not isinstance(value, (str, int)):
                    continue
                makers = self._resources.creators_of(noun)
                if makers:
                    yield _Need(named.address, named.gene, str(value), named.name, noun, makers)

    def _maker_of(self, need: _Need, before: int) -> _Maker | None:
        """The latest test case that made a resource of that kind and name."""
        for number, identity in reversed(self._ledger.makers(need.value)):
            if number >= before:
                continue
            calls = self._entries[number].test_case.calls
            is_maker = any(calls[identity.call].operation is maker for maker in need.makers)
            if is_maker and identifier_rank(identity.name, identity.pointer, need.name, need.noun) > 0.2:
                return _Maker(number, identity.call, identity.pointer)
        return None

    def _later_uses(self, need: _Need, after: int, before: int) -> list[int]:
        """Test cases between that called something on that very resource."""
        found: list[int] = []
        for number in range(before - 1, after, -1):
            if len(found) == MAX_LATER_USES:
                break
            for other in self._needs(self._entries[number].test_case):
                if other.value == need.value and other.noun == need.noun:
                    found.append(number)
                    break
        return found
