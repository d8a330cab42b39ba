"""`junit.xml` for CI servers: one test case per operation, which fails if faults were found in the operation."""

from __future__ import annotations

import io
import re

from junitparser import Failure, JUnitXml, TestCase, TestSuite
from junitparser.junitparser import FinalResult, Skipped

from wimble.model.result import ReportedFinding, RunResult
from wimble.report.display_paths import shown_place, shown_throw

_ILLEGAL_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_text(result: RunResult) -> str:
    suite = TestSuite("wimble")
    suite.add_property("seed", str(result.seed))
    suite.add_property("wimble_version", result.version)
    by_operation: dict[str, list[ReportedFinding]] = {operation: [] for operation in result.operation_outcomes}
    for reported in result.findings:
        # A fault at the start or in the background belongs to no operation of the API description.
        by_operation.setdefault(reported.finding.operation, []).append(reported)
    # All at once: each addition counts the whole suite again.
    suite.add_testcases([_case(operation, findings, result) for operation, findings in by_operation.items()])
    suite.time = result.seconds
    document = JUnitXml("wimble")
    document.add_testsuite(suite)
    buffer = io.BytesIO()
    document.write(buffer, pretty=True)
    return buffer.getvalue().decode()


def _case(operation: str, findings: list[ReportedFinding], result: RunResult) -> TestCase:
    case = TestCase(_legal(operation or "(no operation)"), classname="wimble")
    outcomes: list[FinalResult] = [_failure(reported, result) for reported in findings]
    if not outcomes and not result.operation_outcomes.get(operation):
        outcomes = [Skipped("never answered")]
    case.result = outcomes
    return case


def _failure(reported: ReportedFinding, result: RunResult) -> Failure:
    finding = reported.finding
    failure = Failure(_legal(f"{reported.id} {finding.title}"), _legal(finding.oracle))
    place = shown_place(finding.cause, result)
    lines = [
        f"where: {place}{shown_throw(finding.cause, result)}" if place else "",
        f"message: {finding.cause.message}" if finding.cause.message else "",
        f"observed: {finding.observed}",
        f"expected: {finding.expected}",
        f"test: {reported.test.file}: {reported.test.name}" if reported.test else f"no test: {reported.note}",
        *reported.curl,
    ]
    failure.text = _legal("\n".join(line for line in lines if line))
    return failure


def _legal(text: str) -> str:
    """Returns the text with U+FFFD for characters that XML 1.0 does not allow."""
    return _ILLEGAL_IN_XML.sub("\ufffd", text)
