"""MongoDB's commands as a database language."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from wimble.databases.conditions.stored_values import Cells
from wimble.databases.conditions.truth import Truth
from wimble.databases.data_change import DataChange
from wimble.databases.database_language import Conflict, LimitedValue, RowReader, Rows
from wimble.databases.injections.injected_input import InjectedInput, NamedCommands, SentInputs
from wimble.databases.injections.probes import Position
from wimble.databases.mongo.document_changes import change_in_documents
from wimble.databases.mongo.document_injection import DOCUMENT_RULE, input_in_documents
from wimble.databases.mongo.document_positions import positions_in_document
from wimble.databases.mongo.documents_to_insert import document_copied
from wimble.databases.mongo.mongo_statements import DocumentStatement, document_statement, documents_in, documents_query
from wimble.databases.mongo.refused_documents import document_conflicts_of, without_conflicting
from wimble.databases.mongo.verbs import is_order_open
from wimble.databases.rows.new_rows import NewRow
from wimble.model.database import Database, DatabaseCommand, Table, TableName


class DocumentQuery(msgspec.Struct, frozen=True, eq=False):
    """A command with a filter."""

    command: DatabaseCommand
    database: Database
    statement: DocumentStatement

    @property
    def is_read(self) -> bool:
        return self.statement.is_read

    @property
    def is_count(self) -> bool:
        return self.statement.is_count

    @property
    def shape(self) -> str:
        return self.statement.shape

    @property
    def reading(self) -> str:
        return self.statement.shape.partition("(")[0]

    @property
    def rows_can_be_replaced(self) -> bool:
        return False

    def readers(self) -> tuple[RowReader, ...] | None:
        return (_collection_reader(self.statement.collection),)

    def rows_before(self, rows: Rows) -> Rows:
        return rows

    def truth(self, rows: Rows) -> Truth | None:
        return self.statement.truth(rows)


class MongoLanguage(NamedCommands):
    """MongoDB's commands."""

    has_references = False
    has_open_tables = True
    injection_rule = DOCUMENT_RULE

    def query(self, command: DatabaseCommand, database: Database) -> DocumentQuery | None:
        compiled = document_statement(command.text, command.params)
        return None if compiled is None else DocumentQuery(command, database, compiled)

    def change(self, command: DatabaseCommand) -> DataChange | None:
        return change_in_documents(command.text, command.params)

    def conflicts(self, command: DatabaseCommand, database: Database) -> list[Conflict]:
        return document_conflicts_of(command, database)

    def limited_values(self, command: DatabaseCommand, database: Database) -> list[LimitedValue]:
        return []

    def reader_of(self, table: Table) -> RowReader | None:
        return _collection_reader(table.name.name)

    def copy_of(self, table: Table, cells: Cells, is_fixed: Callable[[str], bool]) -> NewRow | None:
        return document_copied(table, cells, is_fixed)

    def conflict_readers(self, conflict: Conflict, database: Database) -> tuple[RowReader, ...]:
        return (_collection_reader(conflict.table.name.name),)

    def rows_before_conflict(self, conflict: Conflict, rows: Sequence[Cells]) -> list[Cells]:
        return without_conflicting(conflict, rows)

    def positions(self, command: DatabaseCommand, value: str) -> list[Position]:
        return positions_in_document(command, value)

    def injected_input(self, commands: Sequence[DatabaseCommand], inputs: SentInputs) -> InjectedInput | None:
        return input_in_documents(commands, inputs)

    def is_order_open(self, command: DatabaseCommand) -> bool:
        if not command.returned or command.returned <= 1:
            return False
        return is_order_open(command.text, command.params[0] if command.params else None)


def _collection_reader(collection: str) -> RowReader:
    query = documents_query(collection)
    return RowReader(collection, TableName(collection), query, lambda result: documents_in(result.rows[0][0]))
