"""`findings.json`: all facts about each fault, including its stack."""

from __future__ import annotations

from wimble.http.exchange import HttpExchange
from wimble.model.observation import Observation
from wimble.model.result import ReportedFinding, RunResult
from wimble.report.display_paths import shown_path
from wimble.report.summary_json import call_as_json, to_json_text
from wimble.types import Json

FORMAT = "wimble-findings"
FORMAT_VERSION = 1  # 1: first.


def findings_text(result: RunResult) -> str:
    return to_json_text(
        {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "wimble_version": result.version,
            "seed": result.seed,
            "findings": [_finding(reported, result) for reported in result.findings],
        }
    )


def _finding(reported: ReportedFinding, result: RunResult) -> dict[str, Json]:
    finding, test = reported.finding, reported.test
    cause = finding.cause
    return {
        "id": reported.id,
        "severity": reported.severity,
        "oracle": finding.oracle,
        "key": list(finding.key),
        "operation": finding.operation,
        "status": finding.status,
        "title": finding.title,
        "observed": finding.observed,
        "expected": finding.expected,
        "cause": {
            "file": shown_path(cause.file, result.working_dir),
            "line": cause.line,
            "message": cause.message,
            "stack": cause.stack,
            "statement": shown_path(cause.statement, result.working_dir),
            "thrown_at": shown_path(cause.thrown_at, result.working_dir),
        },
        "test": None if test is None else {"file": test.file, "name": test.name},
        "note": reported.note,
        "curl": list(reported.curl),
        "call_index": finding.call_index,
        "calls": [
            {
                **call_as_json(observation),
                "response_headers": _response_headers(observation),
            }
            for observation in reported.observations
        ],
        "found_after_calls": reported.found_after_calls,
        "found_after_s": round(reported.found_after_s, 3),
        "times_seen": reported.times_seen,
    }


def _response_headers(observation: Observation) -> list[Json]:
    if not isinstance(observation.exchange, HttpExchange):
        return []
    response = observation.exchange.response
    return [] if response is None else [list(header) for header in response.headers]
