"""Queries over the SUT's own connection."""

from __future__ import annotations

from collections.abc import Callable

from wimble.model.database import QueryResult, Row
from wimble.types import Json

RunQuery = Callable[[str, tuple[Json, ...]], QueryResult]
"""Runs a query on the SUT's own connection."""


class Refused(Exception):
    """The database refused a query. Stays within this layer: callers continue without."""


def rows_of(run_query: RunQuery, text: str, *params: Json) -> tuple[Row, ...]:
    """Raises: Refused."""
    result = run_query(text, params)
    if result.error:
        raise Refused(result.error)
    return result.rows


def run(run_query: RunQuery, text: str) -> int | None:
    """Returns the number of changed rows, as far as the driver reports it. Raises: Refused."""
    result = run_query(text, ())
    if result.error:
        raise Refused(result.error)
    return result.affected
