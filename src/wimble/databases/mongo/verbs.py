"""What commands of MongoDB do, by their names as the agent reports them (`books.find`).

Separate from the modules that read filters, which take a while to import.
"""

from __future__ import annotations

from typing import Final

from wimble.types import Json

READS: Final = frozenset({"find", "aggregate", "count", "distinct"})


def is_read(text: str) -> bool:
    """Returns whether it only reads. False also for an aggregation that writes (`books.aggregate $out`)."""
    collection, _, verb = text.rpartition(".")
    return bool(collection) and " " not in text and verb in READS


def is_order_open(text: str, command: Json) -> bool:
    """Returns whether several documents may be returned in another order next time, because the command asks for none.
    """
    if not is_read(text) or not isinstance(command, dict):
        return False
    match text.rpartition(".")[2]:
        case "find":
            return not command.get("sort")
        case "aggregate":
            stages = command.get("pipeline")
            return isinstance(stages, list) and not any(isinstance(one, dict) and "$sort" in one for one in stages)
    return False
