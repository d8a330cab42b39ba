"""Targets of black-box searches: shapes of responses, and declared parts of responses and requests.

A white-box search does without them: lines and branches, which are targets already, determine the shape of a response,
and several hundred further targets would only take evaluations from these.
"""

from __future__ import annotations

from wimble.model.evaluation import Additions, Evaluation, Reached, keep_nearest
from wimble.model.targets import OPEN_H, Target, TargetTable
from wimble.oracles import Judge
from wimble.search.targets.request_parts import RequestParts
from wimble.types import TargetId


class BlackBoxTargets:
    """The stage of the evaluator that adds black-box targets."""

    def __init__(self, table: TargetTable, judge: Judge) -> None:
        self._table = table
        self._judge = judge
        self._request_parts = RequestParts()

    def additions(self, evaluation: Evaluation) -> Additions:
        found: dict[TargetId, Reached] = {}
        for name, reached in self._judge.shapes(evaluation).items():
            found[self._table.register(Target("shape", "", 0, 0, name))] = reached
        for name, reached in {**self._judge.parts(evaluation), **self._accepted(evaluation)}.items():
            found[self._table.register(Target("part", "", 0, 0, name))] = reached
        return Additions(reached=found)

    def _accepted(self, evaluation: Evaluation) -> dict[str, Reached]:
        """Returns parts of requests that were answered with success."""
        found: dict[str, Reached] = {}
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=True):
            if observation.outcome != "ok":
                continue
            for part, is_sent in self._request_parts.of(call).items():
                h = 1.0 if is_sent else OPEN_H
                keep_nearest(found, f"{call.operation.id} accepts {part}", h, observation.call_index)
        return found
