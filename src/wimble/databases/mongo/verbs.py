"""Classifies commands of MongoDB by the names that the agent reports (`books.find`).

This module is separate from those that read filters, since they take longer to import.
"""

from __future__ import annotations

from typing import Final

from wimble.types import Json

READS: Final = frozenset({"find", "aggregate", "count", "distinct"})


def is_read(text: str) -> bool:
    """Returns whether the command only reads; False also for an aggregation that writes (`books.aggregate $out`)."""
    collection, _, verb = text.rpartition(".")
    return bool(collection) and " " not in text and verb in READS


def is_order_open(text: str, command: Json) -> bool:
    """Returns whether the command sorts no results, so that their order may differ from run to run."""
    if not is_read(text) or not isinstance(command, dict):
        return False
    match text.rpartition(".")[2]:
        case "find":
            return not command.get("sort")
        case "aggregate":
            stages = command.get("pipeline")
            return isinstance(stages, list) and not any(isinstance(one, dict) and "$sort" in one for one in stages)
    return False
