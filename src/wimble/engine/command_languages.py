"""SQL, MongoDB's language and Redis' commands, asked the same things: what a command looks for, where, and how far it was from finding it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from wimble.documents.conflicts import document_conflicts_of, without_conflicting
from wimble.documents.statements import DocumentStatement, document_statement, documents_in, documents_query
from wimble.model.database import Command, Database, Dialect, QueryResult, Table, TableName, table_key
from wimble.sql.conflicts import Conflict, conflicts_of, without_key
from wimble.sql.keys import as_missed, as_query
from wimble.sql.reading import cells_of, rows_query, tables_read
from wimble.sql.scope import Cells
from wimble.sql.shapes import shape_of
from wimble.sql.statements import Statement, statement
from wimble.sql.truth import Truth
from wimble.sql.values import from_json

AnyStatement: TypeAlias = Statement | DocumentStatement


class RowReader(NamedTuple):
    """How the rows of a table, or the documents of a collection, are fetched."""

    table: str
    """Its name among the rows that distances are measured over."""
    name: TableName
    query: str
    rows: Callable[[QueryResult], Sequence[Cells]]


def asked(command: Command, dialect: Dialect) -> Command | None:
    """The command in a language that is understood; None where it looks for nothing."""
    return as_query(command) if dialect == "redis" else command


def before_it(command: Command, dialect: Dialect, rows: dict[str, Sequence[Cells]]) -> dict[str, Sequence[Cells]]:
    """The rows as a command that found nothing met them, as far as what is there now shows that."""
    return as_missed(rows, command) if dialect == "redis" else rows


def understood(command: Command, dialect: Dialect) -> AnyStatement | None:
    """None for commands that look for nothing, or are not understood."""
    if dialect == "mongo":
        return document_statement(command.text, command.params)
    return statement(command.text, dialect)


def shown(command: Command, compiled: AnyStatement) -> str:
    """The command without the values that it was run with, in one line."""
    return compiled.shape if isinstance(compiled, DocumentStatement) else shape_of(command.text)


def reading_of(compiled: AnyStatement) -> str:
    """What the command does, and with which tables, whatever it asks of their rows."""
    if isinstance(compiled, DocumentStatement):
        return compiled.shape.partition("(")[0]
    return " ".join([compiled.tree.key, *(name for name, _ in compiled.tables)])


def readers_of(compiled: AnyStatement, database: Database) -> tuple[RowReader, ...] | None:
    """For all that the command names; None where the schema lacks one."""
    if isinstance(compiled, DocumentStatement):
        return (_collection_reader(compiled.collection),)
    tables = tables_read(compiled, database)
    return None if tables is None else tuple(_table_reader(table, database.dialect) for table in tables)


def _collection_reader(collection: str) -> RowReader:
    query = documents_query(collection)
    return RowReader(collection, TableName(collection), query, lambda result: documents_in(result.rows[0][0]))


def _table_reader(table: Table, dialect: Dialect) -> RowReader:
    key = table_key(table.name.name, table.name.schema)
    return RowReader(key, table.name, rows_query(table, dialect), lambda result: cells_of(table, result))


def conflicts_in(command: Command, database: Database) -> list[Conflict]:
    """By which rows, or for lack of which, the database would have refused what the command has written."""
    match database.dialect:
        case "redis":
            return []
        case "mongo":
            return document_conflicts_of(command, database)
    return conflicts_of(command, database)


def readers_for(conflict: Conflict, database: Database) -> tuple[RowReader, ...]:
    """For all that has to be known to bring its rows: the tables that it asks for, and those that rows of these point to."""
    if database.dialect == "mongo":
        return (_collection_reader(conflict.table.name.name),)
    asked = statement(conflict.text, database.dialect)
    tables = (tables_read(asked, database) if asked is not None else None) or ()
    targets = (key.target for table in tables for key in table.foreign_keys)
    parents = (database.table_called(target.name, target.schema) for target in targets)
    known = dict.fromkeys([*tables, *(parent for parent in parents if parent is not None)])
    return tuple(_table_reader(table, database.dialect) for table in known)


def before_conflict(conflict: Conflict, dialect: Dialect, rows: Sequence[Cells]) -> list[Cells]:
    """Rows of the conflict's table as the command met them: none had the values that it has written."""
    return without_conflicting(conflict, rows) if dialect == "mongo" else without_key(conflict, rows)


def truth_of(command: Command, compiled: AnyStatement, rows: Mapping[str, Sequence[Cells]]) -> Truth | None:
    """Over the rows that are there; None where it is not known."""
    return compiled.truth(rows, tuple(from_json(value) for value in command.params))
