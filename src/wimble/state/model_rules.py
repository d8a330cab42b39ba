"""Adds the rules of the SUT's models to the columns of its databases."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from wimble.databases.languages import language_of
from wimble.model.database import Column, ColumnRules, Database, Table, TableRules


def with_rules(database: Database, models: Sequence[TableRules]) -> Database:
    """Returns the database with the rules of the models in its columns.

    A model matches a table with the same name and, if both name one, the same schema. If several models have rules for
    a column, the last one applies; kinds of JSON, which only the API's commands show, stay.
    """
    if not models:
        return database
    has_fields = language_of(database.dialect).has_open_tables
    return msgspec.structs.replace(
        database, tables=tuple(_with_rules(table, models, has_fields=has_fields) for table in database.tables)
    )


def _with_rules(table: Table, models: Sequence[TableRules], *, has_fields: bool) -> Table:
    """Returns the table with the rules of its models.

    has_fields: whether columns are added for rules whose column the schema does not contain.
    """
    rules: dict[str, ColumnRules] = {}
    for model in models:
        is_same_schema = not model.schema or not table.name.schema or model.schema == table.name.schema
        if model.table == table.name.name and is_same_schema:
            for name, one in model.columns.items():
                kind = one.json_kind or (rules[name].json_kind if name in rules else "")
                rules[name] = msgspec.structs.replace(one, json_kind=kind)
    if not rules:
        return table
    columns = [
        msgspec.structs.replace(column, rules=column.rules or rules.get(column.name)) for column in table.columns
    ]
    if has_fields:
        known = {column.name for column in table.columns}
        columns += [_field(name, one) for name, one in rules.items() if name not in known]
    return msgspec.structs.replace(table, columns=tuple(columns))


def _field(name: str, rules: ColumnRules) -> Column:
    return Column(
        name=name,
        type_name="",
        type=rules.type or "other",
        is_nullable=not rules.not_null,
        element=rules.element,
        rules=rules,
    )
