"""The rows that a sign-up has written for its user, as setup actions that insert another user's.

The hash of the password is copied with the row, so whoever logs in with the password of that sign-up is the inserted
user, whose other columns (role, status, organization) are free.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from wimble.databases.conditions.stored_values import Cells, Value, json_value
from wimble.databases.conditions.value_distance import equal
from wimble.databases.database_language import DatabaseLanguage, RowReader
from wimble.databases.languages import language_of
from wimble.databases.rows.column_genes import Limits, gene_of
from wimble.databases.rows.new_rows import NewCell, NewRow
from wimble.feedback.queries.inserts import inserting
from wimble.genes import ConstantGene, Gene
from wimble.model.database import Column, Database, DatabaseCommand, Table, TableName
from wimble.model.evaluation import Evaluation
from wimble.model.identity_names import PASSWORD
from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.model.testcase import Call
from wimble.model.user_row import UserRow
from wimble.search.access.identities import names_of_user
from wimble.types import Json, OperationId

MAX_READ: Final = 4
"""Sign-ups of one operation whose rows are read."""
MAX_ROWS: Final = 4
"""The user's row with the rows that it references and that the same test case has written."""
MAX_PEERS: Final = 5
MAX_PEER_LENGTH: Final = 30
_QUOTES: Final = '`"[]'
"""What may stand around a name in SQL: ORMs quote all names."""
_SECRET: Final = re.compile(r"hash|salt|secret|digest|crypt")

RowsOf: TypeAlias = Callable[[Database, RowReader], Sequence[Cells] | None]
_Tables: TypeAlias = Mapping[Table, Sequence[Cells]]


class UserRows:
    """Reads the rows of the first sign-ups of each operation."""

    def __init__(self) -> None:
        self._n_read: Counter[OperationId] = Counter()

    def of(self, evaluation: Evaluation, schemas: Mapping[str, Database], rows_of: RowsOf) -> Iterator[UserRow]:
        """Yields the rows of each sign-up that has succeeded, without those that the test case has inserted."""
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            operation = call.operation
            is_wanted = operation.entrance == "sign-up" and observation.outcome in ("ok", "redirected")
            if not is_wanted or self._n_read[operation.id] >= MAX_READ:
                continue
            for database in schemas.values():
                found = _user_row(call, observation.call_index, _Changed(evaluation, database, rows_of))
                if found is not None:
                    self._n_read[operation.id] += 1
                    yield found


class _Changed:
    """The tables of one database in which a test case has stored something, with their rows."""

    def __init__(self, evaluation: Evaluation, database: Database, rows_of: RowsOf) -> None:
        self.database = database
        self._evaluation = evaluation
        self._language = language_of(database.dialect)
        self._rows_of = rows_of

    def tables_of_call(self, call: int) -> dict[Table, Sequence[Cells]]:
        """Returns the tables to which a call has written."""
        return self._with_rows(self._written(self._evaluation.interactions_of(DatabaseCommand, call)))

    def tables_before(self, call: int) -> dict[Table, Sequence[Cells]]:
        """Returns the tables to which setup actions or the calls before this one have written.

        The user may refer to what they have made: a team that is there before its members.
        """
        actions = [action for _, action in self._evaluation.test_case.setup_of(DatabaseAction)]
        own = (one.table for one in actions if one.database == self.database.id)
        inserted = (self.database.table_called(name.name, name.schema) for name in own)
        earlier = (one for one in self._evaluation.interactions_of(DatabaseCommand) if one.call < call)
        return self._with_rows((*inserted, *self._written(earlier)))

    def _written(self, commands: Iterable[DatabaseCommand]) -> Iterator[Table | None]:
        for command in commands:
            if command.database == self.database.id and not command.error and command.affected:
                yield _source_of(command, self.database, self._language)

    def _with_rows(self, tables: Iterable[Table | None]) -> dict[Table, Sequence[Cells]]:
        found: dict[Table, Sequence[Cells]] = {}
        for table in tables:
            reader = None if table is None or table in found else self._language.reader_of(table)
            rows = None if reader is None else self._rows_of(self.database, reader)
            if table is not None and rows is not None:
                found[table] = rows
        return found


def _source_of(command: DatabaseCommand, database: Database, language: DatabaseLanguage) -> Table | None:
    """Returns the table of a command; for a collection that the schema does not name, one without columns."""
    source = language.source_of(command)
    if not language.has_open_tables:
        *schema, name = (part.strip(_QUOTES) for part in source.split("."))
        return database.table_called(name, schema[-1] if schema else "")
    name = source.rpartition(".")[0]  # COLLECTION.VERB
    return database.table_called(name, "") or (Table(name=TableName(name), columns=()) if name else None)


def _user_row(call: Call, index: int, changed: _Changed) -> UserRow | None:
    """Returns the user's row that the call at the index has written, after the rows that it references."""
    database = changed.database
    names = {name.lower() for name in names_of_user(call)}
    written = changed.tables_of_call(index)
    for table, rows in written.items():
        for cells in rows:
            if any(isinstance(value, str) and value.lower() in names for value in cells.values()):
                document = language_of(database.dialect).copy_of(table, cells, _is_secret)
                if document is None:
                    copied = _Copies(database, changed.tables_before(index) | written).with_parents(table, cells)
                else:
                    copied = [document]
                actions = tuple(inserting(database, row) for row in copied)
                return UserRow(sign_up=call, setup=actions, peers=_peers(table, rows, cells))
    return None


def _peers(table: Table, rows: Sequence[Cells], own: Cells) -> dict[str, tuple[Json, ...]]:
    """Returns short texts that other rows have in the columns of the table: roles, states."""
    found: dict[str, tuple[Json, ...]] = {}
    for column in table.columns:
        # Fields of documents are named as they are written.
        name = column.name if column.name in own else column.name.lower()
        values = dict.fromkeys(value for row in rows if isinstance(value := row.get(name), str))
        others = [one for one in values if len(one) <= MAX_PEER_LENGTH and one != own.get(name)]
        if others and len(others) <= MAX_PEERS:
            found[column.name] = tuple(others)
    return found


class _Copies:
    """Copies of a row, and of the rows that it references, which precede it."""

    def __init__(self, database: Database, tables: _Tables) -> None:
        self._database = database
        self._tables = tables
        self._rows: list[NewRow] = []

    def with_parents(self, table: Table, cells: Cells) -> list[NewRow]:
        self._add(table, cells, 1)
        return self._rows

    def _add(self, table: Table, cells: Cells, depth: int) -> int:
        """Adds the copy of a row, and returns its index."""
        links = self._links(table, cells, depth)
        made = [
            NewCell(column, gene, link=links.get(column.name.lower()))
            for column in table.columns
            if (gene := _gene(column, cells.get(column.name.lower()), self._database)) is not None
        ]
        self._rows.append(NewRow(table, tuple(made)))
        return len(self._rows) - 1

    def _links(self, table: Table, cells: Cells, depth: int) -> dict[str, tuple[int, int]]:
        """Adds the rows that the same test case has written and the row references. Returns the cells by column."""
        links: dict[str, tuple[int, int]] = {}
        for key in table.foreign_keys:
            parent = self._database.table_called(key.target.name, key.target.schema)
            if parent is None or parent is table or parent not in self._tables or depth >= MAX_ROWS:
                continue
            names = [(own.lower(), theirs.lower()) for own, theirs in zip(key.columns, key.target_columns, strict=True)]
            rows = self._tables[parent]
            row = next((one for one in rows if all(equal(one.get(b), cells.get(a)).value for a, b in names)), None)
            if row is None:
                continue
            index = self._add(parent, row, depth + 1)
            positions = {cell.column.name.lower(): at for at, cell in enumerate(self._rows[index].cells)}
            links |= {own: (index, positions[theirs]) for own, theirs in names if theirs in positions}
        return links


def _is_secret(name: str) -> bool:
    """Whether a column holds what the password is compared with."""
    return bool(PASSWORD.search(name.lower()) or _SECRET.search(name.lower()))


def _gene(column: Column, value: Value, database: Database) -> Gene | None:
    """Returns a gene with the value; None for a column that the database fills."""
    if column.is_generated:
        return None
    given = json_value(column, value)
    if _is_secret(column.name):
        return ConstantGene(given)
    gene = gene_of(column, Limits(), database.dialect)
    return ConstantGene(given) if gene is None else gene.with_value(given) or ConstantGene(given)
