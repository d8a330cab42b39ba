"""Joins faults that turned out to be one once verification told where they come from.

During the search only errors have a place in the code; a broken contract is told apart by operation then, since two operations
may break the same rule for different reasons. Verification knows the statement that gave the answer: the same statement
breaking the same rule is the same fault. So are GraphQL's errors that tell the same mistake of the program after the same statement.
Where no statement is known, as of what verification did not see again, methods of one path that break the same rule are one fault.
"""

from __future__ import annotations

import re

from wimble.model.result import ReportedFinding
from wimble.oracles.graphql_errors import is_masked

MERGED_ORACLES = frozenset({"response-schema", "response-status", "content-type", "graphql-error"})
SHOWN_OPERATIONS = 4
_PATH = re.compile(r"/.*")
"""Of an operation's id, `GET /orders/{id}`."""


def merged(findings: list[ReportedFinding]) -> tuple[ReportedFinding, ...]:
    """The same findings in the same order, later ones joined to the first of their place and shape."""
    kept: dict[tuple[object, ...], ReportedFinding] = {}
    joined: dict[tuple[object, ...], list[str]] = {}
    for reported in findings:
        place = _place(reported)
        if place in kept:
            kept[place].times_seen += reported.times_seen
            joined[place].append(reported.finding.operation)
        else:
            kept[place] = reported
            joined[place] = []
    for place, operations in joined.items():
        others = [name for name in dict.fromkeys(operations) if name != kept[place].finding.operation]
        if others:
            more = f" and {len(others) - SHOWN_OPERATIONS} more" if len(others) > SHOWN_OPERATIONS else ""
            note = f"the same in {', '.join(others[:SHOWN_OPERATIONS])}{more}"
            kept[place].note = "; ".join(part for part in (kept[place].note, note) if part)
    return tuple(kept.values())


def _place(reported: ReportedFinding) -> tuple[object, ...]:
    """What is equal for findings of one fault; the finding's own id where it has no place."""
    finding = reported.finding
    if finding.oracle not in MERGED_ORACLES or is_masked(finding.cause.message):
        return (reported.id,)
    shape = re.sub(r"-?\d+(\.\d+)?|\[\d+\]", "0", finding.observed)
    if finding.cause.file:
        return finding.oracle, finding.cause.file, finding.cause.line, finding.status, shape
    path = _PATH.search(finding.operation)
    return (finding.oracle, path.group(), finding.status, shape) if path else (reported.id,)
