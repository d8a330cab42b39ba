"""Hints to edits: who reads which kind of hint, and the order in which edits are tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from wimble.feedback.compare import compare_edits
from wimble.feedback.edit import AnyEdit, Edit, Proposal, SetupEdit
from wimble.feedback.inputs import InputIndex
from wimble.genes.base import Resolver
from wimble.model.evaluation import CompareHint, Hint, QueryHint
from wimble.model.testcase import GeneAddress, TestCase
from wimble.types import TargetId

MAX_EDITS_PER_TARGET = 20
"""Most calls that one target's hints may cost the search per evaluation."""
ALL_MEMBERS_COST = -1
"""Before the edits of single members, none of which is enough."""


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
    for proposal in _all_members(test_case, hints, rng, resolve):
        by_target[proposal.edit.target].append(proposal)
    chosen = [
        proposal
        for proposals in by_target.values()
        for proposal in _distinct(sorted(proposals, key=lambda one: one.cost), test_case)[:MAX_EDITS_PER_TARGET]
    ]
    return [proposal.edit for proposal in sorted(chosen, key=lambda one: one.cost)]


def _all_members(
    test_case: TestCase, hints: Sequence[Hint], rng: Random, resolve: Resolver | None
) -> Iterator[Proposal]:
    """Where a library found several members of a document wrong: one edit that puts all of them right, for each target."""
    by_target: dict[TargetId, dict[str, list[CompareHint]]] = {}
    for hint in hints:
        if isinstance(hint, CompareHint) and hint.is_about_member and 0 <= hint.call < len(test_case.calls):
            by_target.setdefault(hint.target, {}).setdefault(hint.name, []).append(hint)
    for target, by_name in by_target.items():
        if len(by_name) < 2:
            continue
        edited = test_case
        for same in by_name.values():
            # Of the values that are allowed, any.
            hint = rng.choice(same)
            proposals = compare_edits(hint, InputIndex(edited, hint.call, rng, resolve), rng)
            if proposals:
                edited = apply_edit(edited, min(proposals, key=lambda one: one.cost).edit)
        places = [
            (GeneAddress(call, index), gene)
            for call, (old, new) in enumerate(zip(test_case.calls, edited.calls, strict=True))
            for index, (before, gene) in enumerate(zip(old.genes, new.genes, strict=True))
            if gene != before
        ]
        if places:
            (address, gene), *also = places
            why = f"{', '.join(name[1:] for name in by_name)} as they have to be"
            yield Proposal(ALL_MEMBERS_COST, Edit(address, gene, target, why, tuple(also)))


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
