"""What a library that checks documents by a schema says of one member: the input there becomes as it has to be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from wimble.feedback.inputs import InputIndex
from wimble.feedback.named import places_named
from wimble.feedback.origin import Place
from wimble.feedback.paths import value_at, with_value_at
from wimble.feedback.sites import iter_arrays
from wimble.feedback.transforms.base import Nothing
from wimble.feedback.transforms.lengths import MAX_WANTED_PARTS, length_inverse
from wimble.feedback.values import DateValue, Operand, is_number
from wimble.feedback.wanted import Question, wanted_operands
from wimble.genes import ArrayGene, JsonTextGene, MapGene, ObjectGene, TupleGene
from wimble.genes.marks import mark
from wimble.model.testcase import GeneAddress, TestCase
from wimble.types import Json

_BETWEEN = re.compile(r"[./\[\]\"]+")


def places_of_member(
    path: str, question: Question, index: InputIndex, call: int, rng: Random
) -> Iterator[tuple[int, Place]]:
    """Edits of the inputs at the end of `path` in the call, with costs; where there is none, members that are put in.

    question: what is asked of the member; its `mine` is not known.
    """
    wanted_names = tuple(filter(None, _BETWEEN.split(path)))
    if not wanted_names:
        return
    is_found = False
    if question.operator == "length":
        for address, array in iter_arrays(index.test_case, call):
            if _ends_with(names_down_to(index.test_case, address), wanted_names) and is_number(question.other):
                is_found = True
                yield 0, (address, array.resized(min(int(question.other), MAX_WANTED_PARTS), rng))
    for site in index.sites_of_call():
        names = (*names_down_to(index.test_case, site.address), *map(str, site.inner))
        if not site.is_free() or not _ends_with(names, wanted_names):
            continue
        asked = Question(question.operator, site.value, question.other, True, question.wanted, question.flags)
        for rank, value in enumerate(_wanted(asked, rng)):
            place = site.put(value)
            if place is not None:
                is_found = True
                yield rank, place
    if not is_found:
        yield from _in_bodies(wanted_names, question, index.test_case, call, rng)
        for value in _wanted(question, rng)[:1]:
            yield from places_named(".".join(wanted_names), value, index.test_case, call)


def _in_bodies(
    names: tuple[str, ...], question: Question, test_case: TestCase, call: int, rng: Random
) -> Iterator[tuple[int, Place]]:
    """What is wanted, at that path of a JSON body, from the top; some programs check the body as a member of the request."""
    one = test_case.calls[call]
    for number, (declared, root) in enumerate(zip(one.operation.inputs, one.genes, strict=True)):
        if declared.location != "body" or "json" not in declared.media_type:
            continue
        within = names[1:] if len(names) > 1 and names[0] == declared.name else names
        own = value_at(root.phenotype(), within)
        if question.operator == "length" and isinstance(own, list):
            wanted: list[Operand | list[Json]] = [_of_length(own, question.other, rng)]
        else:
            wanted = [*_wanted(question, rng)[:1]]
        for value in wanted:
            new = None if isinstance(value, DateValue) else with_value_at(root, within, value)
            if new is not None and new != root:
                yield 0, (GeneAddress(call, number), new)


def _of_length(items: list[Json], length: Operand, rng: Random) -> list[Json]:
    wanted = min(int(length), MAX_WANTED_PARTS) if is_number(length) else len(items)
    # The same text twice may be refused, too.
    more = [mark(rng) if not items or isinstance(items[0], str) else items[0] for _ in range(wanted - len(items))]
    return [*items[:wanted], *more]


def _wanted(question: Question, rng: Random) -> list[Operand]:
    """Values for the member; `length` and `type` are asked of members only."""
    if question.operator == "type":
        return [{} if question.other == "object" else []]
    if question.operator != "length":
        return wanted_operands(question, rng)
    text = length_inverse(question.mine if isinstance(question.mine, str) else "")(question.other)
    return [] if isinstance(text, Nothing) else [text]


def _ends_with(names: tuple[str, ...], end: tuple[str, ...]) -> bool:
    return names[-len(end) :] == end


def names_down_to(test_case: TestCase, address: GeneAddress) -> tuple[str, ...]:
    """The input's own name, then the keys and indexes down to the gene at `address`."""
    if address.call < 0:
        return ()
    call = test_case.calls[address.call]
    names = [call.operation.inputs[address.input].name]
    gene = call.genes[address.input]
    for index in address.path:
        match gene:
            case ObjectGene():
                names.append(gene.fields[index][0])
            case MapGene():
                names.append(gene.entries[index][0])
            case ArrayGene() | TupleGene():
                names.append(str(index))
            case JsonTextGene():
                names = []
            case _:
                pass
        gene = gene.children()[index]
    return tuple(names)
