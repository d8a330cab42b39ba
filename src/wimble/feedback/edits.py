"""Hints to edits: one table of kinds of hint, and the order in which edits are tried."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from wimble.feedback.compare import compare_edits
from wimble.feedback.edit import Edit, Proposal
from wimble.feedback.inputs import InputIndex
from wimble.genes.base import Resolver
from wimble.model.evaluation import CompareHint, Hint
from wimble.model.testcase import TestCase
from wimble.types import TargetId

MAX_EDITS_PER_TARGET = 20
"""Most calls that one target's hints may cost the search per evaluation."""

_KINDS: dict[type, Callable[[Hint, InputIndex, Random], list[Proposal]]] = {CompareHint: compare_edits}


def edits_from_hints(
    test_case: TestCase, hints: Sequence[Hint], rng: Random, resolve: Resolver | None = None
) -> list[Edit]:
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
        by_target.setdefault(hint.target, []).extend(_KINDS[type(hint)](hint, index, rng))
    chosen = [
        proposal
        for proposals in by_target.values()
        for proposal in _distinct(sorted(proposals, key=lambda one: one.cost), test_case)[:MAX_EDITS_PER_TARGET]
    ]
    return [proposal.edit for proposal in sorted(chosen, key=lambda one: one.cost)]


def apply_edit(test_case: TestCase, edit: Edit) -> TestCase:
    """A copy with the edit made; shares everything else."""
    for address, gene in edit.also:
        test_case = test_case.with_gene(address, gene)
    return test_case.with_gene(edit.address, edit.gene)


def _distinct(proposals: list[Proposal], test_case: TestCase) -> list[Proposal]:
    """Without repetitions and without edits that change nothing; the first of each stays."""
    seen = set()
    out = []
    for proposal in proposals:
        edit = proposal.edit
        key = (edit.address, edit.gene, edit.also)
        if key not in seen:
            seen.add(key)
            if edit.also or edit.gene != test_case.gene_at(edit.address):
                out.append(proposal)
    return out
