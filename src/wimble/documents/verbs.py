"""What commands to MongoDB do, as the agent tells them (`books.find`). Apart from what reads their filters, which takes a while to import."""

from __future__ import annotations

from typing import Final

READS: Final = frozenset({"find", "aggregate", "count", "distinct"})


def is_read(text: str) -> bool:
    """False also for an aggregation that writes (`books.aggregate $out`)."""
    collection, _, verb = text.rpartition(".")
    return bool(collection) and " " not in text and verb in READS
