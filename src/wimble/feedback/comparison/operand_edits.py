"""Turns pairs of operands into edits of the inputs from which they came.

Either operand may come from an input, which then gets a value that gives the wanted outcome. If neither does, an
operand may be an input that was left out (omitted_inputs.py), or a value that was computed or decoded
(unrecognised_operands.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

import msgspec

from wimble.feedback.comparison.earlier_inputs import earlier_input_edits
from wimble.feedback.comparison.omitted_inputs import (
    NAMED_COST,
    default_edits,
    is_named,
    new_member_edits,
    omitted_input_edits,
)
from wimble.feedback.comparison.question import OperandPair, Question
from wimble.feedback.comparison.row_counts import row_count_edits
from wimble.feedback.comparison.type_names import TYPE_COST, retyped
from wimble.feedback.comparison.unrecognised_operands import shifted_number_edits, unmatched_edits, unparsed_edits
from wimble.feedback.edit import Proposal, proposal
from wimble.feedback.input_to_state.bounded_ranges import TOGETHER_COST, moved_along
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.feedback.input_to_state.origin import Origin
from wimble.feedback.input_to_state.transforms.transform import CHANGED_COST
from wimble.model.operands import is_number
from wimble.model.testcase import TestCase
from wimble.types import ABSENT

OWNER_COST = 3
"""Maximum cost for an input with the name of what the operand is a member of."""
MAX_ORIGINS = 12
"""Maximum number of origins considered for one operand: for a guess, two steps of each of six inputs."""


def operand_edits(pair: OperandPair, index: InputIndex, rng: Random) -> list[Proposal]:
    """Returns proposals for one pair of operands, unordered, possibly with repetitions."""
    questions = pair.questions()
    out: list[Proposal] = []
    has_origin = False
    for question in questions:
        origins = _origins(pair, question, index)
        has_origin = has_origin or bool(origins)
        if origins:
            out += _recognised(pair, question, origins, index, rng)
        else:
            out += _unrecognised(pair, question, index, rng)
        out += row_count_edits(pair, question, index, rng)
    left, right = pair.left, pair.right
    if not has_origin and isinstance(left, str) and isinstance(right, str) and {left, right} <= index.values.type_names:
        for place, how in retyped(index, left, right, wanted=pair.wanted, rng=rng):
            out.append(proposal(pair.target, TYPE_COST, [place], questions[0].because(how)))
    elif not has_origin and not out:
        out = list(unmatched_edits(pair, questions, index, rng))
    if pair.name:
        out += _named(pair, index, rng, has_origin=has_origin)
    return out


def _origins(pair: OperandPair, question: Question, index: InputIndex) -> list[Origin]:
    # Literals mostly stand on the right.
    origins = index.origins(question.mine, with_guesses=question.is_left)
    if pair.name and len(origins) > 1:
        origins = _named_first(origins, pair.name, index.test_case)
    return origins[:MAX_ORIGINS]


def _named_first(origins: list[Origin], name: str, test_case: TestCase) -> list[Origin]:
    """Puts the inputs and columns with that name before others with the same value (null, 1, "a").

    The same for those of which the operand is a member: many texts have the length of `password.length`.
    """
    owner = name.rpartition(".")[0]
    named, owning, others = [], [], []
    for origin in origins:
        place = origin.place
        if place is not None and is_named(place[0], name, test_case):
            named.append(msgspec.structs.replace(origin, cost=NAMED_COST))
        elif place is not None and owner and is_named(place[0], owner, test_case):
            owning.append(msgspec.structs.replace(origin, cost=min(origin.cost, OWNER_COST)))
        else:
            others.append(origin)
    return [*named, *owning, *others]


def _recognised(
    pair: OperandPair, question: Question, origins: list[Origin], index: InputIndex, rng: Random
) -> Iterator[Proposal]:
    wanted = question.candidates(index.values, rng)
    for origin in origins:
        if origin.place is not None:
            yield from _other_gene(pair, question, origin, rng)
        for rank, value in enumerate(wanted):
            places = origin.write(value)
            if places:
                why = question.because(f"{origin.how}, {value!r:.60}")
                yield proposal(pair.target, origin.cost + rank, places, why)
        if question.is_order and wanted and origin.cost <= CHANGED_COST:
            moved = moved_along(origin, wanted[0], index.sites_of_call())
            if moved:
                why = question.because(f"{origin.how}, {wanted[0]!r:.60}, and what is like it")
                yield proposal(pair.target, origin.cost + TOGETHER_COST, moved, why)


def _other_gene(pair: OperandPair, question: Question, origin: Origin, rng: Random) -> Iterator[Proposal]:
    """Yields a mutation of the gene if any other value is wanted, or the gene restricted to the wanted values."""
    assert origin.place is not None
    address, gene = origin.place
    if not question.wanted and question.is_equality and gene.is_mutable():
        # The gene chooses a value that its constraints allow.
        changed = gene.mutated(rng, 0.0)
        yield proposal(pair.target, origin.cost, [(address, changed)], question.because(f"{origin.how}, another value"))
    if question.wanted and origin.cost <= CHANGED_COST:
        specialised = question.specialised(gene, rng)
        if specialised is not None:
            why = question.because(f"{origin.how}, asked for {question.other}")
            yield proposal(pair.target, origin.cost, [(address, specialised)], why)


def _unrecognised(pair: OperandPair, question: Question, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    mine = question.mine
    if mine is ABSENT or mine is None:
        yield from omitted_input_edits(pair, question, index, rng)
    elif isinstance(mine, float) and math.isnan(mine):
        yield from unparsed_edits(pair, question, index, rng)
    elif question.is_left and is_number(mine) and is_number(question.other):
        yield from shifted_number_edits(pair, question, index, rng)


def _named(pair: OperandPair, index: InputIndex, rng: Random, *, has_origin: bool) -> Iterator[Proposal]:
    """Yields edits of inputs and members that have the name by which the operand was read."""
    if ABSENT in (pair.left, pair.right):
        yield from new_member_edits(pair, index, rng)
    elif not has_origin:
        yield from default_edits(pair, index, rng)
    if not has_origin:
        yield from earlier_input_edits(pair, index, rng)
