"""Recognises errors of GraphQL fields of which no more than the field is known, since the server hides their messages.

The agent tells the error behind a hidden message if it saw the throw. Where it did not in one answer, and all that
other answers tell about the field is one finding, that is the error which was hidden. With several there is nothing to
choose by, and the hidden one stays a finding.
"""

from __future__ import annotations

from wimble.engine.faults.answered_errors import answered_errors, field_of
from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.same_mend.groups import Parts
from wimble.model.result import ReportedFinding
from wimble.oracles.failures.graphql_errors import NAME as GRAPHQL_ERROR
from wimble.oracles.failures.graphql_errors import masked_field


def of_masked_fields(faults: ExplainedFaults) -> Parts:
    """Returns, for each finding about a hidden error of a field, the key of the only other one about that field."""
    parts: Parts = {}
    for one in faults:
        field = masked_field(one.finding.key)
        others = [other for other in faults if other.id != one.id and _is_about(other, field)] if field else []
        if len(others) == 1:
            parts[(one.id,)] = (others[0].id,)
    return parts


def _is_about(reported: ReportedFinding, field: str) -> bool:
    return reported.finding.oracle == GRAPHQL_ERROR and any(
        field_of(error) == field for error in answered_errors(reported)
    )
