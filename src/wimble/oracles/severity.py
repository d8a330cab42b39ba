"""How severe a finding is: the order of the report, and which findings are about the API description."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

import msgspec

from wimble.http.binding import binding_of
from wimble.model.evaluation import Finding
from wimble.model.operation import Operation
from wimble.model.result import SEVERITIES, ReportedFinding, Severity
from wimble.oracles.databases import at_once, left_behind, not_found, stale_answer
from wimble.oracles.documents import content_type, response_schema, response_status, unwritten_numbers
from wimble.oracles.failures import crashes, graphql_errors, missing_await, no_answer, server_error, upstream
from wimble.oracles.libraries import library_faults
from wimble.oracles.security import code_injection, injection, others_resources, password_hashes, request_forgery

BY_ORACLE: Final[dict[str, Severity]] = {
    crashes.DIED: "process",
    injection.SQL: "injection",
    injection.NOSQL: "injection",
    code_injection.NAME: "injection",
    request_forgery.NAME: "injection",
    server_error.NAME: "error",
    upstream.FAILURE: "error",
    upstream.LEAK: "error",
    upstream.INTERNALS: "error",
    password_hashes.NAME: "error",
    graphql_errors.NAME: "error",
    crashes.UNHANDLED: "error",
    **{oracle.name: "error" for oracle in no_answer.ORACLES},
    others_resources.NAME: "data",
    left_behind.NAME: "data",
    at_once.NAME: "data",
    library_faults.POLLUTION: "injection",
    library_faults.EXCEPTION: "error",
    library_faults.HANGS: "error",
    library_faults.GROWTH: "error",
    library_faults.MEMORY: "error",
    library_faults.ROUND_TRIP: "answer",
    library_faults.CALLED_TWICE: "answer",
    stale_answer.NAME: "answer",
    missing_await.NAME: "answer",
    unwritten_numbers.NAME: "answer",
    not_found.NAME: "answer",
    response_status.NAME: "answer",
    content_type.NAME: "answer",
    response_schema.NAME: "answer",
}
"""The severity of an oracle's findings, if they are about the program."""


def severity_of(finding: Finding, operation: Operation | None, outcome_keys: Collection[str]) -> Severity:
    """Returns the severity of a finding.

    operation: that of the finding, if it belongs to one. outcome_keys: of all its answers in the run.
    """
    if finding.is_about_document:
        return "document"
    if finding.oracle == response_status.NAME and operation is not None and not _has_kept_to(operation, outcome_keys):
        return "document"
    return BY_ORACLE[finding.oracle]


def numbered_by_severity(
    findings: Sequence[ReportedFinding], severity: Callable[[Finding], Severity]
) -> tuple[ReportedFinding, ...]:
    """Returns the findings with severities and ids: most severe first, and otherwise in the given order."""
    rated = [msgspec.structs.replace(reported, severity=severity(reported.finding)) for reported in findings]
    ordered = sorted(rated, key=lambda reported: SEVERITIES.index(reported.severity))
    return tuple(msgspec.structs.replace(reported, id=f"F{number}") for number, reported in enumerate(ordered, start=1))


def _has_kept_to(operation: Operation, outcome_keys: Collection[str]) -> bool:
    """Whether any answer had a status that the document declares for success."""
    declared = {spec.status for spec in binding_of(operation).responses if spec.status.startswith("2")}
    return any(key in declared or ("2XX" in declared and key.startswith("2")) for key in outcome_keys)
