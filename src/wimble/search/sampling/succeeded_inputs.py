"""Calls that only prepare what another call needs get the inputs with which they have succeeded before.

An operation that checks its inputs well is opened late, by edits. With new values it is mostly refused again, and all
that is to be done with what it makes is refused, too: a loan from a day in the form YYYY-MM-DD, for 1 to 28 days, can
only be extended once it is there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from random import Random
from typing import Final

from wimble.genes import AnyGene, Gene, ReferenceGene, StringGene, gene_at, iter_genes, replaced_at
from wimble.genes.taint_markers import is_like_marker
from wimble.genes.text_shapes import of_same_shape
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.search.learned.taken_values import may_identify
from wimble.search.resources.input_names import iter_named_genes
from wimble.types import OperationId

SUCCEEDED_PROBABILITY: Final = 0.9
"""Probability that a call which prepares another gets such inputs, if hardly any of its calls succeed; the more do, the
less likely it is."""
MAX_KEPT: Final = 5
MAX_VAIN: Final = 6
"""After so many calls in a row that did not succeed with such inputs they are forgotten: they may be taken by then."""


class _Record:
    __slots__ = ("is_given", "kept", "kept_with_rows", "n_calls", "n_succeeded", "n_vain")

    def __init__(self) -> None:
        self.n_calls = self.n_succeeded = self.n_vain = 0
        self.is_given = False
        """Whether the latest new call has got such inputs."""
        self.kept: deque[tuple[Gene, ...]] = deque(maxlen=MAX_KEPT)
        self.kept_with_rows: deque[tuple[Gene, ...]] = deque(maxlen=MAX_KEPT)
        """Inputs of test cases that bring rows, without which they may not succeed; often the row is only a user's."""

    def note(self, genes: tuple[Gene, ...], *, is_success: bool, has_setup: bool) -> None:
        self.n_calls += 1
        self.n_succeeded += is_success
        if is_success:
            (self.kept_with_rows if has_setup else self.kept).append(genes)
        self.n_vain = 0 if is_success else self.n_vain + self.is_given
        self.is_given = False
        if self.n_vain >= MAX_VAIN:
            self.latest().clear()
            self.n_vain = 0

    def latest(self) -> deque[tuple[Gene, ...]]:
        """Returns the inputs to choose from, likeliest to succeed again."""
        return self.kept or self.kept_with_rows


class SucceededInputs:
    """The latest inputs with which each operation that changes something has succeeded."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._records: dict[OperationId, _Record] = {}

    def observe(self, evaluation: Evaluation) -> None:
        """Learns from the calls."""
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            operation = call.operation
            if operation.is_safe or operation.entrance or not observation.is_answered:
                continue
            record = self._records.get(operation.id)
            if record is None:
                record = self._records[operation.id] = _Record()
            record.note(call.genes, is_success=observation.outcome == "ok", has_setup=bool(evaluation.test_case.setup))

    def applied(self, call: Call, earlier: Sequence[Call] = (), *, is_certain: bool = False) -> Call:
        """Returns the call, often with inputs that have succeeded; what it takes from earlier calls stays.

        Where one of the earlier calls has the same inputs, codes and names become others of the same shape: the program
        may keep each for one thing only.

        is_certain: with such inputs whenever there are some.
        """
        record = self._records.get(call.operation.id)
        if record is None or not record.latest():
            return call
        failing_share = 1.0 - record.n_succeeded / record.n_calls
        if not is_certain and self._rng.random() >= SUCCEEDED_PROBABILITY * failing_share:
            return call
        record.is_given = True
        kept = self._rng.choice(record.latest())
        genes = tuple(
            own if given.role in ("subject", "credential") else _with_references_of(own, old)
            for given, own, old in zip(call.operation.inputs, call.genes, kept, strict=True)
        )
        made = Call(call.operation, genes, call.user)
        made = made if record.kept else _with_own_references(call, made)
        return self._with_other_texts(made) if any(one.genes == made.genes for one in earlier) else made

    def _with_other_texts(self, call: Call) -> Call:
        test_case = TestCase((call,))
        for one in iter_named_genes(call, 0):
            value = one.gene.phenotype() if isinstance(one.gene, (StringGene, AnyGene)) else None
            if isinstance(value, str) and (is_like_marker(value) or may_identify(one.name)):
                other = one.gene.with_value(of_same_shape(value, self._rng))
                test_case = test_case if other is None else test_case.with_gene(one.address, other)
        return test_case.calls[0]


def _with_own_references(own: Call, made: Call) -> Call:
    """Returns `made` with the references of `own` in inputs of the same names: what `made` names instead were rows of
    the test case in which it has succeeded, which are not there.
    """
    named = {one.name: one.gene for one in iter_named_genes(own, 0) if isinstance(one.gene, ReferenceGene)}
    for one in tuple(iter_named_genes(made, 0)):
        reference = named.get(one.name)
        if reference is not None and not isinstance(one.gene, ReferenceGene):
            made = TestCase((made,)).with_gene(one.address, reference).calls[0]
    return made


def _with_references_of(own: Gene, kept: Gene) -> Gene:
    """Returns a kept input with what another one has in the places of its references, which are to other calls."""
    for path, gene in list(iter_genes(kept)):
        if isinstance(gene, ReferenceGene):
            kept = replaced_at(kept, path, _at(own, path) or gene.fallback)
    return kept


def _at(gene: Gene, path: tuple[int, ...]) -> Gene | None:
    try:
        return gene_at(gene, path)
    except IndexError:
        return None
