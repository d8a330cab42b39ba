"""The SUT's models laid over the schemas of its databases: which column has which rules."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from wimble.model.database import ColumnRules, Database, Table, TableRules


def with_rules(database: Database, models: Sequence[TableRules]) -> Database:
    """Models are found by table and, where both tell one, schema; of several for one column the last holds."""
    return msgspec.structs.replace(database, tables=tuple(_with_rules(table, models) for table in database.tables))


def _with_rules(table: Table, models: Sequence[TableRules]) -> Table:
    rules: dict[str, ColumnRules] = {}
    for model in models:
        is_same_schema = not model.schema or not table.name.schema or model.schema == table.name.schema
        if model.table == table.name.name and is_same_schema:
            rules |= model.columns
    if not rules:
        return table
    columns = tuple(msgspec.structs.replace(column, rules=rules.get(column.name)) for column in table.columns)
    return msgspec.structs.replace(table, columns=columns)
