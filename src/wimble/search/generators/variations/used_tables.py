"""Which tables operations ask for and change, as their first successful calls with commands have shown."""

from __future__ import annotations

from collections import Counter
from typing import Final

from wimble.databases.asked_tables import asked_table
from wimble.databases.languages import language_of
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation

MAX_COMMANDS: Final = 20
"""Commands of one call that are looked at."""
MAX_LOOKS: Final = 10
"""Successful calls of one operation that are looked at, until one has shown tables."""


class UsedTables:
    """Learns them once for each operation."""

    def __init__(self) -> None:
        self._asked: dict[str, frozenset[str]] = {}
        self._changed: dict[str, frozenset[str]] = {}
        self._looks: Counter[str] = Counter()

    def note(self, evaluation: Evaluation) -> None:
        if not evaluation.interactions:
            return
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            operation = call.operation
            known = self._asked if operation.effect == "read" else self._changed
            if observation.outcome == "ok" and operation.id not in known and self._looks[operation.id] < MAX_LOOKS:
                self._looks[operation.id] += 1
                commands = evaluation.interactions_of(DatabaseCommand, observation.call_index)[:MAX_COMMANDS]
                found = frozenset(map(asked_table if operation.effect == "read" else _changed, commands)) - {""}
                if found:
                    known[operation.id] = found

    def are_shared(self, read: Operation, acting: Operation) -> bool:
        """Whether one asks for a table that the other changes."""
        return not self._asked.get(read.id, frozenset()).isdisjoint(self._changed.get(acting.id, ()))


def _changed(command: DatabaseCommand) -> str:
    if command.dialect is None or not command.affected:
        return ""
    change = language_of(command.dialect).change(command)
    return "" if change is None else change.table.lower()
