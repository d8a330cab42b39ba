"""Decides whether a query defines the order of its rows, with regular expressions, since it runs for each command."""

from __future__ import annotations

import re

from wimble.databases.sql.command_shapes import shape_of

_READS = ("select", "with", "(select")
_ORDER = re.compile(r"\border by\b", re.IGNORECASE)
_LISTS_OF_ROWS = re.compile(r"\b(?:jsonb?_agg|array_agg|json_arrayagg)\(|\barray\(", re.IGNORECASE)


def is_order_open(text: str, n_rows: int) -> bool:
    """Returns whether the database may return the same rows, or a list aggregated from rows, in another order.

    An ORDER BY anywhere in the query defines the order: in practice, the order of a derived table or a window is kept.
    """
    shape = shape_of(text)
    if not shape.lower().startswith(_READS) or _ORDER.search(shape):
        return False
    return n_rows > 1 or bool(_LISTS_OF_ROWS.search(shape))
