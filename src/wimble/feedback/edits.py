"""Hints to edits: who reads which kind of hint, and the order in which edits are tried."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from wimble.feedback.compare import compare_edits
from wimble.feedback.edit import AnyEdit, Proposal, SetupEdit
from wimble.feedback.inputs import InputIndex
from wimble.genes.base import Resolver
from wimble.model.evaluation import Hint, QueryHint
from wimble.model.testcase import TestCase
from wimble.types import TargetId

MAX_EDITS_PER_TARGET = 20
"""Most calls that one target's hints may cost the search per evaluation."""


def edits_from_hints(
    test_case: TestCase, hints: Sequence[Hint], rng: Random, resolve: Resolver | None = None
) -> list[AnyEdit]:
    """Edits of `test_case` that `hints` of its evaluation suggest, best first over all targets, without repetitions.

    resolve: answers for references to earlier responses as in that evaluation; without it they count as their fallbacks.
    At most MAX_EDITS_PER_TARGET for each target. The same arguments and state of `rng` give the same edits.
    """
    indexes: dict[int, InputIndex] = {}
    by_target: dict[TargetId, list[Proposal]] = {}
    for hint in hints:
        if not 0 <= hint.call < len(test_case.calls):
            continue
        index = indexes.get(hint.call)
        if index is None:
            index = indexes[hint.call] = InputIndex(test_case, hint.call, rng, resolve)
        by_target.setdefault(hint.target, []).extend(_proposals(hint, index, rng))
    chosen = [
        proposal
        for proposals in by_target.values()
        for proposal in _distinct(sorted(proposals, key=lambda one: one.cost), test_case)[:MAX_EDITS_PER_TARGET]
    ]
    return [proposal.edit for proposal in sorted(chosen, key=lambda one: one.cost)]


def _proposals(hint: Hint, index: InputIndex, rng: Random) -> list[Proposal]:
    if isinstance(hint, QueryHint):
        # Its parser takes half a second to import: only who has a database pays for it.
        from wimble.feedback.document_query import document_edits
        from wimble.feedback.query import query_edits

        if hint.database.dialect == "mongo":
            return document_edits(hint, index, rng)

        return query_edits(hint, index, rng)
    return compare_edits(hint, index, rng)


def apply_edit(test_case: TestCase, edit: AnyEdit) -> TestCase:
    """A copy with the edit made; shares everything else."""
    if isinstance(edit, SetupEdit):
        test_case = TestCase(test_case.calls, edit.setup)
        for address, gene in edit.also:
            test_case = test_case.with_gene(address, gene)
        return test_case
    for address, gene in edit.also:
        test_case = test_case.with_gene(address, gene)
    return test_case.with_gene(edit.address, edit.gene)


def _distinct(proposals: list[Proposal], test_case: TestCase) -> list[Proposal]:
    """Without repetitions and without edits that change nothing; the first of each stays."""
    seen = set()
    out = []
    for proposal in proposals:
        edit = proposal.edit
        if isinstance(edit, SetupEdit):
            out.append(proposal)
            continue
        key = (edit.address, edit.gene, edit.also)
        if key not in seen:
            seen.add(key)
            if edit.also or edit.gene != test_case.gene_at(edit.address):
                out.append(proposal)
    return out
