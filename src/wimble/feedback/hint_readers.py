"""Which function reads which kind of hint, and the order in which the edits of all hints are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, TypeAlias

from wimble.feedback.answered_texts import AnsweredText, with_references
from wimble.feedback.comparison.comparison_hints import comparison_edits
from wimble.feedback.comparison.format_hints import format_edits
from wimble.feedback.comparison.group_hints import group_edits
from wimble.feedback.comparison.key_hints import key_edits
from wimble.feedback.comparison.list_hints import list_edits
from wimble.feedback.comparison.pattern_hints import pattern_edits
from wimble.feedback.comparison.schema_hints import schema_edits, whole_document_edits
from wimble.feedback.comparison.split_hints import split_edits
from wimble.feedback.comparison.substring_hints import substring_edits
from wimble.feedback.comparison.truthiness_hints import truthiness_edits
from wimble.feedback.edit import AnyEdit, Proposal, SetupEdit
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.feedback.queries.query_edits import query_edits
from wimble.genes.gene import Resolver
from wimble.model.hints import (
    ComparisonHint,
    FormatHint,
    GroupHint,
    Hint,
    InputHint,
    KeyHint,
    ListHint,
    PatternHint,
    QueryHint,
    SchemaHint,
    SplitHint,
    SubstringHint,
    TableHint,
    TokenClaimsHint,
    TokenKeyHint,
    TruthinessHint,
)
from wimble.model.testcase import TestCase
from wimble.runtimes.value_semantics import ValueSemantics
from wimble.types import TargetId

MAX_EDITS_PER_TARGET = 20
"""Maximum number of edits, each one test case, that one evaluation's hints about a target may lead to."""

Reader: TypeAlias = Callable[[Any, InputIndex, Random], list[Proposal]]


READERS: dict[type[Hint], Reader] = {
    ComparisonHint: comparison_edits,
    SubstringHint: substring_edits,
    PatternHint: pattern_edits,
    FormatHint: format_edits,
    TruthinessHint: truthiness_edits,
    KeyHint: key_edits,
    SplitHint: split_edits,
    GroupHint: group_edits,
    ListHint: list_edits,
    SchemaHint: schema_edits,
    # An input that was read belongs to its operation, not to a target: search/generators/probes/undeclared_inputs.py.
    InputHint: lambda hint, index, rng: [],
    # Its keys are operations (engine/boot/joining_keys.py), or tried (search/generators/variations/table_keys.py).
    TableHint: lambda hint, index, rng: [],
    # A key and what is demanded of a token belong to no target: search/access/access.py.
    TokenKeyHint: lambda hint, index, rng: [],
    TokenClaimsHint: lambda hint, index, rng: [],
    QueryHint: query_edits,
}


def edits_from_hints(
    test_case: TestCase,
    hints: Sequence[Hint],
    rng: Random,
    values: ValueSemantics,
    *,
    resolve: Resolver | None = None,
    answered: Sequence[AnsweredText] = (),
) -> list[AnyEdit]:
    """Returns edits of `test_case` from `hints` of its evaluation, best first over all targets, without repetitions.

    values: how the SUT's language treats the operands. resolve: returns the values of references to earlier responses
    in that evaluation; if None, references count as their fallbacks. answered: texts of earlier responses that the
    hints show.

    There are at most MAX_EDITS_PER_TARGET for each target. The same arguments and state of `rng` give the same edits.
    """
    indexes: dict[int, InputIndex] = {}
    by_target: dict[TargetId, list[Proposal]] = {}
    for hint in hints:
        if not 0 <= hint.call < len(test_case.calls):
            continue
        index = indexes.get(hint.call)
        if index is None:
            index = indexes[hint.call] = InputIndex(test_case, hint.call, rng, values, resolve=resolve)
        by_target.setdefault(hint.target, []).extend(READERS[type(hint)](hint, index, rng))
    for proposal in whole_document_edits(test_case, hints, rng, values, resolve=resolve):
        by_target[proposal.edit.target].append(proposal)
    if answered:
        by_target = {target: list(with_references(ones, answered, test_case)) for target, ones in by_target.items()}
    chosen = [
        proposal
        for proposals in by_target.values()
        for proposal in islice(_distinct(sorted(proposals, key=lambda one: one.cost), test_case), MAX_EDITS_PER_TARGET)
    ]
    return [proposal.edit for proposal in sorted(chosen, key=lambda one: one.cost)]


def _distinct(proposals: list[Proposal], test_case: TestCase) -> Iterator[Proposal]:
    """Yields the proposals without repetitions (the first of each stays) and without edits that change nothing.

    None is looked at before it is asked for: large genes take long to compare.
    """
    seen = set()
    for proposal in proposals:
        edit = proposal.edit
        if isinstance(edit, SetupEdit):
            yield proposal
            continue
        key = (edit.address, edit.gene, edit.also)
        if key not in seen:
            seen.add(key)
            if edit.also or edit.gene != test_case.gene_at(edit.address):
                yield proposal
