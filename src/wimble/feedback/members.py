"""What a library that checks documents by a schema says of one member: the input there becomes as it has to be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from wimble.feedback.inputs import InputIndex
from wimble.feedback.named import places_named
from wimble.feedback.origin import Place
from wimble.feedback.sites import iter_arrays
from wimble.feedback.transforms.base import Nothing
from wimble.feedback.transforms.lengths import MAX_WANTED_PARTS, length_inverse
from wimble.feedback.values import Operand, is_number
from wimble.feedback.wanted import Question, wanted_operands
from wimble.genes import ArrayGene, JsonTextGene, MapGene, ObjectGene, TupleGene
from wimble.model.testcase import GeneAddress, TestCase

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
        is_found = True
        asked = Question(question.operator, site.value, question.other, True, question.wanted, question.flags)
        for rank, value in enumerate(_wanted(asked, rng)):
            place = site.put(value)
            if place is not None:
                yield rank, place
    if not is_found:
        for value in _wanted(question, rng)[:1]:
            yield from places_named(".".join(wanted_names), value, index.test_case, call)


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
