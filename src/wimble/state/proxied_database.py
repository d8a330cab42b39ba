"""Queries over a connection of the SUT's driver."""

from __future__ import annotations

from collections.abc import Callable

from wimble.agent.mocks.connection_proxy import GONE
from wimble.model.database import QueryResult, Row
from wimble.types import Json

RunQuery = Callable[[str, tuple[Json, ...]], QueryResult]
"""Runs a query with parameters on a connection of the SUT's driver."""


class Refused(Exception):
    """Raised if the database refuses a query. This layer catches it and continues without the result."""


class ProcessEnded(Refused):
    """Raised if no process of the SUT is left that could run the query."""


def rows_of(run_query: RunQuery, text: str, *params: Json) -> tuple[Row, ...]:
    """Returns the rows that a query finds. Raises: Refused."""
    result = run_query(text, params)
    if result.error:
        raise _refusal(result.error)
    return result.rows


def run(run_query: RunQuery, text: str) -> int | None:
    """Runs a command. Returns the number of changed rows; None if the driver does not report it. Raises: Refused."""
    result = run_query(text, ())
    if result.error:
        raise _refusal(result.error)
    return result.affected


def _refusal(error: str) -> Refused:
    return ProcessEnded(error) if error == GONE else Refused(error)
