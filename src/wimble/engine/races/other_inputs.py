"""Chooses other inputs for the second of two calls at once, where one call that is sent twice does what one does.

Two calls that ask for the same thing often have one result, but a seat that two customers get is booked twice. What a
call names (the other customer) has to exist, so there is a row of its own for it, or a call that makes it, or a value
that the program has answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from typing import Final, NamedTuple

from msgspec.structs import replace

from wimble.genes import Gene, IntegerGene, LinkedGene, ReferenceGene, StringGene, contains_gene
from wimble.model.resource_names import named_resource, noun_of, plain_name
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import Call, SetupAction, TestCase
from wimble.search.resources.input_names import NamedGene, iter_named_genes
from wimble.search.resources.references import inserted, mapped_call
from wimble.types import ABSENT, Absent, Json

MAX_KNOWN: Final = 3
"""Maximum number of values of one input that are taken from other tests and from answers, each."""
N_DRAWS: Final = 5
"""Texts that are drawn until one is another one."""


class OtherCall(NamedTuple):
    test_case: TestCase
    """Its last call is the first of the two."""
    second: Call


def iter_with_other_inputs(test_case: TestCase, second: Call, tests: Sequence[VerifiedTest]) -> Iterator[OtherCall]:
    """Yields second calls for the same resource as the first one, which is the test case's last call; the most
    promising ones first.
    """
    known: list[Call] = [second]
    for other in chain(
        _with_rows(test_case, second),
        _with_made(test_case, second),
        (OtherCall(test_case, call) for call in _of_tests(second, tests)),
        (OtherCall(test_case, call) for call in _with_next_number(second)),
        (OtherCall(test_case, call) for call in _with_answered_values(second, tests)),
        (OtherCall(test_case, call) for call in _with_other_text(second)),
    ):
        if other.second not in known:
            known.append(other.second)
            yield other


def _with_rows(test_case: TestCase, second: Call) -> Iterator[OtherCall]:
    """Yields calls that name a copy of a row which wimble inserts for what the first one names."""
    last = len(test_case.calls) - 1
    for leaf in iter_named_genes(second, last):
        value = _another_value(leaf.gene)
        own = None if value is ABSENT else leaf.gene.with_value(value)
        for action in test_case.setup if own is not None else ():
            copy = _row_for(action, leaf, value)
            if copy is not None and own is not None:
                yield OtherCall(TestCase(test_case.calls, (*test_case.setup, copy)), _with_leaf(second, leaf, own))


def _row_for(action: SetupAction, leaf: NamedGene, value: Json) -> SetupAction | None:
    """Returns a copy of the row with another value in the column that has the value of an input, if there is one."""
    for index, gene in enumerate(action.genes):
        if not isinstance(gene, LinkedGene) or (gene.call, gene.input, gene.path) != _place(leaf):
            continue
        held = gene.fallback.with_value(f"{gene.prefix}{value}{gene.suffix}" if gene.prefix or gene.suffix else value)
        copy = action.copied(Random(0))
        if held is not None and copy is not None:
            return replace(copy, genes=(*copy.genes[:index], held, *copy.genes[index + 1 :]))
    return None


def _place(leaf: NamedGene) -> tuple[int, int, tuple[int, ...]]:
    return leaf.address.call, leaf.address.input, leaf.address.path


def _with_made(test_case: TestCase, second: Call) -> Iterator[OtherCall]:
    """Yields calls that name what a further call like the earlier one has made."""
    for leaf in iter_named_genes(second, len(test_case.calls) - 1):
        reference = leaf.gene
        if isinstance(reference, ReferenceGene) and reference.call < len(test_case.calls) - 1:
            new = reference.call + 1
            longer = inserted(test_case, new, (test_case.calls[reference.call],))
            moved = mapped_call(second, lambda call, new=new: call + 1 if call >= new else call)  # type: ignore[misc]
            yield OtherCall(longer, _with_leaf(moved, leaf, replace(reference, call=new)))


def _of_tests(second: Call, tests: Sequence[VerifiedTest]) -> Iterator[Call]:
    """Yields the call with what other tests have sent to the operation, where it succeeded."""
    subjects = [one.role == "subject" for one in second.operation.inputs]
    found: list[Call] = []
    for test in tests:
        for number, other in enumerate(test.test_case.calls):
            if other.operation is not second.operation or test.calls[number].observation.outcome != "ok":
                continue
            pairs = zip(second.genes, other.genes, subjects, strict=True)
            genes = tuple(own if is_subject or _refers(given) else given for own, given, is_subject in pairs)
            if genes != second.genes and all(genes != one.genes for one in found):
                found.append(replace(second, genes=genes))
    yield from found[:MAX_KNOWN]


def _with_next_number(second: Call) -> Iterator[Call]:
    """Yields the call with its first number increased: it may be the id of a row that is followed by another one."""
    for leaf in iter_named_genes(second, 0):
        number = leaf.gene.phenotype() if isinstance(leaf.gene, IntegerGene) else None
        following = leaf.gene.with_value(number + 1) if isinstance(number, int) else None
        if following is not None:
            yield _with_leaf(second, leaf, following)
            return


def _with_answered_values(second: Call, tests: Sequence[VerifiedTest]) -> Iterator[Call]:
    """Yields the call with values that answers have under the name of an input, or as ids of what the name names."""
    for leaf in iter_named_genes(second, 0):
        name, resource = plain_name(leaf.name), named_resource(leaf.name)
        values: list[Json] = []
        for test in tests:
            for call, seen in zip(test.test_case.calls, test.calls, strict=True):
                if seen.observation.outcome == "ok":
                    is_of_resource = resource is not None and noun_of(call.operation.place) == resource
                    names = {name, "id"} if is_of_resource else {name}
                    values += _members(seen.observation.exchange.value(), names)
        n_found = 0
        for value in dict.fromkeys(one for one in values if isinstance(one, int | str)):
            other = leaf.gene.with_value(value) if value != leaf.gene.phenotype() else None
            if other is not None and n_found < MAX_KNOWN:
                n_found += 1
                yield _with_leaf(second, leaf, other)


def _members(value: Json | Absent, names: set[str]) -> Iterator[Json]:
    """Yields the values of members whose plain name is one of `names`, at any depth."""
    if isinstance(value, dict):
        for name, member in value.items():
            if plain_name(name) in names and not isinstance(member, dict | list | bool):
                yield member
            yield from _members(member, names)
    elif isinstance(value, list):
        for member in value:
            yield from _members(member, names)


def _with_other_text(second: Call) -> Iterator[Call]:
    """Yields the call with another text in the place of its first one."""
    for leaf in iter_named_genes(second, 0):
        value = _another_value(leaf.gene) if isinstance(leaf.gene, StringGene) else ABSENT
        other = None if value is ABSENT else leaf.gene.with_value(value)
        if other is not None:
            yield _with_leaf(second, leaf, other)
            return


def _another_value(gene: Gene) -> Json | Absent:
    """Returns another value of a number or text; ABSENT if there is none."""
    if isinstance(gene, IntegerGene):
        return gene.value + 1
    rng = Random(0)
    drawn = (gene.sampled(rng).phenotype() for _ in range(N_DRAWS if isinstance(gene, StringGene) else 0))
    return next((one for one in drawn if one != gene.phenotype()), ABSENT)


def _with_leaf(call: Call, leaf: NamedGene, gene: Gene) -> Call:
    # A leaf's path is that in the input; `TestCase.with_gene` finds it from there.
    address = replace(leaf.address, call=0)
    return TestCase((call,)).with_gene(address, gene).calls[0]


def _refers(root: Gene) -> bool:
    """Whether a value comes from an answer of the test that it stands in."""
    return contains_gene(ReferenceGene, root)
