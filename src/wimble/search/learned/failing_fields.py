"""Fields of GraphQL answers whose resolvers mostly fail: calls that others need do without them.

A field that must not be null and cannot be resolved takes the answer of the whole call away, and with it the id of what
the call has made. The error is one finding; after that, only some of the calls select the field.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

import msgspec

from wimble.model.observation import Observation
from wimble.model.testcase import Call
from wimble.spec.graphql.call_gene import CallGene
from wimble.spec.graphql.left_out_fields import FieldPath, is_selected, without_field
from wimble.types import OperationId

LEFT_OUT_PROBABILITY: Final = 0.75
"""Probability that a new call does not select the fields that mostly fail."""
LEAST_FAILURES: Final = 2
"""Number of calls in which a field has to fail."""
FAILING_SHARE: Final = 0.5
"""Share of the calls that select a field in which it fails, from which on it mostly fails."""
MAX_FIELDS: Final = 40
"""Fields of one operation that are remembered."""


class _Count(msgspec.Struct):
    n_failed: int = 0
    n_selected: int = 0


class FailingFields:
    """Counts, for each field that has failed, how often it was selected and how often it failed."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._counts: dict[OperationId, dict[FieldPath, _Count]] = {}

    def observe(self, call: Call, observation: Observation) -> None:
        """Counts the fields of one answer. Calls whose own field has failed say nothing of the fields below it."""
        if not call.operation.answer_root or observation.outcome not in ("ok", "partial"):
            return
        failed = observation.exchange.failed_parts()
        known = self._counts.get(call.operation.id)
        if (not failed and known is None) or () in failed:
            return
        selection = next((gene.selection for gene in call.genes if isinstance(gene, CallGene)), None)
        if selection is None:
            return
        counts = self._counts.setdefault(call.operation.id, {})
        for path in failed:
            if len(counts) < MAX_FIELDS:
                counts.setdefault(path, _Count())
        for path, count in counts.items():
            count.n_selected += is_selected(selection, path)
            count.n_failed += path in failed

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: leaves out, mostly, the fields that mostly fail."""
        counts = self._counts.get(call.operation.id) if self._counts else None
        if not counts or self._rng.random() >= LEFT_OUT_PROBABILITY:
            return call
        return without_fields(call, [path for path, count in counts.items() if _mostly_fails(count)])


def without_fields(call: Call, paths: Iterable[FieldPath]) -> Call:
    """Returns the call without these fields in its selection; the same call if it selects none of them."""
    for index, gene in enumerate(call.genes):
        if isinstance(gene, CallGene) and gene.selection is not None:
            selection = gene.selection
            for path in paths:
                selection = without_field(selection, path)
            if selection is not gene.selection:
                call = call.with_gene(index, msgspec.structs.replace(gene, selection=selection))
    return call


def _mostly_fails(count: _Count) -> bool:
    return count.n_failed >= LEAST_FAILURES and count.n_failed >= FAILING_SHARE * count.n_selected
