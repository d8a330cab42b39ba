"""Calls that break the API description on purpose, in a known share.

What is declared as required is left out, or what is declared as a number is a text: programs check such things, or fail because they do
not. Where the agent sees the question (`Number.isFinite(x)`), its hint leads there too; a black box has only this.
"""

from __future__ import annotations

from random import Random

from wimble.genes import (
    AnyGene,
    BooleanGene,
    Gene,
    IntegerGene,
    NumberGene,
    OptionalGene,
    StringGene,
    iter_genes,
    replaced_at,
)
from wimble.genes.marks import mark
from wimble.model.testcase import Call
from wimble.types import Json

VIOLATION_SHARE = 0.03
"""Share of sampled test cases, in their last call: most are refused at the door, so that more would be lost for what lies behind."""
LEFT_OUT_SHARE = 0.5


def violated(call: Call, rng: Random) -> Call:
    """The call with one input left out that is required, or of a type that is not declared; the same where it has none such."""
    inputs = call.operation.inputs
    if rng.random() < LEFT_OUT_SHARE:
        required = [
            index
            for index, given in enumerate(inputs)
            if given.location != "path" and not isinstance(given.template, OptionalGene)
        ]
        if required:
            index = rng.choice(required)
            return _with_input(call, index, OptionalGene(call.genes[index], False))
    typed = [
        (index, path, gene)
        for index, root in enumerate(call.genes)
        for path, gene in iter_genes(root)
        if isinstance(gene, (IntegerGene, NumberGene, BooleanGene))
        or (isinstance(gene, StringGene) and _is_json(call, index))
    ]
    if not typed:
        return call
    index, path, gene = rng.choice(typed)
    return _with_input(
        call, index, replaced_at(call.genes[index], path, _of_other_type(gene, _is_json(call, index), rng))
    )


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
