"""Reads the schema of the connection's MySQL or MariaDB database from information_schema."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from wimble.model.database import Column, ColumnType, Database, ForeignKey, Table, TableName, UniqueKey
from wimble.state.catalogue import Catalogue, Sequence
from wimble.state.proxied_database import Refused, RunQuery, rows_of

TABLES = """SELECT table_name, table_type FROM information_schema.tables
WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'VIEW') ORDER BY table_name"""
COLUMNS = """SELECT table_name, column_name, column_type, data_type, character_maximum_length,
       numeric_precision, numeric_scale,
datetime_precision, is_nullable, column_default, extra FROM information_schema.columns
WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position"""
KEYS = """SELECT table_name, index_name, column_name FROM information_schema.statistics
WHERE table_schema = DATABASE() AND non_unique = 0 ORDER BY table_name, index_name, seq_in_index"""
FOREIGN = """SELECT k.table_name, k.constraint_name, k.column_name, k.referenced_table_name, k.referenced_column_name,
       r.delete_rule, r.update_rule
FROM information_schema.key_column_usage k JOIN information_schema.referential_constraints r
ON r.constraint_schema = k.constraint_schema AND r.constraint_name = k.constraint_name AND r.table_name = k.table_name
WHERE k.table_schema = DATABASE() AND k.referenced_table_schema = DATABASE()
ORDER BY k.table_name, k.constraint_name, k.ordinal_position"""
CHECKS = """SELECT t.table_name, c.check_clause FROM information_schema.check_constraints c
JOIN information_schema.table_constraints t ON t.constraint_schema = c.constraint_schema
 AND t.constraint_name = c.constraint_name
WHERE t.table_schema = DATABASE() AND t.constraint_type = 'CHECK'"""
MARIADB_CHECKS = (
    "SELECT table_name, check_clause FROM information_schema.check_constraints WHERE constraint_schema = DATABASE()"
)
VIEWS = "SELECT table_name, view_definition FROM information_schema.views WHERE table_schema = DATABASE()"
ROUTINES = "SELECT routine_name, routine_definition FROM information_schema.routines WHERE routine_schema = DATABASE()"
TRIGGERS = (
    "SELECT event_object_table, action_statement FROM information_schema.triggers WHERE trigger_schema = DATABASE()"
)

NO_ACTION = ("NO ACTION", "RESTRICT")
BITS = {"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "bigint": 64}
TYPES: dict[str, ColumnType] = {
    "tinyint": "integer", "smallint": "integer", "mediumint": "integer", "int": "integer", "bigint": "integer",
    "year": "integer", "decimal": "decimal", "float": "float", "double": "float", "char": "text", "varchar": "text",
    "tinytext": "text", "text": "text", "mediumtext": "text", "longtext": "text", "binary": "bytes",
    "varbinary": "bytes", "tinyblob": "bytes", "blob": "bytes", "mediumblob": "bytes", "longblob": "bytes",
    "date": "date", "time": "time", "datetime": "timestamp", "timestamp": "timestamp", "json": "json", "enum": "enum",
    "uuid": "uuid",
}  # fmt: skip

_ENUM_VALUE = re.compile(r"'((?:[^']|'')*)'")


def read_mysql(run_query: RunQuery, database: str, name: str) -> Catalogue:
    """Returns the catalogue of the database. Raises: Refused."""
    columns: dict[str, list[Column]] = defaultdict(list)
    for row in rows_of(run_query, COLUMNS):
        columns[row[0]].append(_column(row))
    keys: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for table, key, column in rows_of(run_query, KEYS):
        keys[table].setdefault(key, []).append(column)
    foreign, followers = _foreign_keys(run_query)
    checks: dict[str, list[str]] = defaultdict(list)
    for table, check in _checks(run_query):
        checks[table].append(check)
    triggers: dict[TableName, str] = {}
    for table, body in rows_of(run_query, TRIGGERS):
        triggers[TableName(table)] = triggers.get(TableName(table), "") + "\n" + body
    bodies = {view: body or "" for view, body in rows_of(run_query, VIEWS)}
    bodies |= {routine: body or "" for routine, body in rows_of(run_query, ROUTINES)}
    tables = tuple(
        Table(
            name=TableName(table),
            columns=tuple(columns[table]),
            primary_key=tuple(keys[table].get("PRIMARY", ())),
            unique=tuple(UniqueKey(tuple(key)) for index, key in keys[table].items() if index != "PRIMARY"),
            foreign_keys=tuple(foreign[table]),
            checks=tuple(checks[table]),
            is_view=kind == "VIEW",
        )
        for table, kind in rows_of(run_query, TABLES)
    )
    return Catalogue(
        database=Database(id=database, dialect="mysql", name=name, tables=tables),
        bodies=bodies,
        triggers=triggers,
        followers=followers,
        sequences=tuple(
            Sequence(name=table.name.name, words=table.name.name, table=table.name)
            for table in tables
            if not table.is_view and any(column.is_identity for column in table.columns)
        ),
        is_all_powerful=True,
    )


def _foreign_keys(run_query: RunQuery) -> tuple[dict[str, list[ForeignKey]], dict[TableName, tuple[TableName, ...]]]:
    parts: dict[tuple[str, str], list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows_of(run_query, FOREIGN):
        parts[row[0], row[1]].append(row)
    foreign: dict[str, list[ForeignKey]] = defaultdict(list)
    followers: dict[TableName, dict[TableName, None]] = defaultdict(dict)
    for (table, _), rows in parts.items():
        target = TableName(rows[0][3])
        ours, theirs = tuple(row[2] for row in rows), tuple(row[4] for row in rows)
        foreign[table].append(ForeignKey(ours, target, theirs, rows[0][5] not in NO_ACTION))
        if rows[0][5] not in NO_ACTION or rows[0][6] not in NO_ACTION:
            followers[target][TableName(table)] = None
    return foreign, {parent: tuple(children) for parent, children in followers.items()}


def _checks(run_query: RunQuery) -> tuple[Any, ...]:
    """Returns the check constraints by table; none for old servers, which have no such view.

    MariaDB names constraints per table, so they are read with another query.
    """
    for text in (MARIADB_CHECKS, CHECKS):
        try:
            return rows_of(run_query, text)
        except Refused:
            continue
    return ()


def _column(row: tuple[Any, ...]) -> Column:
    _, name, shown, base, length, precision, scale, fraction, is_nullable, default, extra = row
    kind = TYPES.get(base, "other")
    generated = "GENERATED" in extra.upper() and "DEFAULT_GENERATED" not in extra.upper()
    values = tuple(value.replace("''", "'") for value in _ENUM_VALUE.findall(shown)) if kind == "enum" else ()
    return Column(
        name=name,
        type_name=shown,
        type=kind,
        length=length if kind in ("text", "bytes") else None,
        precision=precision if kind == "decimal" else fraction if kind in ("time", "timestamp") else None,
        scale=scale if kind == "decimal" else None,
        bits=BITS.get(base),
        is_unsigned="unsigned" in shown,
        is_nullable=is_nullable == "YES",
        default=None if default == "NULL" or generated else default,
        is_generated=generated,
        is_identity="auto_increment" in extra,
        enum_values=values,
    )
