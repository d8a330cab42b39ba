"""Which calls read rows in an order that nobody asked for, from databases where a reset changes it.

PostgreSQL and MongoDB return rows without ORDER BY as they lie; one that was changed or deleted, and put back, lies elsewhere. MySQL and
SQLite keep rows by their keys, so there they come as before.
"""

from __future__ import annotations

from collections.abc import Iterable

from wimble.documents import verbs
from wimble.model.database import Command, Database
from wimble.model.evaluation import Evaluation
from wimble.sql import order


def calls_in_any_order(evaluations: Iterable[Evaluation], databases: Iterable[Database]) -> frozenset[int]:
    """Indexes of calls whose answers may hold the same elements in another order next time."""
    dialects = {database.id: database.dialect for database in databases}
    return frozenset(
        command.call
        for evaluation in evaluations
        for command in evaluation.commands
        if _is_order_open(command, dialects.get(command.database))
    )


def _is_order_open(command: Command, dialect: str | None) -> bool:
    if not command.returned:
        return False
    if dialect == "postgres":
        return order.is_order_open(command.text, command.returned)
    if dialect == "mongo":
        return command.returned > 1 and verbs.is_order_open(command.text, command.params[0] if command.params else None)
    return False
