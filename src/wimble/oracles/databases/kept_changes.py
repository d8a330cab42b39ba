"""What calls change in databases, and which of it stays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wimble.databases.data_change import DataChange
from wimble.databases.languages import language_of
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.oracles.databases.key_changes import iter_key_changes
from wimble.oracles.databases.records import keeps_records

_COMMIT = re.compile(r"\s*(commit|end)\b|\.commitTransaction\Z", re.IGNORECASE)


class Change(NamedTuple):
    """A command that has changed data, and how."""

    command: DatabaseCommand
    change: DataChange

    @property
    def is_update(self) -> bool:
        return self.change.kind == "update"

    @property
    def shown(self) -> str:
        """The command in one line, without its parameters; for a key with that key."""
        is_of_key = not self.command.affected and self.change.table
        return " ".join(f"{self.command.text} {self.change.table if is_of_key else ''}".split())


def iter_changes(commands: Sequence[DatabaseCommand]) -> Iterator[Change]:
    """Yields the commands that have changed rows or documents."""
    for command in commands:
        if command.error or not command.affected or command.dialect is None:
            continue
        change = language_of(command.dialect).change(command)
        if change is not None:
            yield Change(command, change)


def changes_of_call(evaluation: Evaluation, call_index: int) -> list[Change]:
    """Returns what a call has changed, in order."""
    return list(iter_changes(evaluation.interactions_of(DatabaseCommand, call_index)))


def _changes_of(commands: Sequence[DatabaseCommand]) -> list[Change]:
    """Returns what the commands of one call have changed in rows, documents and keys, in order."""
    return [*iter_changes(commands), *(Change(*one) for one in iter_key_changes(commands))]


def left_behind(evaluation: Evaluation, call_index: int) -> Change | None:
    """Returns the first change of the call that was not rolled back, or None.

    Tables that are meant to record failures do not count.
    """
    commands = evaluation.interactions_of(DatabaseCommand, call_index)
    # PostgreSQL rolls a transaction back if one of its commands failed, even if the transaction ends with a commit.
    is_aborted = any(command.error and command.in_transaction for command in commands)
    operation = evaluation.test_case.calls[call_index].operation.id
    for change in _changes_of(commands):
        if keeps_records(change.change.table, change.command.text, operation):
            continue
        if not change.command.in_transaction or (not is_aborted and _is_committed(change.command, commands)):
            return change
    return None


def _is_committed(change: DatabaseCommand, commands: Sequence[DatabaseCommand]) -> bool:
    later = commands[commands.index(change) + 1 :]
    return any(not one.error and _COMMIT.match(one.text) for one in later)


def is_taken_back(evaluation: Evaluation, change: Change) -> bool:
    """Whether the call later did the opposite: deleted rows after an insert, or inserted rows after a delete; or
    updated the same table again."""
    of_call = _changes_of(evaluation.interactions_of(DatabaseCommand, change.command.call))
    later = [one.change for one in of_call[of_call.index(change) + 1 :]]
    kind, table, _ = change.change
    if kind == "update":
        return any(one.kind == kind and one.table.lower() == table.lower() for one in later)
    return any(one.kind == ("delete" if kind == "insert" else "insert") for one in later)
