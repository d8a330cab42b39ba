"""Values of learnt inputs: from their template, from what has paid, or texts that the program can be seen to read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Final

from wimble.genes import AnyGene, ArrayGene, Gene, IntegerGene, SeededGene, StringGene
from wimble.genes.taint_markers import taint_marker
from wimble.genes.undeclared import FileGene, FileTraitGene
from wimble.genes.value_names import signature_for
from wimble.model.learned_input import LearnedInput
from wimble.model.operation import Operation
from wimble.search.learned.members import input_index
from wimble.types import Json

TEXT_PROBABILITY: Final = 0.4
"""Probability that an input through which the program goes is a text in a call, if nothing says that it is a list."""
CALCULATED: Final = IntegerGene()
"""A number with which the program calculates is sampled from this."""


def learned_value(
    operation: Operation, one: LearnedInput, seeds: Sequence[Json], rng: Random, *, is_number: bool
) -> Gene:
    """Returns a new value of an input. seeds: values that have paid. is_number: whether it may be a number."""
    gene = _new_value(operation, one, rng, is_number=is_number)
    return SeededGene(gene, tuple(seeds)).sampled(rng) if seeds and rng.random() < 0.5 else gene


def _new_value(operation: Operation, one: LearnedInput, rng: Random, *, is_number: bool) -> Gene:
    template = one.template or (CALCULATED if is_number and not one.is_list else None)
    if template is not None:
        return template.sampled(rng)
    if one.location == "file":
        file = _file(one, rng)
        return ArrayGene(file, (file, _file(one, rng)), min_items=1) if one.is_list else file
    index = input_index(operation, one)
    is_json = index is not None and operation.inputs[index].is_json
    signature = signature_for(one.path[-1]) if one.location == "header" and one.path else None
    text = (signature or taint_marker)(rng)
    gene = AnyGene(text) if is_json else StringGene(text)
    if one.is_list and not (one.may_be_text and rng.random() < TEXT_PROBABILITY):
        return ArrayGene(gene, (gene,))
    return gene


def _file(one: LearnedInput, rng: Random) -> FileGene:
    field = next((name for name in reversed(one.path) if not name.isdigit()), "file")
    name = FileTraitGene(re.sub(r"[^A-Za-z0-9_-]", "_", field)[:40] + ".txt", is_name=True)
    return FileGene(StringGene(taint_marker(rng)), name=name).sampled(rng)
