"""Rows as the SUT's own models want them."""

import re
from random import Random

import msgspec
import pytest

from wimble.databases.sql.row_request import RowRequest
from wimble.databases.sql.rows_to_insert import rows_wanted
from wimble.databases.sql.sql_statements import statement
from wimble.model.database import Column, ColumnRules, Database, Table, TableName, TableRules
from wimble.state.model_rules import with_rules
from wimble.types import ABSENT

TABLE = Table(
    name=TableName("members"),
    columns=(
        Column(name="id", type_name="INTEGER", type="integer", bits=64, is_nullable=False, is_identity=True),
        Column(name="contact", type_name="TEXT", type="text"),
        Column(name="level", type_name="TEXT", type="text"),
        Column(name="code", type_name="TEXT", type="text"),
        Column(name="visits", type_name="INTEGER", type="integer", bits=32),
        Column(name="notes", type_name="TEXT", type="text"),
    ),
    primary_key=("id",),
)
MODEL = TableRules(
    table="members",
    columns={
        "contact": ColumnRules(not_null=True, format="email", max_length=40),
        "level": ColumnRules(values=("basic", "gold")),
        "code": ColumnRules(pattern=r"^[A-Z]{2}-\d{4}$"),
        "visits": ColumnRules(low=3, high=9),
        "notes": ColumnRules(is_json=True),
    },
)
QUERY = statement("select contact, level, code, visits, notes from members where id > 0", "sqlite")
KEPT = {
    "contact": lambda value: "@" in value and len(value) <= 40,
    "level": lambda value: value in ("basic", "gold"),
    "code": lambda value: re.search(r"^[A-Z]{2}-\d{4}$", value),
    "visits": lambda value: 3 <= value <= 9,
    "notes": lambda value: value in ("{}", "[]"),
}


def row(seed: int, table: Table) -> dict[str, object]:
    database = Database(id="d", dialect="sqlite", tables=(table,))
    (made,) = rows_wanted(RowRequest(QUERY, database, {}, ()), Random(seed)).rows
    return {cell.column.name: cell.gene.phenotype() for cell in made.cells}


def share_of_kept(column, table):
    """Of 400 rows that name the column; what may be left to the database is, now and then."""
    made = [value for seed in range(400) if (value := row(seed, table)[column]) is not ABSENT]
    return sum(bool(KEPT[column](value)) for value in made) / len(made)


@pytest.mark.parametrize("column", KEPT)
def test_rows_are_as_the_models_want_them_but_for_a_few(column):
    database = with_rules(Database(id="d", dialect="sqlite", tables=(TABLE,)), [MODEL])
    share_kept = share_of_kept(column, database.tables[0])
    assert 0.95 <= share_kept < 1.0, "some are unruly, since a row that the API cannot read is a fault"
    assert share_of_kept(column, TABLE) < share_kept


def test_json_that_a_model_parses_is_written_once_into_a_column_of_json():
    columns = tuple(
        msgspec.structs.replace(column, type_name="JSONB", type="json") if column.name == "notes" else column
        for column in TABLE.columns
    )
    table = msgspec.structs.replace(TABLE, columns=columns)
    database = with_rules(Database(id="d", dialect="sqlite", tables=(table,)), [MODEL])
    notes = [value for seed in range(50) if (value := row(seed, database.tables[0])["notes"]) not in (ABSENT, None)]
    assert notes
    assert not {"{}", "[]"} & {value for value in notes if isinstance(value, str)}


def test_models_are_found_by_table_and_schema():
    other = msgspec.structs.replace(TABLE, name=TableName("members", "old"))
    database = Database(id="d", dialect="postgres", tables=(TABLE, other))
    for schema, expected in [("", [True, True]), ("old", [True, True]), ("new", [True, False])]:
        found = with_rules(database, [msgspec.structs.replace(MODEL, schema=schema)])
        assert [table.columns[1].rules is not None for table in found.tables] == expected


def test_tables_without_a_model_stay_as_they_are():
    database = Database(id="d", dialect="sqlite", tables=(TABLE,))
    assert with_rules(database, [TableRules(table="guests", columns=MODEL.columns)]) == database
