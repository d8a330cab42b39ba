"""Which tables commands ask for, and which they fill, in any database language."""

from __future__ import annotations

import re
from typing import Final

from wimble.databases.data_change import DataChange
from wimble.databases.languages import language_of
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation

_WORD: Final = re.compile(r"\w+")


def asked_table(command: DatabaseCommand) -> str:
    """Returns the name of the first table or collection, in lower case and without its schema; "" if none is known."""
    if command.dialect is None:
        return ""
    language = language_of(command.dialect)
    source = language.source_of(command)
    if language.has_open_tables:
        return source.rpartition(".")[0].lower()  # COLLECTION.VERB
    words: list[str] = _WORD.findall(source)
    return words[-1].lower() if words else ""


def asked_tables(evaluation: Evaluation, call: int) -> set[str]:
    """Returns the tables and collections that a call has asked for. call: its index."""
    return set(map(asked_table, evaluation.interactions_of(DatabaseCommand, call))) - {""}


def filled_tables(evaluation: Evaluation, call: int) -> set[str]:
    """Returns the tables and collections to which a call has added something, as `asked_tables`."""
    return set(map(_filled_table, evaluation.interactions_of(DatabaseCommand, call))) - {""}


def insertion(command: DatabaseCommand) -> DataChange | None:
    """Returns what a command has inserted; None if it has inserted nothing, or is not understood."""
    if command.dialect is None or not (command.affected or command.returned):
        return None
    change = language_of(command.dialect).change(command)
    return change if change is not None and change.kind == "insert" else None


def _filled_table(command: DatabaseCommand) -> str:
    inserted = insertion(command)
    return "" if inserted is None else inserted.table.lower()
