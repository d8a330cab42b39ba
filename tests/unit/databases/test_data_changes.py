"""What commands do to data, by database language."""

import pytest

from wimble.databases.languages import language_of
from wimble.model.database import DatabaseCommand
from wimble.types import ABSENT


def change(dialect, text, *params):
    command = DatabaseCommand(database="d", dialect=dialect, call=0, site="", text=text, params=params)
    return language_of(dialect).change(command)


def shown(found):
    """As rows of the tables below have it: kind, table, and the columns if there are any."""
    return found and (found.kind, found.table, found.columns)[: 3 if found.columns else 2]


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        ("postgres", "INSERT INTO shop.orders (a) VALUES ($1) ON CONFLICT (a) DO UPDATE SET b = 2", ("insert", "orders", ("a",))),
        ("sqlite", "INSERT OR REPLACE INTO orders VALUES (?)", ("insert", "orders")),
        ("mysql", "REPLACE INTO orders (a) VALUES (?)", ("insert", "")),
        ("postgres", "MERGE INTO a USING b ON a.id = b.id WHEN MATCHED THEN UPDATE SET x = 1", ("insert", "a")),
        ("postgres", "WITH gone AS (DELETE FROM a RETURNING *) SELECT * FROM gone", ("delete", "a")),
        ("postgres", "WITH one AS (SELECT 1) UPDATE a SET b = 1, \"c d\" = $1", ("update", "a", ("b", "c d"))),
        ("postgres", "UPDATE a SET (x, y) = (1, 2) WHERE z = 3", ("update", "a", ("x", "y"))),
        ("mysql", "UPDATE `tools` AS t SET t.`note` = 'a = b, c = d'", ("update", "tools", ("note",))),
        ("mysql", "delete a from a join b on a.x = b.x", ("delete", "a")),
        ("postgres", "SELECT * FROM updates FOR UPDATE", None),
        ("sqlite", "BEGIN", None),
        ("postgres", "UPDATE ((", ("update", "")),
    ],
)  # fmt: skip
def test_a_statement_of_sql_tells_its_change_of_rows(dialect, text, expected):
    assert shown(change(dialect, text)) == expected


@pytest.mark.parametrize(
    ("dialect", "text", "params", "assigned"),
    [
        ("postgres", 'insert into "bookings" ("show_id", "at") values ($2, now()) returning "id"', (7, 8), (8, ABSENT)),
        ("mysql", "INSERT INTO `bookings` (`id`,`show_id`,`note`) VALUES (DEFAULT,?,'x')", (3,), (ABSENT, 3, "x")),
        ("sqlite", "INSERT INTO bookings (show_id) VALUES (?), (?)", (3, 4), (3,)),
        ("sqlite", "INSERT INTO bookings (show_id, n, x) VALUES (9, -1, 2.5)", (), (9, -1, 2.5)),
        ("sqlite", "INSERT INTO bookings (show_id) SELECT id FROM shows", (), ()),
    ],
)
def test_values_of_the_first_row_that_is_inserted(dialect, text, params, assigned):
    assert tuple(change(dialect, text, *params).assigned.values()) == assigned


@pytest.mark.parametrize(
    ("text", "command", "expected"),
    [
        ("books.insert", {"documents": [{"a": 1}]}, ("insert", "books")),
        ("my.books.delete", {"deletes": [{"q": {}, "limit": 1}]}, ("delete", "my.books")),
        (
            "books.update",
            {
                "updates": [
                    {"u": {"$set": {"a.b": 1}, "$inc": {"n": 1}}},
                    {"u": {"a": 2, "z": 3}},
                    {"u": [{"$set": {}}]},
                ]
            },
            ("update", "books", ("a", "n", "z")),
        ),
        ("books.findAndModify", {"update": {"$unset": {"a": ""}}}, ("update", "books", ("a",))),
        ("books.findAndModify", {"remove": True}, ("delete", "books")),
        ("books.find", {"filter": {}}, None),
        ("books.update", {}, ("update", "books")),
    ],
)
def test_a_command_of_mongodb_tells_its_change_of_documents(text, command, expected):
    assert shown(change("mongo", text, command)) == expected
    assert change("mongo", text) is None or expected is not None


def test_a_command_of_redis_tells_no_change_of_rows():
    assert change("redis", "SET", "a", "b") is None


@pytest.mark.parametrize(
    ("dialect", "text", "params", "values"),
    [
        ("postgres", "UPDATE a SET b = $2::text, c = 'it''s', d = d + 1, e = $9 WHERE f = $1", (1, "x"), ["x", "it's", ABSENT, ABSENT]),
        ("mysql", "UPDATE a JOIN z ON z.y = ? SET b = ?, c = now()", (1, "x"), ["x", ABSENT]),
        ("sqlite", "UPDATE a SET b = :new, c = :other", ({"new": "x"},), ["x", ABSENT]),
        ("mongo", "a.findAndModify", ({"update": {"$set": {"b": "x", "c.d": "y"}, "$inc": {"e": 2}}},), ["x", ABSENT, 2]),
    ],
)  # fmt: skip
def test_the_new_values_of_an_update_are_known_as_far_as_the_command_has_them(dialect, text, params, values):
    assert list(change(dialect, text, *params).assigned.values()) == values
