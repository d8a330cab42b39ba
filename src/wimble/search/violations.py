"""Calls that break the API description on purpose, in a known share.

What is declared as required is left out, or what is declared as a number is a text: programs check such things, or fail because they do
not. Where the agent sees the question (`Number.isFinite(x)`), its hint leads there too; a black box has only this.
"""

from __future__ import annotations

from random import Random
from typing import TypeAlias

from wimble.genes import (
    AnyGene,
    BooleanGene,
    Gene,
    GenePath,
    IntegerGene,
    NumberGene,
    OptionalGene,
    ReferenceGene,
    StringGene,
    gene_at,
    iter_genes,
    replaced_at,
)
from wimble.genes.marks import mark
from wimble.model.testcase import Call, TestCase
from wimble.types import Json

VIOLATION_SHARE = 0.03
"""Share of sampled test cases, in their last call: most are refused at the door, so that more would be lost for what lies behind."""
UNTRIED_SHARE = 0.1
"""Share of new test cases that break a rule which none has broken yet, while there are such."""
MAX_UNTRIED = 8
"""Rules of one operation that are broken for the sake of completeness; an API of large documents has thousands."""
LEFT_OUT_SHARE = 0.5


_Breach: TypeAlias = tuple[int, GenePath | None]
"""Input, and the path of the gene that gets another type; None: the input is left out."""


class Untried:
    """Breaks each rule once: cheap to try, and what a program says to the first is often new, to the tenth hardly ever."""

    def __init__(self) -> None:
        self._tried: dict[int, set[_Breach]] = {}

    def violated(self, call: Call, rng: Random) -> Call:
        """The call with one rule broken that no call of the operation has broken yet; the same where none is left."""
        tried = self._tried.setdefault(id(call.operation), set())
        if len(tried) >= MAX_UNTRIED:
            return call
        left = [breach for breach in (*_to_leave_out(call), *_to_retype(call)) if breach not in tried]
        if not left:
            return call
        chosen = rng.choice(left)
        tried.add(chosen)
        return _broken(call, chosen, rng)


def violated(call: Call, rng: Random) -> Call:
    """The call with one input left out that is required, or of a type that is not declared; the same where it has none such."""
    breaches = _to_leave_out(call) if rng.random() < LEFT_OUT_SHARE else []
    breaches = breaches or _to_retype(call)
    return _broken(call, rng.choice(breaches), rng) if breaches else call


def with_last(test_case: TestCase, last: Call) -> TestCase:
    """The test case with another last call; the same one where that is the call that it has."""
    return TestCase((*test_case.calls[:-1], last), test_case.setup) if last is not test_case.calls[-1] else test_case


def _to_leave_out(call: Call) -> list[_Breach]:
    return [
        (index, None)
        for index, given in enumerate(call.operation.inputs)
        if given.location != "path" and not isinstance(given.template, OptionalGene)
    ]


def _to_retype(call: Call) -> list[_Breach]:
    return [
        (index, path)
        for index, root in enumerate(call.genes)
        for path, gene in iter_genes(root)
        if isinstance(own := _own(gene), (IntegerGene, NumberGene, BooleanGene))
        or (isinstance(own, StringGene) and _is_json(call, index))
    ]


def _own(gene: Gene) -> Gene:
    """What is sent where nothing is taken from an earlier answer: its type is the declared one."""
    return gene.fallback if isinstance(gene, ReferenceGene) else gene


def _broken(call: Call, breach: _Breach, rng: Random) -> Call:
    index, path = breach
    root = call.genes[index]
    if path is None:
        return _with_input(call, index, OptionalGene(root, False))
    changed = _of_other_type(_own(gene_at(root, path)), _is_json(call, index), rng)
    return _with_input(call, index, replaced_at(root, path, changed))


def _of_other_type(gene: Gene, is_json: bool, rng: Random) -> Gene:
    """Outside of JSON everything is a text; a fraction is no integer there either."""
    if is_json:
        others: tuple[Json, ...] = (mark(rng), 1, True, None, [], {})
        return AnyGene(rng.choice([value for value in others if type(value) is not type(gene.phenotype())]))
    return StringGene(
        rng.choice((mark(rng), "", "NaN", "1.5") if isinstance(gene, IntegerGene) else (mark(rng), "", "NaN"))
    )


def _is_json(call: Call, index: int) -> bool:
    given = call.operation.inputs[index]
    return given.location == "body" and "json" in given.media_type


def _with_input(call: Call, index: int, gene: Gene) -> Call:
    return Call(call.operation, (*call.genes[:index], gene, *call.genes[index + 1 :]), call.user)
