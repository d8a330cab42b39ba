"""Targets that need no agent: each status of each operation, success of each operation, each fault, each declared limit of answers.

All that a black-box search has; in a white-box search they make sure that the suite shows each answer once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import msgspec

from wimble.model.evaluation import CompareHint, Evaluation, Finding, Reached, keep_nearest
from wimble.model.http import graphql_errors
from wimble.model.targets import Target, TargetTable
from wimble.types import TargetId

REFUSED_H, FAILED_H = 0.1, 0.5
NO_LIMITS: Mapping[str, Reached] = MappingProxyType({})


def success_h(status: int) -> float:
    """h of an operation's success target, as in the JVM tool: a server error got further into the code than a refusal."""
    if 200 <= status < 300:
        return 1.0
    return REFUSED_H if 400 <= status < 500 else FAILED_H


def with_core_targets(
    evaluation: Evaluation, findings: Sequence[Finding], table: TargetTable, limits: Mapping[str, Reached] = NO_LIMITS
) -> Evaluation:
    """Adds the core's targets to `evaluation.reached`, in place, and answers the evaluation.

    limits: how near its answers came to the limits that the document declares of them, by the limit's name.
    """
    for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
        if observation.response is not None:
            operation, status = call.operation.id, observation.response.status
            _reach(evaluation, table, f"{operation} {status}", 1.0, observation.call_index)
            h = success_h(status)
            if call.operation.graphql and h == 1.0 and (errors := graphql_errors(observation.response)):
                h = REFUSED_H if all("path" not in error for error in errors) else FAILED_H
                _reach(evaluation, table, f"{operation} errors", 1.0, observation.call_index)
            _reach_success(evaluation, table, operation, h, observation.call_index)
    for finding in findings:
        target = table.register(Target("fault", "", 0, 0, " | ".join(finding.key)))
        evaluation.reached.setdefault(target, Reached(1.0, finding.call_index))
    for name, nearest in limits.items():
        evaluation.reached[table.register(Target("limit", "", 0, 0, name))] = nearest
    return evaluation


def _reach_success(evaluation: Evaluation, table: TargetTable, operation: str, h: float, call: int) -> None:
    """What a library found wrong with the call's document stands between the operation and its success, wherever it was found: often in a
    function that checks the documents of all operations, whose own targets are covered long since."""
    wrong = [
        hint
        for hint in evaluation.hints
        if h < 1.0 and isinstance(hint, CompareHint) and hint.is_about_member and hint.call == call
    ]
    n_members = len({hint.name for hint in wrong})
    target = _reach(evaluation, table, f"{operation} success", h / (1 + n_members), call)
    evaluation.hints += tuple(msgspec.structs.replace(hint, target=target) for hint in wrong)


def _reach(evaluation: Evaluation, table: TargetTable, detail: str, h: float, call: int) -> TargetId:
    target = table.register(Target("status", "", 0, 0, detail))
    keep_nearest(evaluation.reached, target, h, call)
    return target
