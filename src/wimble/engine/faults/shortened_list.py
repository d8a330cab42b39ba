"""Names in warnings."""

from __future__ import annotations

from collections.abc import Sequence


def shortened_list(names: Sequence[str], most: int) -> str:
    """Returns the first names, with commas, and dots if there are more than `most`."""
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")
