"""Turns `query` hints into edits, depending on the dialect of the hint's database.

The reader of a dialect is imported with its first hint, since importing the parser of SQL takes half a second.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from wimble.feedback.edit import Proposal
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.model.database import Dialect
from wimble.model.hints import QueryHint


def _sql(hint: QueryHint, index: InputIndex, rng: Random) -> list[Proposal]:
    from wimble.feedback.queries.sql_edits import sql_edits

    return sql_edits(hint, index, rng)


def _documents(hint: QueryHint, index: InputIndex, rng: Random) -> list[Proposal]:
    from wimble.feedback.queries.document_edits import document_edits

    return document_edits(hint, index, rng)


EDITS: Final[dict[Dialect, Callable[[QueryHint, InputIndex, Random], list[Proposal]]]] = {
    "postgres": _sql,
    "mysql": _sql,
    "sqlite": _sql,
    "redis": _sql,  # a hint about keys contains an equivalent query
    "mongo": _documents,
}


def query_edits(hint: QueryHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Returns edits for one hint, unordered."""
    return EDITS[hint.database.dialect](hint, index, rng)
