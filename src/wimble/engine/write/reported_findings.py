"""What the reports show of the faults that were found: their calls, tests and severities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wimble.engine.faults.fault_book import Fault
from wimble.engine.journal.killed_run import UNSEEN_NOTE
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.stability.repeated_runs import BEHIND_OTHERS
from wimble.engine.write.finished_run import FinishedRun
from wimble.engine.write.library_tests import call_lines
from wimble.execute.sut.library_sut import LibrarySut
from wimble.http.curl import at_once_commands
from wimble.http.curl_credentials import curl_commands
from wimble.http.ids_in_commands import taken_values
from wimble.model.evaluation import Finding
from wimble.model.result import ReportedFinding, ReportedTest, Severity
from wimble.model.setup import setup_comments
from wimble.model.suite import VerifiedTest
from wimble.oracles.severity import numbered_by_severity, severity_of
from wimble.types import OperationId

NOT_VERIFIED: Final = "none that shows it was verified"
"""Why a fault has no test, if nothing else is known; a warning says what was left out, and why."""


def reported_findings(run: FinishedRun, tests: tuple[ReportedTest, ...]) -> list[ReportedFinding]:
    """Returns what is shown of each fault, before those of one cause are grouped."""
    findings = [_reported(run, fault, tests) for fault in run.coordinator.faults]
    if run.killed is not None:
        seen = frozenset(reported.finding.key for reported in findings)
        findings += run.killed.unseen(seen, UNSEEN_NOTE)
    return findings


def in_order(findings: Sequence[ReportedFinding], coordinator: Coordinator) -> tuple[ReportedFinding, ...]:
    """Returns the findings with their severities, most severe first, and numbers them in this order."""
    operations = {operation.id: operation for operation in coordinator.specification.operations}

    def severity(finding: Finding) -> Severity:
        keys = coordinator.statistics.outcome_keys(finding.operation)
        return severity_of(finding, operations.get(OperationId(finding.operation)), keys)

    return numbered_by_severity(findings, severity)


def _reported(run: FinishedRun, fault: Fault, tests: tuple[ReportedTest, ...]) -> ReportedFinding:
    verified, again = _test_of(run, fault), run.suite.repeated.get(fault.key)
    test_case, observations = fault.witnesses[0].evaluation.test_case, fault.witnesses[0].evaluation.observations
    finding = fault.finding
    written = None
    if verified is not None:
        test_case, observations = verified.test_case, tuple(call.observation for call in verified.calls)
        finding = next(found for found in verified.findings if found.key == finding.key)
        written = next((test for test in tests if test.name == verified.name), None)
    elif again is not None:
        finding, test_case, observations = again.finding, again.test_case, again.observations
    settings = run.coordinator.settings
    shown = observations[: finding.call_index + 1]
    if isinstance(run.sut, LibrarySut):
        repeated = call_lines(run.sut, test_case, shown)
    else:
        comments, commands = curl_commands(
            shown, run.sut.api.base_url, settings.users, run.sut.api.form.headers, run.sut.api.token_keys
        )
        comments += taken_values(test_case, shown)
        repeated = (*setup_comments(test_case), *comments, *at_once_commands(commands, test_case.at_once))
    return ReportedFinding(
        id=fault.id,
        finding=finding,
        observations=shown,
        curl=repeated,
        test=written,
        is_repeated=verified is not None or again is not None,
        note=_note(run, fault, finding.operation, has_test=written is not None),
        found_after_calls=fault.found_after_calls,
        found_after_s=fault.found_after_s,
        times_seen=fault.times_seen,
    )


def _note(run: FinishedRun, fault: Fault, shown_operation: str, *, has_test: bool) -> str:
    noted = run.suite.fault_notes.get(fault.key, NOT_VERIFIED)
    notes = [noted] if not has_test or noted == BEHIND_OTHERS else []
    others = [name for name in fault.operations if name != shown_operation]
    if others:
        more = f" and {len(others) - 4} more" if len(others) > 4 else ""
        notes.append(f"also seen in {', '.join(others[:4])}{more}")
    return "; ".join(note for note in notes if note)


def _test_of(run: FinishedRun, fault: Fault) -> VerifiedTest | None:
    """Returns the shortest verified test that shows the fault, or None.

    One that was made for it on a start of its own comes first: where others share one, their requests may need others.
    """
    showing = [test for test in run.suite.tests if any(found.key == fault.key for found in test.findings)]

    def key(test: VerifiedTest) -> tuple[bool, int]:
        is_own = run.suite.starts.shares_start and not test.shares_start and test.findings[0].key == fault.key
        return not is_own, len(test.calls)

    return min(showing, key=key, default=None)
