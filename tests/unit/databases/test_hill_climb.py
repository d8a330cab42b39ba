"""How long a climb over the cells of planned rows goes on."""

from itertools import count
from random import Random

import pytest

from wimble.databases.sql import hill_climb, rows_to_insert
from wimble.databases.sql.hill_climb import LEAST_TRIES, MAX_TRIES
from wimble.databases.sql.row_request import RowRequest
from wimble.databases.sql.sql_statements import statement
from wimble.model.database import Column, Database, Table, TableName

ONE_TABLE = "SELECT * FROM a WHERE a.x > 1 AND a.y < 2 AND a.z = 3"
JOINED = ONE_TABLE.replace("FROM a", "FROM a LEFT JOIN b ON b.x = a.id LEFT JOIN c ON c.x = b.id")


def table(name):
    columns = (Column(name=one, type_name="integer", type="integer", bits=32) for one in ("id", "x", "y", "z"))
    return Table(name=TableName(name), columns=tuple(columns), primary_key=("id",))


DATABASE = Database(id="d", dialect="sqlite", tables=(table("a"), table("b"), table("c")))


@pytest.mark.parametrize(
    ("text", "n_rows", "most"),
    [(ONE_TABLE, 3, MAX_TRIES), (ONE_TABLE, 200, MAX_TRIES // 2), (JOINED, 5, MAX_TRIES), (JOINED, 60, LEAST_TRIES)],
)
def test_the_more_rows_an_evaluation_looks_at_the_fewer_there_are(monkeypatch, text, n_rows, most):
    evaluated = count(1)
    # Each one is an improvement, so that the climb never ends by itself.
    monkeypatch.setattr(hill_climb._Goal, "distance", lambda _: 1e6 - next(evaluated))
    monkeypatch.setattr(rows_to_insert._Completion, "with_one_more", lambda *_: None)
    rows = tuple({"id": number, "x": 0, "y": 5, "z": 0} for number in range(n_rows))
    request = RowRequest(statement(text, "sqlite"), DATABASE, {"a": rows, "b": rows, "c": rows})
    rows_to_insert.rows_wanted(request, Random(1))
    tried = next(evaluated)
    assert most <= tried <= most + 10
