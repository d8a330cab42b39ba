"""`summary.json`: the numbers and findings of a run, for use by programs.

Documented in docs/reference/summary.md and defined by summary.schema.json.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from wimble.http.curl_credentials import shown_request
from wimble.http.exchange import failure_of, request_of, response_of
from wimble.library.invocation import FunctionExchange
from wimble.model.comparison import Comparison
from wimble.model.observation import Observation
from wimble.model.result import ReportedFinding, RunResult
from wimble.report.display_paths import shown_bytes, shown_path, shown_site
from wimble.types import ABSENT, Json

FORMAT = "wimble-summary"
FORMAT_VERSION = 1  # 1: first.


def summary_text(result: RunResult) -> str:
    return to_json_text(summary_of(result))


def to_json_text(value: Json) -> str:
    """Returns indented JSON with a final newline. Lone surrogates, which JSON text cannot contain, become `?`."""
    try:
        encoded = msgspec.json.encode(value)
    except UnicodeEncodeError:
        encoded = msgspec.json.encode(without_surrogates(value))
    return msgspec.json.format(encoded, indent=2).decode() + "\n"


def without_surrogates(value: object) -> object:
    """Returns the value with `?` for each lone surrogate, which a SUT's strings may contain but JSON text may not."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        # Keys of JSON are strings, so keys that are indexes of targets become strings.
        return {str(without_surrogates(key)): without_surrogates(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_surrogates(item) for item in value]
    return value


def _counted(counts: Mapping[str, int]) -> list[Json]:
    return [{"answer": answer, "questions": count} for answer, count in counts.items()]


def summary_of(result: RunResult) -> dict[str, Json]:
    """Returns the fields of `summary.json`, in their order."""
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "wimble_version": result.version,
        "seed": result.seed,
        "command": list(result.command),
        "library": result.library,
        "url": result.url,
        "schema": result.schema,
        "stopped_by": result.stopped_by,
        "seconds": round(result.seconds, 3),
        "calls": result.calls,
        "evaluations": result.evaluations,
        "calls_per_s": round(result.calls_per_s, 1),
        "needed_budget": round(result.needed_budget, 4),
        "solver": _solver(result),
        "curve": [{**msgspec.structs.asdict(point), "seconds": round(point.seconds, 3)} for point in result.curve],
        "operations": {"total": result.operations_total, "reached_2xx": result.operations_ok},
        "calls_per_operation": [
            {"operation": name, "calls": result.operation_calls.get(name, 0), "outcomes": list(outcomes)}
            for name, outcomes in result.operation_outcomes.items()
        ],
        "never_succeeded": _never_succeeded(result),
        "targets": {
            "covered": result.targets_covered,
            "reached": result.targets_reached,
            "total": result.targets_total,
        },
        "lines": {"covered": result.lines_covered, "total": result.lines_total, "boot": result.lines_boot},
        "branches": {"covered": result.branches_covered, "total": result.branches_total},
        "functions": {"covered": result.functions_covered, "total": result.functions_total},
        "findings_before_grouping": result.n_before_grouping,
        "findings": [_finding(reported, result) for reported in result.findings],
        "tests": [{"file": test.file, "name": test.name, "calls": test.calls} for test in result.tests],
        "suite": {"format": result.test_format, "reason": result.format_reason, "needs": list(result.needs)},
        "schedules": _schedules(result),
        "external_services": [
            msgspec.structs.asdict(service) | {"sites": [shown_site(site, result) for site in service.sites]}
            for service in result.services
        ],
        "comparison": comparison_as_json(result.comparison),
        "routes": _routes(result),
        "warnings": list(result.warnings),
    }


def _solver(result: RunResult) -> dict[str, Json]:
    return {
        **msgspec.to_builtins(result.solver),
        "answers": _counted(result.solver.answers),
        "missed": _counted(result.solver.missed),
    }


def _never_succeeded(result: RunResult) -> list[Json]:
    return [
        {
            "operation": one.operation,
            "calls": one.calls,
            "answers": [msgspec.structs.asdict(answers) for answers in one.answers],
            "reason": one.reason,
        }
        for one in result.never_succeeded
    ]


def _schedules(result: RunResult) -> list[Json]:
    return [
        {
            "kind": schedule.kind,
            "file": shown_path(schedule.file, result.working_dir),
            "line": schedule.line,
            "period_ms": schedule.period_ms,
            "expression": schedule.expression,
        }
        for schedule in result.schedules
    ]


def _routes(result: RunResult) -> dict[str, Json]:
    return {
        "undocumented": [
            {"operation": one.operation, "file": shown_path(one.file, result.working_dir), "line": one.line}
            for one in result.routes.undocumented
        ],
        "unserved": list(result.routes.unserved),
        "left_out": [
            {
                "path": one.path,
                "reason": one.reason,
                "file": shown_path(one.file, result.working_dir),
                "line": one.line,
            }
            for one in result.routes.left_out
        ],
    }


def comparison_as_json(comparison: Comparison | None) -> Json:
    if comparison is None:
        return None
    return {
        "undocumented": [msgspec.structs.asdict(difference) for difference in comparison.undocumented],
        "unseen": [msgspec.structs.asdict(difference) for difference in comparison.unseen],
    }


def _finding(reported: ReportedFinding, result: RunResult) -> dict[str, Json]:
    finding = reported.finding
    cause = finding.cause
    test = reported.test
    return {
        "id": reported.id,
        "severity": reported.severity,
        "oracle": finding.oracle,
        "operation": finding.operation,
        "status": finding.status,
        "title": finding.title,
        "cause": {
            "file": shown_path(cause.file, result.working_dir),
            "line": cause.line,
            "message": cause.message,
        },
        "test": None if test is None else {"file": test.file, "name": test.name},
        "curl": "\n".join(reported.curl),
        "calls": [call_as_json(observation) for observation in reported.observations],
    }


def call_as_json(observation: Observation) -> dict[str, Json]:
    """Returns a request with its answer or failure; bodies are texts. Of a library, a call with its result."""
    if isinstance(observation.exchange, FunctionExchange):
        return function_call_as_json(observation.exchange)
    request, response = shown_request(request_of(observation)), response_of(observation)
    return {
        "method": request.method,
        "path": request.target,
        "headers": [list(header) for header in request.headers],
        "body": shown_bytes(request.body),
        "status": None if response is None else response.status,
        "response_body": None if response is None else shown_bytes(response.body),
        "failure": failure_of(observation),
    }


def function_call_as_json(exchange: FunctionExchange) -> dict[str, Json]:
    """Returns a call of a library with what came of it; values as in protocol/README.md, "Values of calls"."""
    invocation, thrown = exchange.invocation, exchange.thrown
    return {
        "function": invocation.operation,
        "arguments": list(invocation.arguments),
        "receiver": None if invocation.receiver is None else list(invocation.receiver),
        "steps": [{"method": one.method, "arguments": list(one.arguments)} for one in invocation.steps],
        "returned": None if exchange.returned is ABSENT else exchange.returned,
        "thrown": None if thrown is None else {"name": thrown.name, "message": thrown.message},
        "failure": exchange.failure,
    }
