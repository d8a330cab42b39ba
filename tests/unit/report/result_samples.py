"""Results of runs, built by hand."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.comparison import Comparison, Difference
from wimble.model.evaluation import Finding, Schedule
from wimble.model.explain_data import ExplainData, ExplainedFile, ExplainedTest, Knowledge, Operands, TargetRow, Tried
from wimble.model.external import CalledService
from wimble.model.observation import Cause, Observation
from wimble.model.result import (
    Answers,
    BranchCoverage,
    CurvePoint,
    FileCoverage,
    FunctionCoverage,
    NeverSucceeded,
    ReportedFinding,
    ReportedTest,
    RunResult,
)
from wimble.model.routes import LeftOutRoute, RegisteredOperation, RouteFindings
from wimble.model.solver_report import SolverCounts
from wimble.model.structure import FunctionBody, Region

SOURCE = """\
'use strict';
const coupons = require('./coupons');

function total(order, stock) {
  let sum = 0;
  for (const item of order.items) {
    const book = stock.get(item.book);
    if (book.price < 0) throw new Error('negative price');
    sum += book.price * item.quantity;
  }
  if (order.coupon) {
    const coupon = coupons.find((candidate) => candidate.code === order.coupon);
    sum -= (sum * coupon.percent) / 100;
  }
  return sum > 100 && order.gift ? sum - 5 : sum;
}

module.exports = { total };
"""
ACCEPT = (("Accept", "*/*"), ("Content-Type", "application/json"))


def project(folder: Path) -> Path:
    """A project with one source file; answers the path of that file."""
    (folder / "src").mkdir(parents=True, exist_ok=True)
    file = folder / "src" / "orders.js"
    file.write_text(SOURCE)
    return file


def exchange(index: int, method: str, target: str, value: object, *, status: int, answer: object) -> Observation:
    body = None if value is None else json.dumps(value, separators=(",", ":")).encode()
    response = HttpResponse(
        status,
        (("content-type", "application/json; charset=utf-8"), ("x-powered-by", "Express")),
        json.dumps(answer, separators=(",", ":")).encode(),
    )
    return http_observation(call_index=index, request=HttpRequest(method, target, ACCEPT, body), response=response)


def sample_findings(file: Path) -> tuple[ReportedFinding, ...]:
    coupon = exchange(
        1,
        "POST",
        "/orders",
        {"items": [{"book": 1, "quantity": 1}], "coupon": "X"},
        status=500,
        answer={"error": "Internal Server Error"},
    )
    created = exchange(
        0, "POST", "/books", {"title": "Emma", "price": 12.5}, status=201, answer={"id": 1, "title": "Emma"}
    )
    stack = f"TypeError: Cannot read properties of undefined (reading 'percent')\n    at total ({file}:13:27)\n    at handle (node:internal:1:1)"
    test = ReportedTest("tests/faults.test.mjs", "POST /orders with unknown coupon answers 500 after POST /books", 2)
    return (
        ReportedFinding(
            id="F1",
            finding=Finding(
                oracle="server-error",
                key=("server-error", "src/orders.js:13"),
                operation="POST /orders",
                status=500,
                title="POST /orders answers 500: TypeError: Cannot read properties of undefined (reading 'percent')",
                observed="status 500",
                expected="a status below 500: whatever the input, a server must not fail",
                cause=Cause(
                    file=str(file),
                    line=13,
                    message="TypeError: Cannot read properties of undefined (reading 'percent')",
                    stack=stack,
                    statement=f"{file}:13",
                ),
                call_index=1,
            ),
            observations=(created, coupon),
            curl=(
                "curl -sS -i -H 'Accept: */*' http://127.0.0.1:3000/books --data-raw '{\"title\":\"Emma\"}'",
                "curl -sS -i -H 'Accept: */*' http://127.0.0.1:3000/orders --data-raw '{\"coupon\":\"X\"}'",
            ),
            test=test,
            found_after_calls=412,
            found_after_s=1.4,
            times_seen=1288,
        ),
        ReportedFinding(
            id="F2",
            severity="answer",
            finding=Finding(
                oracle="response-schema",
                key=("response-schema", "GET /books/{id}", "/price"),
                operation="GET /books/{id}",
                status=200,
                title="GET /books/{id} answers 200 with a body that breaks its schema: /price is not a number",
                observed='"free" is not of type "number"',
                expected="what the document declares for status 200",
                cause=Cause(),
                call_index=0,
            ),
            observations=(exchange(0, "GET", "/books/1", None, status=200, answer={"id": 1, "price": "free"}),),
            curl=("curl -sS -i -H 'Accept: */*' http://127.0.0.1:3000/books/1",),
            note="the second verification run answered 404",
            found_after_calls=9120,
            times_seen=1,
        ),
    )


def sample_explain_data(folder: Path, *, is_empty: bool = False) -> ExplainData:
    """What a search of `SOURCE` may have known, laid out as the agent's table is."""
    explain_data = ExplainData(
        wimble_version="0.1.0",
        command=("node", "server.js"),
        working_dir=str(folder),
        seed=42,
        stopped_by="time",
        seconds=60.02,
        calls=81234,
        evaluations=23456,
    )
    if is_empty:
        return explain_data
    price = Operands(operator="less", left=12.5, right=0)
    coupon = Operands(
        operator="identical",
        left="SUMMER",
        right="rbjdt",
        right_inputs=("body coupon (the same)", "body note (a part of it)"),
    )
    tried = Tried(
        samplings=31,
        evaluations=120,
        edits=(("=== true: the same, 'SUMMER'", 12), ("=== true: a part of it, 'SUMMER'", 3)),
        other_edits=2,
        mutations={"structure": 40, "values": 63},
        last_improvement=19,
    )
    order = "curl -sS -i http://127.0.0.1:3000/orders -H 'Accept: */*' --data-raw '{\"coupon\":\"rbjdt\"}'"
    rows = (
        TargetRow("file", 0, 0, "", 1.0, 1.0),
        TargetRow("line", 7, 0, "", 1.0, 0.0, 0),
        TargetRow("statement", 7, 4, "", 1.0, 0.0, 0),
        TargetRow("branch", 8, 19, "< true", 0.51),
        TargetRow("branch", 8, 19, "< false", 1.0, 0.0, 1),
        TargetRow("statement", 8, 24, ""),
        TargetRow("branch", 11, 6, "if true", 0.3),
        TargetRow("branch", 11, 6, "if false", 1.0, 0.0),
        TargetRow("statement", 12, 4, ""),
        TargetRow("statement", 13, 4, ""),
        TargetRow("branch", 12, 66, "=== true", 0.0),
        TargetRow("statement", 15, 2, "", 0.5),
        TargetRow("branch", 15, 19, "&& true"),
        TargetRow("branch", 20, 4, "if true", 0.0, 0.5),
        TargetRow("statement", 20, 16, "", 0.0),
        TargetRow("statement", 21, 16, "", 0.0),
        TargetRow("branch", 21, 16, "!== true", 0.0),
    )
    file = ExplainedFile(
        path=str(folder / "src" / "orders.js"),
        targets=rows,
        known={
            3: Knowledge(
                operation="POST /orders", curl=(order,), test_case=0, best=(price,), latest=(price,), tried=tried
            ),
            6: Knowledge(operation="POST /orders", curl=(order,), best=(coupon,), latest=(price,), tried=tried),
        },
        regions=(
            Region(3, 8, 24, 8, 58),
            Region(6, 11, 19, 14, 3),
            Region(13, 20, 14, 20, 30),
        ),
        functions=(
            FunctionBody("total", 4, 29, 16, 1),
            FunctionBody("", 12, 34, 12, 76),
            FunctionBody("refund", 21, 12, 22, 1),
        ),
    )
    own = ExplainedFile(path="", targets=(TargetRow("status", 0, 0, "POST /orders success", 0.1),))
    tests = (
        ExplainedTest("tests/successes.test.mjs", "POST /books answers 201"),
        ExplainedTest("tests/others.test.mjs", "POST /orders answers 400"),
    )
    test_case = {
        "version": 1,
        "setup": [],
        "calls": [{"operation": "POST /orders", "inputs": {"body": {"type": "any", "value": {"coupon": "rbjdt"}}}}],
    }
    return msgspec.structs.replace(explain_data, tests=tests, test_cases=(test_case,), files=(file, own))


def sample_result(folder: Path) -> RunResult:
    file = project(folder)
    findings = sample_findings(file)
    assert findings[0].test is not None
    return RunResult(
        version="0.1.0",
        seed=42,
        command=("node", "server.js"),
        url="http://127.0.0.1:3000",
        schema="http://127.0.0.1:3000/openapi.json",
        stopped_by="time",
        seconds=60.02,
        calls=81234,
        evaluations=23456,
        calls_per_s=1353.4,
        needed_budget=0.732,
        solver=SolverCounts(1, 40, 5, {"characters": 12, "too hard": 3}, {"sequences: too hard": 3}),
        curve=(CurvePoint(0.05, 4062, 3.001, 120, 80, 1), CurvePoint(0.1, 8123, 6.0004, 131, 84, 2)),
        operations_total=4,
        operations_ok=3,
        operation_outcomes={
            "POST /books": ("201", "400", "422"),
            "GET /books/{id}": ("200", "304", "404"),
            "POST /orders": ("201", "400", "500"),
            "DELETE /orders/{id}": (),
        },
        operation_calls={
            "POST /books": 41_000,
            "GET /books/{id}": 20_000,
            "POST /orders": 20_230,
            "DELETE /orders/{id}": 6,
        },
        never_succeeded=(
            NeverSucceeded(
                "DELETE /orders/{id}",
                6,
                (
                    Answers("404", 3, '{"error":"no such order"}'),
                    Answers("400", 2, '{"error":"reason is missing"}'),
                    Answers("timeout", 1, ""),
                ),
                "no value of id was found that exists",
            ),
        ),
        n_before_grouping=5,
        targets_covered=181,
        targets_reached=201,
        targets_total=260,
        lines_covered=9,
        lines_boot=3,
        lines_total=13,
        branches_covered=7,
        branches_total=10,
        functions_covered=2,
        functions_total=4,
        findings=findings,
        tests=(
            findings[0].test,
            ReportedTest("tests/successes.test.mjs", "POST /books answers 201", 1),
            ReportedTest("tests/successes.test.mjs", "GET /books/{id} answers 200 after POST /books", 2),
            ReportedTest("tests/others.test.mjs", "POST /orders answers 400", 1),
        ),
        routes=RouteFindings(
            undocumented=(RegisteredOperation("GET /secret", str(folder / "src" / "app.js"), 12),),
            unserved=("DELETE /orders/{id}",),
            left_out=(LeftOutRoute("/public", "static files", str(folder / "src" / "app.js"), 3),),
        ),
        services=(
            CalledService(
                origin="https://api.payments.example",
                requests=("POST /v1/charges",),
                operations=("POST /orders",),
                sites=(f"{folder / 'src' / 'payments.js'}:12",),
                clients=("axios",),
                replies=("200", "503"),
            ),
        ),
        schedules=(
            Schedule(kind="interval", file=str(folder / "src" / "cache.js"), line=4, period_ms=60_000, expression=""),
            Schedule(kind="cron", file=str(folder / "jobs.js"), line=12, period_ms=None, expression="0 3 * * *"),
        ),
        warnings=("openapi.json: paths./orders.post: `example` breaks its schema; ignored",),
        files=(
            FileCoverage(
                path=str(file),
                lines={
                    1: "boot",
                    2: "boot",
                    4: "covered",
                    5: "covered",
                    6: "covered",
                    7: "covered",
                    8: "covered",
                    9: "covered",
                    11: "covered",
                    12: "covered",
                    13: "covered",
                    15: "uncovered",
                    18: "boot",
                },
                branches=(
                    BranchCoverage(8, 8, "< true", False, 0.51),
                    BranchCoverage(8, 8, "< false", True, 1.0),
                    BranchCoverage(12, 54, "=== true", False, 0.0),
                    BranchCoverage(12, 54, "=== false", True, 1.0),
                ),
                functions=(
                    FunctionCoverage(4, "total", 1.0),
                    FunctionCoverage(6, "", 1.0),
                    FunctionCoverage(11, "createOrder", 0.5),
                    FunctionCoverage(15, "get sum", 0.0),
                ),
            ),
            FileCoverage(path=str(folder / "src" / "gone.js"), lines={1: "boot"}),
        ),
        explain_data=sample_explain_data(folder),
        document={"openapi": "3.1.0", "info": {"title": "Shop", "version": "0.0.0"}, "paths": {}},
        comparison=Comparison(
            undocumented=(
                Difference(operation="GET /books/{id}", kind="answer member", detail="200 $.author.born"),
                Difference(operation="GET /books/{id}", kind="status", detail="304"),
                Difference(operation="GET /health", kind="operation"),
                Difference(operation="POST /books", kind="status", detail="409"),
            ),
            unseen=(Difference(operation="POST /books", kind="media type", detail="201 text/csv"),),
        ),
        working_dir=str(folder),
        log_file="sut.log",
    )


def empty_result(folder: Path) -> RunResult:
    """A black-box run that was interrupted before anything happened."""
    return RunResult(
        version="0.1.0", seed=1, command=(), url="http://127.0.0.1:9", schema="", stopped_by="interrupt", seconds=0.0,
        calls=0, evaluations=0, calls_per_s=0.0, needed_budget=0.0, operations_total=0, operations_ok=0,
        operation_outcomes={}, targets_covered=0, targets_reached=0, targets_total=0, lines_covered=0, lines_boot=0,
        lines_total=0, branches_covered=0, branches_total=0, findings=(), tests=(), warnings=(), files=(),
        explain_data=sample_explain_data(folder, is_empty=True),
    )  # fmt: skip


def with_first_finding(result: RunResult, **changes: object) -> RunResult:
    """Returns the result with changes of the verdict of its first finding."""
    first, *others = result.findings
    first = msgspec.structs.replace(first, finding=msgspec.structs.replace(first.finding, **changes))
    return msgspec.structs.replace(result, findings=(first, *others))
