"""Distances against the real thing: for random rows and random queries, a distance is 0 exactly when SQLite returns
rows."""

import sqlite3
from collections.abc import Sequence
from random import Random

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from wimble.databases.sql.row_request import RowRequest
from wimble.databases.sql.rows_to_insert import rows_wanted
from wimble.databases.sql.sql_statements import statement
from wimble.model.database import Column, Database, Table, TableName
from wimble.types import ABSENT

COLUMNS = {"a": ("id", "n", "s", "d"), "b": ("id", "a_id", "s", "x")}
INTEGERS = st.one_of(st.none(), st.integers(-3, 6))
TEXTS = st.one_of(st.none(), st.sampled_from(["", "a", "b", "ab", "abc", "B", "a_c", "x y", "2024-01-05", "7"]))
DATES = st.one_of(st.none(), st.sampled_from(["2023-12-31", "2024-01-01", "2024-01-05"]))
ROWS = {
    "a": st.lists(st.tuples(st.integers(1, 5), INTEGERS, TEXTS, DATES), max_size=4),
    "b": st.lists(st.tuples(st.integers(1, 5), INTEGERS, TEXTS, INTEGERS), max_size=4),
}


def numbers(alias: str) -> st.SearchStrategy[str]:
    columns = {"a": ["a.id", "a.n"], "b": ["b.id", "b.a_id", "b.x"]}
    plain = st.one_of(
        st.sampled_from(columns[alias]), st.integers(-2, 6).map(str), st.just("NULL"), st.just(f"length({alias}.s)")
    )
    return st.one_of(
        plain,
        st.tuples(plain, st.sampled_from("+-*%"), plain).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(plain, plain).map(lambda t: f"coalesce({t[0]}, {t[1]})"),
        st.tuples(plain, plain).map(lambda t: f"(case when {t[0]} > 1 then {t[1]} else 2 end)"),
        plain.map(lambda one: f"abs({one})"),
    )


def texts(alias: str) -> st.SearchStrategy[str]:
    literal = st.sampled_from(["'a'", "'ab'", "'b'", "'abc'", "''", "NULL"])
    plain = st.one_of(st.just(f"{alias}.s"), literal)
    return st.one_of(
        plain,
        plain.map(lambda one: f"lower({one})"),
        plain.map(lambda one: f"substr({one}, 1, 2)"),
        plain.map(lambda one: f"({one} || 'c')"),
        plain.map(lambda one: f"trim({one})"),
    )


def leaves(alias: str) -> st.SearchStrategy[str]:
    operators = st.sampled_from(["=", "<>", "<", "<=", ">", ">=", "is", "is not"])
    number, text = numbers(alias), texts(alias)
    patterns = st.sampled_from(["'a%'", "'%b'", "'_b%'", "'%'", "'a_c'", "'%B%'", "'x'"])
    return st.one_of(
        st.tuples(number, operators, number).map(" ".join),
        st.tuples(text, operators, text).map(" ".join),
        st.tuples(number, st.sampled_from(["in", "not in"]), st.lists(number, min_size=1, max_size=3)).map(
            lambda t: f"{t[0]} {t[1]} ({', '.join(t[2])})"
        ),
        st.tuples(number, st.sampled_from(["between", "not between"]), number, number).map(
            lambda t: f"{t[0]} {t[1]} {t[2]} and {t[3]}"
        ),
        st.tuples(text, st.sampled_from(["like", "not like"]), patterns).map(" ".join),
        st.tuples(text, st.sampled_from(["is null", "is not null"])).map(" ".join),
        st.just(f"{alias}.s glob 'a*'"),
        st.just("a.d >= '2024-01-01'" if alias == "a" else "b.x"),
        st.just("date(a.d, '+1 day') = '2024-01-01'" if alias == "a" else "b.x > 0"),
    )


def conditions(alias: str, depth: int = 2) -> st.SearchStrategy[str]:
    if depth == 0:
        return leaves(alias)
    inner = conditions(alias, depth - 1)
    return st.one_of(
        leaves(alias),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        inner.map(lambda one: f"not ({one})"),
    )


def with_subqueries() -> st.SearchStrategy[str]:
    below = conditions("b", 1)
    return st.one_of(
        below.map(lambda one: f"exists (select 1 from b where b.a_id = a.id and {one})"),
        below.map(lambda one: f"not exists (select * from b where {one})"),
        below.map(lambda one: f"a.id in (select a_id from b where {one})"),
        below.map(lambda one: f"a.n = (select max(x) from b where {one})"),
        below.map(lambda one: f"(select count(*) from b where b.a_id = a.id and {one}) > 1"),
        conditions("a"),
    )


QUERIES = st.one_of(
    conditions("a").map(lambda one: f"select * from a where {one}"),
    st.tuples(with_subqueries(), conditions("a", 1)).map(lambda t: f"select a.id from a where {t[0]} and {t[1]}"),
    st.tuples(st.sampled_from(["join", "left join"]), conditions("a", 1), conditions("b", 1)).map(
        lambda t: f"select a.s from a {t[0]} b on b.a_id = a.id and {t[2]} where {t[1]}"
    ),
    st.tuples(st.sampled_from(["join", "left join"]), conditions("b", 1)).map(
        lambda t: f"select a.s from a {t[0]} b on b.a_id = a.id where {t[1]}"
    ),
    st.tuples(conditions("a", 1), conditions("b", 1)).map(
        lambda t: f"select 1 from a, b where a.id = b.a_id and {t[0]} and {t[1]}"
    ),
    st.tuples(conditions("a", 1), st.integers(0, 3)).map(
        lambda t: f"select n, count(*) from a where {t[0]} group by n having count(*) > {t[1]}"
    ),
    conditions("a", 1).map(lambda one: f"select n, max(id) from a where {one} group by n having sum(id) > 4"),
    st.tuples(conditions("a", 1), conditions("b", 1)).map(
        lambda t: f"select id from a where {t[0]} union select id from b where {t[1]}"
    ),
    st.tuples(conditions("a", 1), st.integers(0, 2)).map(lambda t: f"select * from a where {t[0]} limit 5 offset {t[1]}"),
    conditions("a", 1).map(lambda one: f"with q as (select id, n as m from a where {one}) select * from q where m > 1"),
    conditions("a", 1).map(lambda one: f"select * from (select id, s as t from a where {one}) as q where q.t like 'a%'"),
)  # fmt: skip


def filled(rows: dict[str, Sequence[tuple[object, ...]]]) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table a (id integer, n integer, s text, d text)")
    connection.execute("create table b (id integer, a_id integer, s text, x integer)")
    for table, values in rows.items():
        connection.executemany(f"insert into {table} values (?, ?, ?, ?)", values)
    return connection


def as_tables(rows: dict[str, Sequence[tuple[object, ...]]]) -> dict[str, list[dict[str, object]]]:
    return {table: [dict(zip(COLUMNS[table], row, strict=True)) for row in values] for table, values in rows.items()}


@given(st.fixed_dictionaries(ROWS), QUERIES)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_distance_is_0_exactly_when_sqlite_returns_rows(rows, query):
    returned = filled(rows).execute(query).fetchall()

    compiled = statement(query, "sqlite")
    assert compiled is not None, query
    truth = compiled.truth(as_tables(rows), ())

    assert truth is not None, query
    assert (truth.value is True) == bool(returned)
    assert (truth.to_true == 0.0) == bool(returned)
    assert (truth.to_false == 0.0) == (not returned)
    assert 0.0 <= truth.to_true <= 1.0
    assert 0.0 <= truth.to_false <= 1.0


@given(
    st.fixed_dictionaries(ROWS),
    conditions("a"),
    st.sampled_from(["update a set n = 1 where {}", "delete from a where {}"]),
)
@settings(max_examples=100, deadline=None)
def test_changes_that_hit_nothing_have_a_distance(rows, condition, shape):
    connection = filled(rows)
    affected = connection.execute(shape.format(condition)).rowcount
    assume(affected >= 0)

    truth = statement(shape.format(condition), "sqlite").truth(as_tables(rows), ())

    assert (truth.to_true == 0.0) == (affected > 0)


AS_DATABASE = Database(
    id="d",
    dialect="sqlite",
    tables=tuple(
        Table(
            name=TableName(table),
            columns=tuple(
                Column(name=name, type_name="", type="text" if name in "sd" else "integer") for name in names
            ),
        )
        for table, names in COLUMNS.items()
    ),
)


@given(st.fixed_dictionaries(ROWS), QUERIES, st.integers(0, 5))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_rows_for_any_query_are_taken_and_found_where_they_are_said_to_be(rows, query, seed):
    connection = filled(rows)
    compiled = statement(query, "sqlite")
    tables = as_tables(rows)
    if connection.execute(query).fetchall():
        return

    wanted = rows_wanted(RowRequest(compiled, AS_DATABASE, tables, ()), Random(seed))

    after = {table: list(cells) for table, cells in tables.items()}
    for row in wanted.rows:
        cells = {cell.column.name: cell.gene.phenotype() for cell in row.cells}
        cells = {name: None if value is ABSENT else value for name, value in cells.items()}
        after[row.table.name.name].append(cells)
        names, marks = ", ".join(cells), ", ".join("?" for _ in cells)
        connection.execute(f"insert into {row.table.name} ({names}) values ({marks})", list(cells.values()))
    assert bool(connection.execute(query).fetchall()) == bool(compiled.truth(after, ()).value)
