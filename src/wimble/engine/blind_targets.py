"""Targets for searches that see nothing but answers: shapes of answers, declared parts of answers and of requests.

A search that sees code does without: what an answer looks like follows from lines and branches that it has as targets already, and several
hundred targets more would only take turns from them.
"""

from __future__ import annotations

from wimble.model.evaluation import Evaluation, Reached, keep_nearest
from wimble.model.targets import OPEN_H, Target, TargetTable
from wimble.oracles import Judge
from wimble.search.request_parts import RequestParts


class BlindTargets:
    """Adds them to evaluations."""

    def __init__(self, table: TargetTable, judge: Judge) -> None:
        self._table = table
        self._judge = judge
        self._request_parts = RequestParts()

    def add(self, evaluation: Evaluation) -> None:
        """Into `evaluation.reached`, in place."""
        for name, reached in self._judge.shapes(evaluation).items():
            evaluation.reached[self._table.register(Target("shape", "", 0, 0, name))] = reached
        for name, reached in {**self._judge.parts(evaluation), **self._accepted(evaluation)}.items():
            evaluation.reached[self._table.register(Target("part", "", 0, 0, name))] = reached

    def _accepted(self, evaluation: Evaluation) -> dict[str, Reached]:
        found: dict[str, Reached] = {}
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=True):
            response = observation.response
            if response is None or not call.operation.is_success(response):
                continue
            for part, is_sent in self._request_parts.of(call).items():
                h = 1.0 if is_sent else OPEN_H
                keep_nearest(found, f"{call.operation.id} accepts {part}", h, observation.call_index)
        return found
