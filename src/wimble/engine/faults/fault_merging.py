"""Joins faults that turned out to be one once verification told where they come from.

During the search only errors have a place in the code; a broken contract is told apart by operation then, since two
operations may break the same rule for different reasons. Verification knows the statement that gave the answer: the
same statement breaking the same rule is the same fault. So are GraphQL's errors that tell the same mistake of the
program after the same statement. Where no statement is known, as of what verification did not see again, methods of one
path that break the same rule are one fault, and the same as one whose statement is known.
"""

from __future__ import annotations

import re

from wimble.model.evaluation import Finding
from wimble.model.result import ReportedFinding
from wimble.oracles.graphql_errors import is_masked

MERGED_ORACLES = frozenset({"response-schema", "response-status", "content-type", "graphql-error"})
SHOWN_OPERATIONS = 4
_PATH = re.compile(r"/.*")
"""Of an operation's id, `GET /orders/{id}`."""


def merged(findings: list[ReportedFinding]) -> tuple[ReportedFinding, ...]:
    """The same findings in the same order, others joined to the first of their place and shape; to one with a place,
    where there is one."""
    placed: dict[tuple[object, ...], tuple[object, ...]] = {}
    for reported in findings:
        if _is_mergeable(reported) and reported.finding.cause.file:
            placed.setdefault(_on_path(reported), _at_statement(reported))
    kept: dict[tuple[object, ...], ReportedFinding] = {}
    joined: dict[tuple[object, ...], list[str]] = {}
    for reported in findings:
        place = _place(reported, placed)
        joined.setdefault(place, []).append(reported.finding.operation)
        first = kept.setdefault(place, reported)
        if first is reported:
            continue
        if reported.finding.cause.file and not first.finding.cause.file:
            kept[place], first, reported = reported, reported, first
        first.times_seen += reported.times_seen
    for place, operations in joined.items():
        others = [name for name in dict.fromkeys(operations) if name != kept[place].finding.operation]
        if others:
            more = f" and {len(others) - SHOWN_OPERATIONS} more" if len(others) > SHOWN_OPERATIONS else ""
            note = f"the same in {', '.join(others[:SHOWN_OPERATIONS])}{more}"
            kept[place].note = "; ".join(part for part in (kept[place].note, note) if part)
    return tuple(kept.values())


def _place(reported: ReportedFinding, placed: dict[tuple[object, ...], tuple[object, ...]]) -> tuple[object, ...]:
    """What is equal for findings of one fault; the finding's own id where it has no place."""
    if not _is_mergeable(reported):
        return (reported.id,)
    if reported.finding.cause.file:
        return _at_statement(reported)
    on_path = _on_path(reported)
    return placed.get(on_path, on_path)


def _is_mergeable(reported: ReportedFinding) -> bool:
    return reported.finding.oracle in MERGED_ORACLES and not is_masked(reported.finding.cause.message)


def _at_statement(reported: ReportedFinding) -> tuple[object, ...]:
    finding = reported.finding
    return finding.oracle, finding.cause.file, finding.cause.line, finding.status, _shape(finding)


def _on_path(reported: ReportedFinding) -> tuple[object, ...]:
    """For methods of one path alike."""
    finding = reported.finding
    path = _PATH.search(finding.operation)
    return (finding.oracle, path.group(), finding.status, _shape(finding)) if path else (reported.id,)


def _shape(finding: Finding) -> str:
    """What was observed, whatever its numbers."""
    return re.sub(r"-?\d+(\.\d+)?|\[\d+\]", "0", finding.observed)
