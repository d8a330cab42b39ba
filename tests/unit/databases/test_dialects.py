"""What dialects write in their own way. SQLite itself is asked in test_against_sqlite.py."""

from datetime import datetime

import pytest

from wimble.databases.sql.parsing import parse, place_of
from wimble.databases.sql.sql_statements import statement

ROW = {
    "id": 7, "email": "Kari@example.com", "data": {"a": {"b": "x"}, "n": 1}, "tags": ["new", "old"], "made": datetime(2024, 3, 1, 10),
    "note": None, "score": 2.5, "live": True,
}  # fmt: skip


@pytest.mark.parametrize(
    ("dialect", "condition", "params", "expected"),
    [
        ("postgres", "id = $1 and email ilike $2", (7, "kari%"), True),
        ("postgres", "email like $1", ("kari%",), False),
        ("postgres", "id = any($1)", ([1, 7],), True),
        ("postgres", "id = any($1)", ("{1,7}",), True),
        ("postgres", "id <> all($1)", ([1, 7],), False),
        ("postgres", "email ~* '^kari@'", (), True),
        ("postgres", "email !~ 'kari'", (), True),
        ("postgres", "email similar to 'K%.(com|org)'", (), True),
        ("postgres", "data->'a'->>'b' = 'x'", (), True),
        ("postgres", "data #>> '{a,b}' = 'y'", (), False),
        ("postgres", """data @> '{"n": 1}'""", (), True),
        ("postgres", """data @> '{"n": 2}'""", (), False),
        ("postgres", "data ? 'n'", (), True),
        ("postgres", "tags && array['new']", (), True),
        ("postgres", "tags @> array['new', 'blue']", (), False),
        ("postgres", "made::date = $1", ("2024-03-01",), True),
        ("postgres", "made < now() - interval '7 days'", (), True),
        ("postgres", "date_trunc('month', made) = '2024-03-01'", (), True),
        ("postgres", "extract(year from made) = 2023", (), False),
        ("postgres", "note is distinct from 'x'", (), True),
        ("postgres", "note = 'x'", (), None),
        ("postgres", "(id, score) in ((7, 2.5))", (), True),
        ("postgres", "live and not (live is false)", (), True),
        ("postgres", "id::text = '7'", (), True),
        ("mysql", "email = ?", ("KARI@EXAMPLE.COM",), True),
        ("mysql", "id in (?)", ([6, 7],), True),
        ("mysql", "note <=> null", (), True),
        ("mysql", "if(id > 5, 'big', 'small') = 'big'", (), True),
        ("mysql", "made >= date_sub(now(), interval 1 day)", (), False),
        ("mysql", "made >= date_add('9999-12-31', interval 1 day)", (), None),
        ("mysql", "json_extract(data, '$.a.b') = 'x'", (), True),
        ("mysql", "concat(id, '-', email) = '7-kari@example.com'", (), True),
        ("mysql", "locate('example', email) > 0", (), True),
        ("mysql", "id div 2 = 3 and id / 2 = 3.5", (), True),
        ("sqlite", "id = :id and email like $mail", ({":id": 7, "mail": "kari%"},), True),
        ("sqlite", "id = ?2 and score = ?1", (2.5, 7), True),
        ("sqlite", "email = '?' or id = ?", (7,), True),
        ("sqlite", "data ->> '$.n' = 1", (), True),
    ],
)  # fmt: skip
def test_conditions_of_each_dialect(dialect, condition, params, expected):
    truth = statement(f"select * from t where {condition}", dialect).truth({"t": [ROW]}, params)

    assert truth is not None
    assert truth.value is (expected is True)


def test_names_are_found_in_any_case_and_with_their_schema():
    query = statement('select "u"."createdAt" from "public"."Users" as "u" where "u"."createdAt" = 1', "postgres")

    assert query.tables == (("users", "public"),)
    assert query.truth({"users": [{"createdat": 1}]}, ()).value is True


def test_places_are_counted_in_the_order_of_the_text():
    tree = parse("select ? from t where a = '?' and b = ? -- ?\n and c in (?, ?)", "mysql")
    places = sorted(place_of(node) for node in tree.walk() if place_of(node) is not None)

    assert places == [0, 1, 2, 3]


def test_what_is_not_understood_has_no_distance():
    assert (
        statement("select a from t group by a having frobnicate(a) = 1", "postgres").truth({"t": [{"a": 1}]}, ())
        is None
    )
    assert statement("select * from t where a = 1", "postgres").truth({}, ()) is None
    assert statement("with recursive q as (select 1) select * from q", "postgres").truth({}, ()) is None


def test_conditions_that_are_not_understood_leave_the_others_their_way():
    query = statement("select * from t where frobnicate(a) and b = 5", "postgres")
    near, far = (query.truth({"t": [{"a": 1, "b": b}]}, ()) for b in (6, 600))

    assert (near.value, far.value) == (None, None), "it may return rows or not"
    assert 0.0 < near.to_true < far.to_true


def test_what_a_query_shows_of_existence_is_what_it_finds():
    query = statement("select exists (select 1 from t where a = ?) as found", "sqlite")

    assert query.is_count
    assert query.truth({"t": [{"a": 1}]}, (1,)).value is True
    assert query.truth({"t": [{"a": 1}]}, (2,)).value is False
