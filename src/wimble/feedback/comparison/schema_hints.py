"""`schema` hints: a validation library found members of a document wrong; edits make them meet the requirements.

There is one edit for each member, and one that corrects all members of a target's hints at once, since a single
correction is not enough if several members are wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

from wimble.feedback.comparison.comparison_hints import comparison_question
from wimble.feedback.comparison.format_hints import FormatQuestion
from wimble.feedback.comparison.pattern_hints import PatternQuestion
from wimble.feedback.comparison.question import Question
from wimble.feedback.comparison.schema_members import LengthQuestion, PresenceQuestion, TypeQuestion, places_of_member
from wimble.feedback.comparison.substring_hints import SubstringQuestion
from wimble.feedback.edit import Edit, Proposal, apply_edit, proposal
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.genes.gene import Resolver
from wimble.model.hints import (
    ComparisonRequirement,
    FormatRequirement,
    Hint,
    LengthRequirement,
    PatternRequirement,
    PresenceRequirement,
    Requirement,
    SchemaHint,
    SubstringRequirement,
    TypeRequirement,
)
from wimble.model.operands import Operand, decoded
from wimble.model.setup_kinds.answer import Answer
from wimble.model.testcase import GeneAddress, TestCase, setup_index
from wimble.runtimes.value_semantics import ValueSemantics
from wimble.types import ABSENT, TargetId

ALL_MEMBERS_COST = -1
"""It comes before the edits of single members."""


def schema_edits(hint: SchemaHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Returns proposals for one hint, unordered, possibly with repetitions."""
    question = _question(hint)
    told = "" if isinstance(question, PresenceQuestion) else f" {question.other!r:.60}"
    why = f"{hint.path} has to be {question.label}{told}"
    return [
        proposal(hint.target, cost, [place], why) for cost, place in places_of_member(hint.path, question, index, rng)
    ]


_ASK: dict[type[Requirement], Callable[[Any], Callable[[Operand, Operand, bool, bool], Question]]] = {
    ComparisonRequirement: lambda asked: comparison_question(asked.operator),
    SubstringRequirement: lambda asked: partial(SubstringQuestion, place=asked.place),
    PatternRequirement: lambda asked: partial(PatternQuestion, flags=asked.flags),
    FormatRequirement: lambda asked: FormatQuestion,
    LengthRequirement: lambda asked: LengthQuestion,
    TypeRequirement: lambda asked: TypeQuestion,
}
"""By kind of requirement: a function that returns the maker of its questions."""


def _question(hint: SchemaHint) -> Question:
    """Returns the question for a requirement of a member whose value is unknown."""
    requirement = hint.requirement
    if isinstance(requirement, PresenceRequirement):
        return PresenceQuestion(ABSENT, hint.path, True, True)
    return _ASK[type(requirement)](requirement)(ABSENT, decoded(requirement.operand), True, True)


def whole_document_edits(
    test_case: TestCase, hints: Sequence[Hint], rng: Random, values: ValueSemantics, *, resolve: Resolver | None
) -> Iterator[Proposal]:
    """Yields, for each target with several wrong members, one edit that corrects all of them."""
    by_target: dict[TargetId, dict[str, list[SchemaHint]]] = {}
    for hint in hints:
        if isinstance(hint, SchemaHint) and 0 <= hint.call < len(test_case.calls):
            by_target.setdefault(hint.target, {}).setdefault(hint.path, []).append(hint)
    for target, by_path in by_target.items():
        if len(by_path) < 2:
            continue
        # The document is an input, or the answer of a service.
        for is_answer in (False, True) if test_case.setup_of(Answer) else (False,):
            edited = test_case
            for same in by_path.values():
                # Of several hints about one member, such as those for its allowed values, one is drawn.
                hint = rng.choice(same)
                proposals = schema_edits(hint, InputIndex(edited, hint.call, rng, values, resolve=resolve), rng)
                fitting = [one for one in proposals if _is_of_answer(one) == is_answer]
                if fitting:
                    edited = apply_edit(edited, min(fitting, key=lambda one: one.cost).edit)
            places = list(_changed_places(test_case, edited))
            if places:
                yield proposal(target, ALL_MEMBERS_COST, places, f"{', '.join(by_path)} as they have to be")


def _is_of_answer(one: Proposal) -> bool:
    return isinstance(one.edit, Edit) and one.edit.address.call < 0


def _changed_places(test_case: TestCase, edited: TestCase) -> Iterator[tuple[GeneAddress, Any]]:
    """Yields the inputs and parts of setup actions that an edit has changed, each as a whole."""
    for number, (action, changed) in enumerate(zip(test_case.setup, edited.setup, strict=True)):
        for index, (before, gene) in enumerate(zip(action.genes, changed.genes, strict=True)):
            if gene != before:
                yield GeneAddress(setup_index(number), index), gene
    for call, (old, new) in enumerate(zip(test_case.calls, edited.calls, strict=True)):
        for index, (before, gene) in enumerate(zip(old.genes, new.genes, strict=True)):
            if gene != before:
                yield GeneAddress(call, index), gene
