"""Counts of a run on which no decision depends: evaluations, outcomes, covered lines, the curve over the budget."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from wimble.engine.session.budget import Budget
from wimble.http.binding import HttpBinding
from wimble.http.exchange import response_of
from wimble.model.evaluation import Evaluation
from wimble.model.observation import Observation
from wimble.model.operation import Operation
from wimble.model.result import Answers, CurvePoint
from wimble.model.targets import TargetTable
from wimble.oracles.messages.message_shapes import body_message, message_shape, shortened
from wimble.types import TargetId

CURVE_POINTS: Final = 20
"""[WB-JS] shows its curves at every 5 % of the budget (§4.3.2)."""


MAX_ANSWER_TEXT: Final = 200
"""Length of an answer's text in the report, in characters."""
MAX_MESSAGES: Final = 20
"""Different answers of an operation that are told apart."""


class _Refusals(msgspec.Struct):
    outcome_key: str
    message: str
    """What a GraphQL endpoint said; empty for other answers, and for those that are beyond MAX_MESSAGES."""
    count: int
    first: Observation


class _Counts(msgspec.Struct):
    """The calls of one operation."""

    n_calls: int = 0
    n_search_calls: int = 0
    outcome_keys: set[str] = msgspec.field(default_factory=set)
    has_succeeded: bool = False
    has_hung: bool = False
    refusals: dict[tuple[str, str], _Refusals] = msgspec.field(default_factory=dict)
    """(Outcome key, shape of the message) -> its answers, until the operation succeeds."""


_NO_CALLS: Final = _Counts()


class Statistics:
    """The counts of all workers of a run."""

    def __init__(self, boot_lines: Iterable[TargetId] = ()) -> None:
        """boot_lines: lines that ran while the SUT started."""
        self.n_evaluations = 0
        self.n_lines_covered = 0
        self._boot_lines = set(boot_lines)
        self.curve: list[CurvePoint] = []
        self._counts: dict[str, _Counts] = {}

    def note(self, evaluation: Evaluation, *, is_search: bool) -> None:
        """Counts an evaluation of any phase. is_search: it is one of the search."""
        self.n_evaluations += 1
        for call, observation in evaluation.sent_calls():
            counts = self._counts.get(call.operation.id)
            if counts is None:
                counts = self._counts[call.operation.id] = _Counts()
            counts.n_calls += 1
            counts.n_search_calls += is_search
            counts.has_hung = counts.has_hung or observation.outcome == "hung"
            if observation.is_answered:
                counts.outcome_keys.add(observation.outcome_key)
                if observation.outcome == "ok":
                    counts.has_succeeded = True
                    counts.refusals.clear()
            if counts.has_succeeded or observation.outcome == "not-run":
                continue
            _note_refusal(counts.refusals, call.operation, observation)

    def has_hung(self, operation: str) -> bool:
        """Whether a call of the operation was not answered in time."""
        return self._counts.get(operation, _NO_CALLS).has_hung

    def note_covered(self, targets: Iterable[TargetId], table: TargetTable) -> None:
        """Counts the lines among newly covered targets."""
        lines = [target for target in targets if table[target].kind == "line"]
        self.n_lines_covered += len(lines)
        self._boot_lines.difference_update(lines)

    @property
    def n_lines_run(self) -> int:
        """Number of lines that ran in calls or while the SUT started."""
        return self.n_lines_covered + len(self._boot_lines)

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
        return sum(counts.has_succeeded for counts in self._counts.values())

    def calls_of(self, operation: str) -> int:
        """Returns the number of calls of an operation in all phases."""
        return self._of(operation).n_calls

    def search_calls_of(self, operation: str) -> int:
        """Returns the number of calls of an operation that the search has sent."""
        return self._of(operation).n_search_calls

    def has_succeeded(self, operation: str) -> bool:
        return self._of(operation).has_succeeded

    def answers_without_success(self, operation: str) -> tuple[Answers, ...]:
        """Returns what an operation that has not succeeded answered, most frequent first."""
        refusals = sorted(self._of(operation).refusals.values(), key=lambda each: -each.count)
        return tuple(Answers(each.outcome_key, each.count, _text(each)) for each in refusals)

    def outcome_keys(self, operation: str) -> tuple[str, ...]:
        """Returns the outcome keys of an operation's answers, such as `200` and `404`, sorted."""
        return tuple(sorted(self._of(operation).outcome_keys))

    def _of(self, operation: str) -> _Counts:
        return self._counts.get(operation, _NO_CALLS)


def _note_refusal(refusals: dict[tuple[str, str], _Refusals], operation: Operation, observation: Observation) -> None:
    """Counts an answer. Those of GraphQL have one status for all, so that their messages tell them apart."""
    message = _graphql_message(operation, observation)
    outcome_key = observation.outcome_key
    key = (outcome_key, message_shape(message))
    if key not in refusals and len(refusals) >= MAX_MESSAGES:
        key, message = (outcome_key, ""), ""
    if (known := refusals.get(key)) is not None:
        known.count += 1
    else:
        refusals[key] = _Refusals(outcome_key, message, 1, observation)


def _graphql_message(operation: Operation, observation: Observation) -> str:
    is_graphql = isinstance(operation.binding, HttpBinding) and bool(operation.binding.graphql)
    response = response_of(observation) if is_graphql else None
    return "" if response is None else body_message(response)


def _text(refusals: _Refusals) -> str:
    text = refusals.message or refusals.first.exchange.text()
    return shortened(" ".join(text.split()), MAX_ANSWER_TEXT)
