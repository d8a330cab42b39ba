"""A column of texts that are all JSON gets JSON: the program writes them itself, and may read them without a look."""

from random import Random

import pytest

from wimble.databases.sql.row_request import RowRequest
from wimble.databases.sql.rows_to_insert import rows_wanted
from wimble.databases.sql.sql_statements import statement
from wimble.json_texts import holds_json
from wimble.model.database import Column, Database, Table, TableName

PITCHES = Table(
    name=TableName("pitches"),
    columns=(
        Column(name="id", type_name="INTEGER", type="integer", bits=64, is_identity=True),
        Column(name="features", type_name="TEXT", type="text", is_nullable=False),
    ),
    primary_key=("id",),
)
DATABASE = Database(id="d", dialect="sqlite", tables=(PITCHES,))


@pytest.mark.parametrize(
    ("texts", "is_json"),
    [
        (('[{"code":"wifi"}]', "[]"), True),
        (('[{"code":"wifi"}]', "none"), False),
        (("1", "2"), False),
        ((), False),
    ],
)
def test_new_rows_hold_json_where_all_others_do(texts, is_json):
    rows = tuple({"id": number, "features": text} for number, text in enumerate(texts, 1))
    drawn = set()
    for seed in range(30):
        request = RowRequest(statement("SELECT * FROM pitches WHERE id = 77", "sqlite"), DATABASE, {"pitches": rows})
        (row,) = rows_wanted(request, Random(seed)).rows
        drawn |= {cell.gene.phenotype() for cell in row.cells if cell.column.name == "features"}
    assert drawn
    assert all(map(holds_json, drawn)) == is_json
    assert not is_json or texts[0] in drawn
