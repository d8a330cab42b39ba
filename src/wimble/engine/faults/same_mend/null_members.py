"""Members of one object that are null where the document does not allow it.

A table has several columns without a value, and the document says of none that it may be null: one look at the
document's object mends all. The first of them is told the others. A number that is null may have been NaN, which is
another fault, unless the test has put a row without a value there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.same_mend.groups import Parts, further
from wimble.model.result import ReportedFinding
from wimble.oracles.documents.response_schema import NAME as RESPONSE_SCHEMA
from wimble.oracles.documents.response_schema import object_of_null

MAX_TOLD: Final = 4
"""Members that are told with the first one."""


def of_nulls(faults: ExplainedFaults) -> Parts:
    """Returns, for each further null in an object, the key of the first one, which is told it."""
    parts: Parts = {}
    told: dict[str, list[str]] = {}
    for one, first in further(faults, _object):
        parts[one.id,] = (first.id,)
        told.setdefault(first.id, []).append(one.finding.subject)
    for first_id, subjects in told.items():
        faults.add_to_title(first_id, f"null as well: {', '.join(_shown(subjects))}")
    return parts


def _object(one: ReportedFinding) -> tuple[str, ...] | None:
    finding = one.finding
    is_forgotten = finding.oracle == RESPONSE_SCHEMA and finding.is_about_document
    return object_of_null(finding) if is_forgotten else None


def _shown(subjects: list[str]) -> Iterator[str]:
    yield from subjects[:MAX_TOLD]
    if len(subjects) > MAX_TOLD:
        yield f"and {len(subjects) - MAX_TOLD} more"
