"""Whether a query says in which order its rows come. By words, without a parser: it is asked of each command of a test."""

from __future__ import annotations

import re

from wimble.sql.shapes import shape_of

_READS = ("select", "with", "(select")
_ORDER = re.compile(r"\border by\b", re.IGNORECASE)
_LISTS_OF_ROWS = re.compile(r"\b(?:jsonb?_agg|array_agg|json_arrayagg)\(|\barray\(", re.IGNORECASE)


def is_order_open(text: str, n_rows: int) -> bool:
    """Whether the database may return the same rows, or a list that it makes of rows, in another order.

    An ORDER BY anywhere counts as one: derived tables and windows that have one come in its order in practice.
    """
    shape = shape_of(text)
    if not shape.lower().startswith(_READS) or _ORDER.search(shape):
        return False
    return n_rows > 1 or bool(_LISTS_OF_ROWS.search(shape))
