"""Errors about values that only rows made by tests lack."""

import msgspec
import pytest

from wimble.genes import NullableGene, StringGene
from wimble.model.database import Column, DatabaseCommand, TableName
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import TestCase
from wimble.oracles.databases.filled_columns import LEAST_INSERTS
from wimble.oracles.databases.written_columns import WrittenColumns

INSERT = "INSERT INTO singers (name, section_id, password) VALUES (?, ?, ?)"
NULL_NAME = "Cannot return null for non-nullable field Singer.name."
NULL_SECTION = "Cannot return null for non-nullable field Singer.section."
NO_HASH = "Error: Illegal arguments: string, object"


def command(text, *params):
    return DatabaseCommand(
        database="d", dialect="sqlite", call=0, site="a.js:1", text=text, params=params, affected=1
    )  # fmt: skip


def learnt(make, *commands):
    columns = WrittenColumns()
    for one in commands:
        stored = make.evaluation((make.operation("POST"), make.answer(201, {})))
        columns.note(msgspec.structs.replace(stored, interactions=(one,)))
    return columns


def with_row(make, **values):
    row = InsertRow(
        genes=tuple(NullableGene(StringGene(value or ""), is_null=value is None) for value in values.values()),
        database="d",
        dialect="sqlite",
        table=TableName("singers"),
        columns=tuple(Column(name=name, type_name="TEXT", type="text", is_nullable=True) for name in values),
    )
    return TestCase(make.evaluation((make.operation(), make.answer(200, {}))).test_case.calls, (row,))


@pytest.mark.parametrize(
    ("row", "message", "is_explained"),
    [
        ({"name": None}, NULL_NAME, True),
        ({"name": "a"}, NULL_NAME, False),
        ({"section_id": None}, NULL_SECTION, True),
        ({"section_id": None}, NULL_NAME, False),
        ({"phone": None}, "Cannot return null for non-nullable field Singer.phone.", False),
        ({"password": None}, NO_HASH, True),
        ({"name": None}, NO_HASH, False),
        ({"name": None}, "Cannot read properties of null (reading 'trim')", False),
    ],
)
def test_null_in_a_column_that_the_api_always_fills_is_no_fault(make, row, message, is_explained):
    columns = learnt(make, *[command(INSERT, "Ida", 3, "$2b$04$abc")] * LEAST_INSERTS)
    assert columns.explain(with_row(make, **row), 0, message) == is_explained


@pytest.mark.parametrize(
    "further",
    [
        [],
        [command(INSERT, None, 3, "x")] * LEAST_INSERTS,
        [command("INSERT INTO singers (section_id) VALUES (?)", 3), *[command(INSERT, "Ida", 3, "x")] * LEAST_INSERTS],
        [*[command(INSERT, "Ida", 3, "x")] * LEAST_INSERTS, command("UPDATE singers SET name = ? WHERE id = 1", None)],
    ],
)
def test_null_that_the_api_may_write_itself_is_one(make, further):
    columns = learnt(make, command(INSERT, "Ida", 3, "x"), *further)
    assert not columns.explain(with_row(make, name=None), 0, NULL_NAME)
