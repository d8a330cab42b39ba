"""Targets that need no agent: outcomes and success of each operation, faults, and declared limits of responses.

A black-box search has these, and shapes and declared parts. In a white-box search they make sure that the suite shows
each response once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import msgspec

from wimble.model.evaluation import Additions, Evaluation, Finding, Reached, keep_nearest
from wimble.model.hints import SchemaHint
from wimble.model.observation import Outcome
from wimble.model.targets import Target, TargetTable
from wimble.types import TargetId

REFUSED_H, FAILED_H = 0.1, 0.5
NO_LIMITS: Mapping[str, Reached] = MappingProxyType({})


def success_h(outcome: Outcome) -> float:
    """Returns h of an operation's success target, as in [EvoMaster].

    A failure counts more than a refusal, since it got further into the code.
    """
    if outcome == "ok":
        return 1.0
    return REFUSED_H if outcome == "refused" else FAILED_H


def core_targets(
    evaluation: Evaluation, findings: Sequence[Finding], table: TargetTable, limits: Mapping[str, Reached] = NO_LIMITS
) -> Additions:
    """Returns the core's targets that an evaluation reached, and hints for the success targets.

    limits: how near its responses came to the limits that the document declares for them, by the limit's name.
    """
    reached: dict[TargetId, Reached] = {}
    hints: list[SchemaHint] = []

    def reach(operation: str, outcome: str, h: float, call: int) -> TargetId:
        target = table.register_outcome(operation, outcome)
        keep_nearest(reached, target, h, call)
        return target

    for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
        if not observation.is_answered:
            continue
        operation, index = call.operation.id, observation.call_index
        for key in observation.outcome_keys:
            reach(operation, key, 1.0, index)
        h = success_h(observation.outcome)
        violations = _violations(evaluation, index) if h < 1.0 else ()
        target = reach(operation, "success", h / (1 + len({hint.path for hint in violations})), index)
        hints += [msgspec.structs.replace(hint, target=target) for hint in violations]
    for finding in findings:
        target = table.register(Target("fault", "", 0, 0, " | ".join(finding.key)))
        reached.setdefault(target, Reached(1.0, finding.call_index))
    for name, nearest in limits.items():
        reached[table.register(Target("limit", "", 0, 0, name))] = nearest
    return Additions(reached=reached, hints=hints)


def _violations(evaluation: Evaluation, call: int) -> Sequence[SchemaHint]:
    """Returns what a schema library found wrong with the document of a call.

    Each violation lowers h of the operation's success target, and its hint is added to that target: the function that
    checks documents often serves all operations, so its own targets are covered early.
    """
    return [hint for hint in evaluation.hints if isinstance(hint, SchemaHint) and hint.call == call]
