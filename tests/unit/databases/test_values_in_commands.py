"""Rows for commands whose values stand in their text, as some libraries write them."""

from random import Random

import pytest

from wimble.databases.sql.row_request import RowRequest
from wimble.databases.sql.rows_to_insert import rows_wanted
from wimble.databases.sql.sql_statements import statement, with_literals
from wimble.model.database import Column, Database, Table, TableName, UniqueKey


def column(name: str, kind: str) -> Column:
    return Column(name=name, type_name=kind, type=kind, is_nullable=False)


ROOMS = Table(
    name=TableName("rooms"),
    columns=(column("id", "integer"), column("code", "text"), column("org_id", "integer")),
    primary_key=("id",),
    unique=(UniqueKey(("code",)),),
)
DATABASE = Database(id="main", dialect="sqlite", tables=(ROOMS,))
THERE = {"rooms": [{"id": 1, "code": "a", "org_id": 1}]}


@pytest.mark.parametrize("where", ["id = 1", "code = 'a'", "'a' = code"])
def test_a_row_that_is_anothers_gets_another_key(where):
    command = statement(f"SELECT * FROM rooms WHERE {where} AND org_id = 2", "sqlite")
    wanted = rows_wanted(RowRequest(command, DATABASE, THERE), Random(1))
    (row,) = wanted.rows
    cells = {cell.column.name: cell.gene.phenotype() for cell in row.cells}
    assert cells["org_id"] == 2
    ((old, new),) = wanted.renamed
    assert old == (1 if where == "id = 1" else "a")
    assert new in (cells["id"], cells["code"]) and new != old


def test_literals_of_other_columns_and_kinds_stay():
    command = statement("SELECT * FROM rooms WHERE id = 1 AND org_id = 1 AND code = '1' LIMIT 1", "sqlite")
    changed = with_literals(command, {("id", 1): 7}, "sqlite")
    assert changed.tree.sql("sqlite") == "SELECT * FROM rooms WHERE id = 7 AND org_id = 1 AND code = '1' LIMIT 1"
    assert with_literals(command, {("code", 1): 7}, "sqlite") is command
    assert with_literals(command, {}, "sqlite") is command
