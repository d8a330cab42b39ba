"""Reads an SQLite database's schema from sqlite_master and its pragmas (SQLite 3.26 and later)."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from wimble.model.database import Column, ColumnType, Database, ForeignKey, Table, TableName, UniqueKey
from wimble.state.catalogue import Catalogue, Sequence
from wimble.state.proxied_database import RunQuery, rows_of

OBJECTS = """SELECT type, name, tbl_name, sql FROM sqlite_master
WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND type IN ('table', 'view', 'trigger') ORDER BY name"""
COLUMNS = """SELECT m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden
FROM sqlite_master m JOIN pragma_table_xinfo(m.name) c WHERE m.type IN ('table', 'view') ORDER BY m.name, c.cid"""
KEYS = """SELECT m.name, i.name, c.name FROM sqlite_master m JOIN pragma_index_list(m.name) i
JOIN pragma_index_info(i.name) c
WHERE m.type = 'table' AND i."unique" AND NOT i.partial AND i.origin <> 'pk' ORDER BY m.name, i.seq, c.seqno"""
FOREIGN = """SELECT m.name, f.id, f."from", f."table", f."to", f.on_delete, f.on_update
FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table' ORDER BY m.name, f.id, f.seq"""

NO_ACTION = ("NO ACTION", "RESTRICT")
SHADOWS = re.compile(r"\s*CREATE\s+VIRTUAL\s+TABLE\s", re.IGNORECASE)
CHECK = re.compile(r"\bCHECK\s*\(", re.IGNORECASE)
LENGTH = re.compile(r"\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)")


def read_sqlite(run_query: RunQuery, database: str, name: str) -> Catalogue:
    """Returns the catalogue of the database. Raises: Refused."""
    objects = rows_of(run_query, OBJECTS)
    virtual = tuple(table for kind, table, _, sql in objects if kind == "table" and sql and SHADOWS.match(sql))
    columns: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows_of(run_query, COLUMNS):
        columns[row[0]].append(row)
    primary = {
        table: tuple(row[1] for row in sorted((row for row in rows if row[5]), key=lambda row: int(row[5])))
        for table, rows in columns.items()
    }
    keys: dict[str, dict[str, list[str | None]]] = defaultdict(dict)
    for table, key, column in rows_of(run_query, KEYS):
        keys[table].setdefault(key, []).append(column)
    foreign, followers = _foreign_keys(run_query, primary)
    tables = tuple(
        Table(
            name=TableName(table),
            columns=tuple(_column(row, primary[table], sql or "") for row in columns[table]),
            primary_key=primary[table],
            unique=tuple(
                UniqueKey(tuple(str(column) for column in key)) for key in keys[table].values() if None not in key
            ),
            foreign_keys=tuple(foreign[table]),
            checks=tuple(_checks(sql or "")),
            is_view=kind == "view",
        )
        for kind, table, _, sql in objects
        if kind in ("table", "view") and table in columns and not _is_virtual(table, virtual)
    )
    triggers: dict[TableName, str] = {}
    for kind, _, table, sql in objects:
        if kind == "trigger":
            triggers[TableName(table)] = triggers.get(TableName(table), "") + "\n" + (sql or "")
    return Catalogue(
        database=Database(id=database, dialect="sqlite", name=name.rpartition("/")[2], tables=tables),
        bodies={view: sql or "" for kind, view, _, sql in objects if kind == "view"},
        triggers=triggers,
        followers=followers,
        sequences=tuple(
            Sequence(name=table, words=table, table=TableName(table))
            for kind, table, _, sql in objects
            if kind == "table" and "AUTOINCREMENT" in (sql or "").upper()
        ),
        is_all_powerful=True,
    )


def _is_virtual(table: str, virtual: tuple[str, ...]) -> bool:
    """Returns whether a table is virtual, or holds the data of a virtual table."""
    return any(table == one or table.startswith(one + "_") for one in virtual)


def _foreign_keys(
    run_query: RunQuery, primary: dict[str, tuple[str, ...]]
) -> tuple[dict[str, list[ForeignKey]], dict[TableName, tuple[TableName, ...]]]:
    parts: dict[tuple[str, int], list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows_of(run_query, FOREIGN):
        parts[row[0], row[1]].append(row)
    foreign: dict[str, list[ForeignKey]] = defaultdict(list)
    followers: dict[TableName, dict[TableName, None]] = defaultdict(dict)
    for (table, _), rows in parts.items():
        target = TableName(rows[0][3])
        theirs = tuple(row[4] for row in rows) if rows[0][4] is not None else primary.get(target.name, ())
        ours = tuple(row[2] for row in rows)
        foreign[table].append(ForeignKey(ours, target, theirs, rows[0][5] not in NO_ACTION))
        if rows[0][5] not in NO_ACTION or rows[0][6] not in NO_ACTION:
            followers[target][TableName(table)] = None
    return foreign, {parent: tuple(children) for parent, children in followers.items()}


def _column(row: tuple[Any, ...], primary: tuple[str, ...], sql: str) -> Column:
    _, name, declared, not_null, default, key, hidden = row
    kind = _type(declared)
    size = LENGTH.search(declared)
    is_row_number = primary == (name,) and declared.upper() == "INTEGER" and "WITHOUT ROWID" not in sql.upper()
    return Column(
        name=name,
        type_name=declared,
        type=kind,
        length=int(size[1]) if size and kind == "text" else None,
        precision=int(size[1]) if size and kind == "decimal" else None,
        scale=int(size[2] or 0) if size and kind == "decimal" else None,
        bits=64 if kind == "integer" else None,
        is_nullable=not not_null and not key,
        default=default,
        is_generated=hidden in (2, 3),
        is_identity=is_row_number,
    )


def _type(declared: str) -> ColumnType:
    """Returns the type of a column with this declared type.

    Names to which ORMs give a meaning come first, then SQLite's rules of affinity (SQLite, "Datatypes", §3.1).
    """
    name = declared.upper()
    if name.startswith("BOOL"):
        return "boolean"
    if name.startswith(("DATETIME", "TIMESTAMP")):
        return "timestamp"
    if name.startswith("DATE"):
        return "date"
    if name.startswith(("JSON", "UUID")):
        return "json" if name.startswith("JSON") else "uuid"
    if "INT" in name:
        return "integer"
    if any(part in name for part in ("CHAR", "CLOB", "TEXT")):
        return "text"
    if "BLOB" in name:
        return "bytes"
    if any(part in name for part in ("REAL", "FLOA", "DOUB")):
        return "float"
    return "decimal" if name.startswith(("NUMERIC", "DECIMAL")) else "other"


def _checks(sql: str) -> list[str]:
    """Returns the conditions of the check constraints in a CREATE TABLE."""
    found = []
    for start in CHECK.finditer(sql):
        depth, at = 1, start.end()
        quote = ""
        while at < len(sql) and depth:
            sign = sql[at]
            if quote:
                quote = "" if sign == quote else quote
            elif sign in "'\"`":
                quote = sign
            else:
                depth += (sign == "(") - (sign == ")")
            at += 1
        found.append(sql[start.end() : at - 1])
    return found
