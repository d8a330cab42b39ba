"""Counts of a run on which no decision depends: evaluations, outcomes, covered lines, the curve over the budget."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from wimble.engine.session.budget import Budget
from wimble.model.evaluation import Evaluation
from wimble.model.result import CurvePoint
from wimble.model.targets import TargetTable
from wimble.types import TargetId

CURVE_POINTS: Final = 20
"""[WB-JS] shows its curves at every 5 % of the budget (§4.3.2)."""


class Statistics:
    """The counts of all workers of a run."""

    def __init__(self) -> None:
        self.n_evaluations = 0
        self.n_lines_covered = 0
        self.curve: list[CurvePoint] = []
        self._outcome_keys: dict[str, set[str]] = {}
        self._succeeded: set[str] = set()

    def note(self, evaluation: Evaluation) -> None:
        """Counts an evaluation of any phase."""
        self.n_evaluations += 1
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=True):
            if observation.is_answered:
                self._outcome_keys.setdefault(call.operation.id, set()).add(observation.outcome_key)
                if observation.outcome == "ok":
                    self._succeeded.add(call.operation.id)

    def note_covered(self, targets: Iterable[TargetId], table: TargetTable) -> None:
        """Counts the lines among newly covered targets."""
        self.n_lines_covered += sum(table[target].kind == "line" for target in targets)

    def note_curve(self, budget: Budget, *, n_targets: int, n_faults: int) -> None:
        """Adds a point for each 5 % of the budget that was passed since the last call."""
        progress = budget.progress()
        while len(self.curve) < CURVE_POINTS and progress >= (len(self.curve) + 1) / CURVE_POINTS:
            self.curve.append(
                CurvePoint(
                    budget=(len(self.curve) + 1) / CURVE_POINTS,
                    calls=budget.calls,
                    seconds=budget.elapsed_s,
                    targets=n_targets,
                    lines=self.n_lines_covered,
                    faults=n_faults,
                )
            )

    @property
    def n_succeeded(self) -> int:
        """Number of operations that were answered with success at least once."""
        return len(self._succeeded)

    def outcome_keys(self, operation: str) -> tuple[str, ...]:
        """Returns the outcome keys of an operation's answers, such as `200` and `404`, sorted."""
        return tuple(sorted(self._outcome_keys.get(operation, ())))
