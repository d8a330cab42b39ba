"""Check constraints that relate columns: the rows that are proposed are taken by SQLite, and found. What inputs cannot
be, they become."""

import sqlite3
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from wimble.databases.sql.row_request import RowRequest
from wimble.databases.sql.rows_to_insert import rows_wanted
from wimble.databases.sql.sql_statements import statement
from wimble.model.database import Column, Database, Table, TableName
from wimble.types import ABSENT

NAMES = ("a", "b", "c")
TYPES = {"a": "integer", "b": "integer", "c": "integer", "price": "decimal(10, 2)", "day": "date", "kind": "text"}


def schema(checks: list[str]) -> tuple[str, Database]:
    columns = ", ".join(f"{name} {kind} not null" for name, kind in TYPES.items())
    ddl = f"create table t ({columns}{''.join(f', check ({check})' for check in checks)})"
    kinds = {"decimal(10, 2)": "decimal"}
    table = Table(
        name=TableName("t"),
        columns=tuple(
            Column(
                name=name, type_name=kind, type=kinds.get(kind, kind), is_nullable=False, bits=32, scale=2, precision=10
            )
            for name, kind in TYPES.items()
        ),
        checks=tuple(checks),
    )
    return ddl, Database(id="d", dialect="sqlite", tables=(table,))


def found(
    checks: list[str], query: str, params: tuple = (), seed: int = 1, kept_params: frozenset[int] = frozenset()
) -> tuple[int, tuple]:
    """How many rows the query finds among those proposed, with its operands renamed as proposed; and these."""
    ddl, database = schema(checks)
    connection = sqlite3.connect(":memory:")
    connection.execute(ddl)
    wanted = rows_wanted(RowRequest(statement(query, "sqlite"), database, {"t": ()}, params, kept_params), Random(seed))
    for row in wanted.rows:
        cells = {cell.column.name: cell.gene.phenotype() for cell in row.cells}
        cells = {name: value for name, value in cells.items() if value is not ABSENT}
        marks = ", ".join("?" for _ in cells)
        connection.execute(f"insert into t ({', '.join(cells)}) values ({marks})", list(cells.values()))
    renamed = dict(wanted.renamed)
    asked = tuple(renamed.get(param, param) for param in params)
    return len(connection.execute(query, asked).fetchall()), wanted.renamed


@pytest.mark.parametrize(
    ("checks", "query"),
    [
        (["a + b = c", "b * 5 = a and b > 200"], "select * from t where c > 5000"),
        (["a * b = c", "a > 3", "b > 3"], "select * from t where c between 143 and 143"),
        (["a % 7 = 3", "b = a * 2 + 1"], "select * from t where b > 100 and c = 8"),
        (["kind <> 'air' or a <= 80", "kind in ('air', 'road')"], "select * from t where kind = 'air' and a > 78"),
        (["price * 3 = a"], "select * from t where price > 12.5"),
        (["abs(a - b) = c", "c > 40"], "select * from t where a = 7"),
        (["length(kind) = a", "a > 20"], "select * from t where b = 2"),
    ],
)
def test_related_columns_are_solved_together(checks, query):
    assert found(checks, query)[0] == 1


def test_an_input_that_no_row_can_have_becomes_another():
    n_found, renamed = found(["a = 6 * b"], "select * from t where a = ? and b > 2", (17,))

    assert n_found == 1
    assert [old for old, _ in renamed] == [17]


def test_an_input_that_is_no_option_becomes_one():
    n_found, renamed = found(["kind in ('air', 'road')"], "select * from t where kind = ?", ("zeppelin",))

    assert n_found == 1
    assert renamed[0][0] == "zeppelin"
    assert renamed[0][1] in ("air", "road")


@pytest.mark.parametrize(("kept_param", "changed"), [(0, 2_000), (1, "air")])
def test_of_two_inputs_that_no_row_can_have_together_the_one_that_has_to_stay_does(kept_param, changed):
    checks = ["kind in ('air', 'road')", "kind <> 'air' or a <= 80"]
    query = "select * from t where kind = ? and a > ?"
    n_found, renamed = found(checks, query, ("air", 2_000), kept_params=frozenset({kept_param}))

    assert n_found == 1
    assert [old for old, _ in renamed] == [changed]


TERMS = st.tuples(st.integers(-4, 4), st.sampled_from(NAMES), st.integers(-4, 4), st.sampled_from(NAMES)).map(
    lambda t: f"{t[0]} * {t[1]} + {t[2]} * {t[3]}"
)
CHECKS = st.tuples(TERMS, st.sampled_from(["=", "<", ">=", "<>"]), TERMS, st.integers(-50, 50)).map(
    lambda t: f"{t[0]} {t[1]} {t[2]} + {t[3]}"
)


@given(st.lists(CHECKS, min_size=1, max_size=3), st.integers(-500, 500), st.integers(0, 3))
@settings(max_examples=120, deadline=None)
def test_where_a_row_exists_one_is_found(checks, limit, seed):
    """Whether one exists is asked by brute force: a box of small numbers has one, or nothing is said."""
    connection = sqlite3.connect(":memory:")
    box = "with recursive n(x) as (select -12 union all select x + 1 from n where x < 12)"
    existing = connection.execute(
        f"{box} select 1 from n a_, n b_, n c_, (select 0) where ({') and ('.join(named(check) for check in checks)}) and a_.x + ? <= c_.x * 20 limit 1",
        (limit,),
    ).fetchall()
    assume(existing)

    assert found(checks, f"select * from t where a + {limit} <= c * 20", seed=seed)[0] == 1


def named(check: str) -> str:
    for name in NAMES:
        check = check.replace(f"* {name}", f"* {name}_.x")
    return check


@pytest.mark.parametrize("relation", ["<", "<>"])
def test_the_last_of_all_days_which_often_means_for_ever_has_days_before_it(relation: str) -> None:
    assert found([], f"select * from t where day {relation} '9999-12-31'")[0] == 1


@pytest.mark.parametrize(("relation", "last"), [(">", "9999-12-31"), ("<", "0001-01-01")])
def test_where_a_day_has_none_beside_it_the_rest_of_a_condition_is_satisfied(relation: str, last: str) -> None:
    assert found([], f"select * from t where day {relation} '{last}' or c = 5")[0] == 1
