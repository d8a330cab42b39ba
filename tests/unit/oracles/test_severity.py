"""The order of findings, and which of them are about the document."""

from __future__ import annotations

import pytest

from wimble.model.evaluation import Finding
from wimble.model.observation import Cause
from wimble.model.result import SEVERITIES, ReportedFinding
from wimble.oracles import ORACLES
from wimble.oracles.databases import at_once
from wimble.oracles.libraries import library_faults
from wimble.oracles.libraries.library_table import LIBRARY_ORACLES
from wimble.oracles.severity import BY_ORACLE, numbered_by_severity, severity_of

ROW = {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}, "id": {}}}
JSON = {"application/json": ROW}


def finding(oracle: str, key: str = "") -> ReportedFinding:
    made = Finding(
        oracle=oracle, key=(oracle, key), operation="GET /a", status=200, title="t", observed="", expected="",
        cause=Cause(), call_index=0,
    )  # fmt: skip
    return ReportedFinding(id="F0", finding=made, observations=(), curl=())


def test_each_oracle_has_a_severity():
    of_calls = {oracle.name for oracle in (*ORACLES, *LIBRARY_ORACLES)}
    assert of_calls | {
        at_once.NAME,
        library_faults.GROWTH,
        library_faults.ROUND_TRIP,
        library_faults.CALLED_TWICE,
    } == set(BY_ORACLE)
    assert set(BY_ORACLE.values()) | {"document"} == set(SEVERITIES)


def test_findings_are_numbered_in_their_order_of_severity():
    found = [finding("response-schema"), finding("server-error", "1"), finding("process-died"), finding("server-error")]
    ordered = numbered_by_severity(found, lambda finding: severity_of(finding, None, ()))
    assert [one.finding.oracle for one in ordered] == [
        "process-died",
        "server-error",
        "server-error",
        "response-schema",
    ]
    assert [one.id for one in ordered] == ["F1", "F2", "F3", "F4"]
    assert ordered[1].finding.key[1] == "1"


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (200, {"name": None, "id": 1}, "document"),
        (200, {"price": None, "id": 1}, "answer"),  # NaN is written as null
        (200, {"name": 5, "id": 1}, "answer"),
        (404, {"name": 5}, "document"),
    ],
)
def test_an_undeclared_null_and_the_form_of_errors_are_about_the_document(make, judge, status, body, expected):
    operation = make.operation(responses={"200": JSON, "404": JSON})
    (found,) = judge(make.evaluation((operation, make.answer(status, body))))
    assert severity_of(found, operation, [str(status)]) == expected


def test_an_operation_that_never_answers_as_declared_is_about_the_document(make, judge):
    operation = make.operation("POST", responses={"201": JSON})
    (found,) = judge(make.evaluation((operation, make.answer(200, {"id": 1}))))
    assert severity_of(found, operation, ["200"]) == "document"
    assert severity_of(found, operation, ["200", "201"]) == "answer"
