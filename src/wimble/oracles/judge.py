"""Runs the table of oracles on an evaluation, and keeps one finding per fault."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wimble.http.exchange import response_of
from wimble.model.evaluation import Evaluation, Finding, Reached, keep_nearest
from wimble.model.external import ExternalRequest, Unmockable
from wimble.model.observation import Outcome
from wimble.model.operation import Operation
from wimble.model.targets import OPEN_H
from wimble.oracles.databases import left_behind, not_found, stale_answer
from wimble.oracles.databases.written_columns import WrittenColumns
from wimble.oracles.documents import content_type, response_schema, response_status, unwritten_numbers
from wimble.oracles.documents.answer_shapes import AnswerShapes
from wimble.oracles.documents.contracts import Contracts
from wimble.oracles.documents.input_limits import InputLimits
from wimble.oracles.failures import crashes, graphql_errors, missing_await, no_answer, server_error, upstream
from wimble.oracles.failures.answered_promises import AnsweredPromises
from wimble.oracles.messages.message_templates import MessageTemplates
from wimble.oracles.mistakes import with_mistake
from wimble.oracles.oracle import CallOracle, CallView, Oracle
from wimble.oracles.security import code_injection, injection, others_resources, password_hashes, request_forgery
from wimble.types import OperationId

ORACLES: tuple[Oracle, ...] = (
    crashes.PROCESS_DIED,
    injection.SQL_ORACLE,
    injection.NOSQL_ORACLE,
    code_injection.ORACLE,
    request_forgery.ORACLE,
    upstream.FAILURE_ORACLE,
    server_error.ORACLE,
    upstream.LEAK_ORACLE,
    upstream.INTERNALS_ORACLE,
    password_hashes.ORACLE,
    graphql_errors.ORACLE,
    crashes.UNHANDLED_ERROR,
    no_answer.BLOCKED,
    no_answer.NO_ANSWER,
    no_answer.CONNECTION_LOST,
    no_answer.MALFORMED,
    others_resources.ORACLE,
    left_behind.ORACLE,
    not_found.ORACLE,
    missing_await.ORACLE,
    response_status.ORACLE,
    content_type.ORACLE,
    response_schema.ORACLE,
    unwritten_numbers.ORACLE,
    stale_answer.ORACLE,
)
"""Each oracle comes after the oracles that it yields to."""


class Judge:
    """The oracles, with caches of compiled schemas and of known messages. One instance per run; it may be shared."""

    def __init__(self, table: Sequence[Oracle] = ORACLES, *, operations: Sequence[Operation] = ()) -> None:
        """operations: those that the API describes, whose inputs tell which rows it writes itself."""
        self._table = tuple(table)
        self._contracts = Contracts(InputLimits(operations))
        self._templates = MessageTemplates()
        self._shapes = AnswerShapes()
        self._by_outcome: dict[tuple[Outcome, bool], tuple[tuple[Oracle, CallOracle], ...]] = {}
        """Oracles by the outcome of a call, and by whether its evaluation has interactions."""
        self.callers: set[OperationId] = set()
        """The operations that have called a service."""
        self.written = WrittenColumns()
        self.promises = AnsweredPromises()

    def __call__(self, evaluation: Evaluation) -> list[Finding]:
        """Returns findings with distinct keys, in the order of the table."""
        found: list[tuple[Oracle, Finding]] = []
        if evaluation.crashes:
            for oracle in self._table:
                if oracle.judge_evaluation is not None:
                    crashes_found = oracle.judge_evaluation(evaluation)
                    found += [(oracle, self._templates.unified(finding, evaluation)) for finding in crashes_found]
        has_interactions = bool(evaluation.interactions)
        if has_interactions:
            self.written.note(evaluation)
        for view in self._views(evaluation):
            for oracle, judge_call in self._oracles_for(view.observation.outcome, has_interactions):
                for finding in judge_call(view):
                    if finding.oracle in (server_error.NAME, graphql_errors.NAME):
                        finding = self._templates.unified(finding, evaluation)
                    found.append((oracle, with_mistake(finding, view.observation)))
        return _one_per_fault(found) if found else []

    def _oracles_for(self, outcome: Outcome, has_interactions: bool) -> tuple[tuple[Oracle, CallOracle], ...]:
        key = (outcome, has_interactions)
        found = self._by_outcome.get(key)
        if found is None:
            found = self._by_outcome[key] = tuple(
                (oracle, oracle.judge_call)
                for oracle in self._table
                if oracle.judge_call is not None and oracle.judges(outcome, has_interactions=has_interactions)
            )
        return found

    def limits(self, evaluation: Evaluation) -> dict[str, Reached]:
        """Returns name of a declared limit -> how near the answers of the evaluation came to it."""
        nearest: dict[str, Reached] = {}
        for view in self._views(evaluation):
            for limit, h in response_schema.nearness(view):
                keep_nearest(nearest, limit, h, view.observation.call_index)
        return nearest

    def shapes(self, evaluation: Evaluation) -> dict[str, Reached]:
        """Returns name of a shape -> the first call whose answer has the shape."""
        first: dict[str, Reached] = {}
        for view in self._views(evaluation):
            if (response := response_of(view.observation)) is not None:
                for shape in self._shapes.of(view.operation, view.observation):
                    name = f"{view.operation.id} {response.status} {shape}"
                    first.setdefault(name, Reached(1.0, view.observation.call_index))
        return first

    def parts(self, evaluation: Evaluation) -> dict[str, Reached]:
        """Returns name of a declared part -> h 1 if an answer shows it, OPEN_H if an answer could have shown it."""
        found: dict[str, Reached] = {}
        for view in self._views(evaluation):
            for name, is_shown in response_schema.parts(view).items():
                keep_nearest(found, name, 1.0 if is_shown else OPEN_H, view.observation.call_index)
        return found

    def _views(self, evaluation: Evaluation) -> Iterator[CallView]:
        calls = evaluation.test_case.calls
        for one in evaluation.interactions:
            if isinstance(one, ExternalRequest) or (isinstance(one, Unmockable) and one.kind != "native"):
                self.callers.add(calls[one.call].operation.id)
        for observation in evaluation.observations:
            operation = calls[observation.call_index].operation
            yield CallView(
                operation,
                observation,
                evaluation,
                self._contracts,
                self.promises,
                operation.id in self.callers,
                self.written,
            )

    def take_warnings(self) -> list[str]:
        """Returns the warnings since the last call of this method: schemas that cannot be used."""
        return self._contracts.take_warnings()


def _one_per_fault(found: list[tuple[Oracle, Finding]]) -> list[Finding]:
    seen_on_call = {(finding.oracle, finding.call_index) for _, finding in found}
    kept: dict[tuple[str, ...], Finding] = {}
    for oracle, finding in found:
        if any((name, finding.call_index) in seen_on_call for name in oracle.yields_to):
            continue
        kept.setdefault(finding.key, finding)
    return list(kept.values())
