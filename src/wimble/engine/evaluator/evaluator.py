"""Completes an evaluation with findings of the oracles, targets of the core, and hints for rows.

Each stage returns what it adds. All additions are merged once, into an evaluation that is not changed any more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from wimble.engine.evaluator.black_box_targets import BlackBoxTargets
from wimble.model.database import Databases
from wimble.model.evaluation import Additions, Evaluation, Finding, with_additions
from wimble.model.targets import TargetTable
from wimble.oracles import Judge
from wimble.search.targets.core_targets import NO_LIMITS, core_targets
from wimble.search.targets.validation_targets import ValidationTargets
from wimble.types import TargetId

if TYPE_CHECKING:
    from wimble.engine.queries.query_targets import QueryTargets


class Evaluator:
    """The stages for the evaluations of one SUT."""

    def __init__(
        self,
        table: TargetTable,
        judge: Judge,
        databases: Databases,
        *,
        is_covered: Callable[[TargetId], bool],
        is_black_box: bool,
    ) -> None:
        """databases: of the SUT. is_covered: whether the search has covered a target."""
        self._table = table
        self._judge = judge
        self._databases = databases
        databases.learn_from(judge.written)
        self._is_covered = is_covered
        self._black_box_targets = BlackBoxTargets(table, judge) if is_black_box else None
        self._validations = ValidationTargets(table, is_covered)
        self._queries: QueryTargets | None = None
        """None until the SUT runs a command on a database."""

    def completed(
        self, evaluation: Evaluation, *, full: bool = False, wants_hints: bool = False, wants_limits: bool = False
    ) -> Evaluation:
        """Returns the evaluation with the additions of all stages.

        full: also report targets that are covered already. wants_limits: also measure how near responses came to
        declared limits, which only the search uses.
        """
        findings = self._findings(evaluation)
        limits = self._judge.limits(evaluation) if wants_limits else NO_LIMITS
        core = core_targets(evaluation, findings, self._table, limits)
        additions = [Additions(findings=findings), core]
        if self._black_box_targets is not None:
            additions.append(self._black_box_targets.additions(evaluation))
        if evaluation.validations:
            additions.append(self._validations.additions(evaluation))
        if evaluation.interactions:
            hints = (*evaluation.hints, *core.hints)
            additions.append(
                self._query_targets().additions(evaluation, hints=hints, full=full, wants_hints=wants_hints)
            )
        return with_additions(evaluation, additions)

    def _findings(self, evaluation: Evaluation) -> list[Finding]:
        """Returns the findings of the oracles that can be attributed.

        If the process died of earlier work, the failures of the calls that it interrupted are no findings. If it died
        for another reason, the cause of a server error is lost with it. Without a cause the error cannot be
        distinguished from others of its operation; it shows again in evaluations that the SUT survives. A black-box run
        has no causes at all, so there such errors are kept.
        """
        findings = self._judge(evaluation)
        if any(crash.kind == "died" and crash.late is not None for crash in evaluation.crashes):
            return []
        if self._black_box_targets is not None or not evaluation.is_sut_lost:
            return findings
        return [finding for finding in findings if finding.oracle != "server-error" or finding.cause.file]

    def _query_targets(self) -> QueryTargets:
        if self._queries is None:
            # Imports a parser of SQL, which takes half a second.
            from wimble.engine.queries.query_targets import QueryTargets

            self._queries = QueryTargets(self._table, self._databases, self._is_covered)
        return self._queries
