"""One database of the SUT, as the rest of this layer asks it."""

from __future__ import annotations

from collections.abc import Callable

from wimble.model.database import QueryResult, Row
from wimble.types import Json

Lend = Callable[[str, tuple[Json, ...]], QueryResult]
"""Runs a query on the SUT's own connection."""


class Refused(Exception):
    """The database did not do what it was asked. Stays within this layer: whoever asked goes on without."""


def rows_of(lend: Lend, text: str, *params: Json) -> tuple[Row, ...]:
    """Raises: Refused."""
    result = lend(text, params)
    if result.error:
        raise Refused(result.error)
    return result.rows


def run(lend: Lend, text: str) -> int | None:
    """Answers how many rows were changed, as far as the driver tells. Raises: Refused."""
    result = lend(text, ())
    if result.error:
        raise Refused(result.error)
    return result.affected
