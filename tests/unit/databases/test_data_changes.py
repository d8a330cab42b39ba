"""What commands do to data, by database language."""

import pytest

from wimble.databases.data_change import DataChange
from wimble.databases.languages import language_of
from wimble.model.database import DatabaseCommand


def change(dialect, text, *params):
    command = DatabaseCommand(database="d", dialect=dialect, call=0, site="", text=text, params=params)
    return language_of(dialect).change(command)


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        ("postgres", "INSERT INTO shop.orders (a) VALUES ($1) ON CONFLICT (a) DO UPDATE SET b = 2", ("insert", "orders")),
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
def test_of_sql(dialect, text, expected):
    assert change(dialect, text) == (expected and DataChange(*expected))


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
def test_of_documents(text, command, expected):
    assert change("mongo", text, command) == (expected and DataChange(*expected))
    assert change("mongo", text) is None or expected is not None


def test_of_keys_is_none():
    assert change("redis", "SET", "a", "b") is None
