"""The errors of a GraphQL answer that shows a finding."""

from __future__ import annotations

from wimble.http.exchange import response_of
from wimble.http.http_messages import graphql_errors
from wimble.model.result import ReportedFinding
from wimble.types import Json


def answered_errors(reported: ReportedFinding) -> list[dict[str, Json]]:
    """Returns the errors of the finding's answer."""
    index = reported.finding.call_index
    response = response_of(reported.observations[index]) if index < len(reported.observations) else None
    return [] if response is None else graphql_errors(response)


def message_of(error: dict[str, Json]) -> str:
    return str(error.get("message", ""))


def field_of(error: dict[str, Json]) -> str:
    """Returns the last name of the error's path: the same field may stand below another one in each operation."""
    path = error.get("path")
    names = [step for step in path if isinstance(step, str)] if isinstance(path, list) else []
    return names[-1] if names else ""
