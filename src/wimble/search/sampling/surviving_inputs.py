"""Spares the SUT inputs that end it: operations that have ended it mostly get the inputs of calls that it has survived.

A fault that ends the process costs a start, which takes the time of hundreds of calls. It is reported once; sent again
and again, its inputs would take most of the search.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from random import Random
from typing import Final

from wimble.genes import Gene, ReferenceGene, contains_gene
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call
from wimble.types import OperationId

SURVIVING_PROBABILITY: Final = 0.9
"""Probability that a new call of an operation that often ends the SUT gets inputs that it has survived."""
N_LOSSES: Final = 2
"""Number of losses of the SUT after which an operation counts as one that may end it."""
LOSS_SHARE: Final = 0.02
"""Smallest share of its calls that end the SUT; below it, they take little of the search."""
MAX_KEPT: Final = 10


class _Record:
    __slots__ = ("kept", "n_calls", "n_losses")

    def __init__(self) -> None:
        self.n_calls = self.n_losses = 0
        self.kept: deque[tuple[Gene, ...]] = deque(maxlen=MAX_KEPT)


class SurvivingInputs:
    """The latest inputs of each operation that the SUT has survived."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._records: dict[OperationId, _Record] = {}

    def observe(self, evaluation: Evaluation) -> None:
        """Counts the calls of an evaluation, and the loss of the SUT for the last one that was sent."""
        sent = [
            call
            for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False)
            if observation.outcome != "not-run"
        ]
        for number, call in enumerate(sent, 1):
            record = self._records.get(call.operation.id)
            if record is None:
                record = self._records[call.operation.id] = _Record()
            record.n_calls += 1
            if evaluation.is_sut_lost and number == len(sent):
                record.n_losses += 1
            elif record.n_losses or not record.kept:
                record.kept.append(call.genes)

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: inputs but subjects get values that the SUT has survived, if others often end it."""
        record = self._records.get(call.operation.id)
        if record is None or record.n_losses < N_LOSSES or record.n_losses < LOSS_SHARE * record.n_calls:
            return call
        if not record.kept or self._rng.random() >= SURVIVING_PROBABILITY:
            return call
        kept = self._rng.choice(record.kept)
        genes = tuple(
            old if given.role not in ("subject", "credential") and not contains_gene(ReferenceGene, old) else new
            for given, new, old in zip(call.operation.inputs, call.genes, kept, strict=True)
        )
        return Call(call.operation, genes, call.user)
