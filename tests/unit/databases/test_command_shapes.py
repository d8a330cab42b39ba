"""Commands are one command whatever values stand in their texts."""

from __future__ import annotations

import pytest

from wimble.databases.sql.command_shapes import shape_of


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("SELECT * FROM users\n  WHERE email = $1", "SELECT * FROM users WHERE email = $1"),
        ("SELECT a1 FROM t2 WHERE a1 = 'O''Hara' LIMIT 10;", "SELECT a1 FROM t2 WHERE a1 = ? LIMIT ?;"),
        ("""SELECT "a 1" FROM `t 2` WHERE "a 1"='it\\'s' AND b>-1.5e3""", """SELECT "a 1" FROM `t 2` WHERE "a 1"=? AND b>-?"""),
        ("SELECT 1 FROM t WHERE a IN ('x', 'y','z') AND b IN (1)", "SELECT ? FROM t WHERE a IN (?) AND b IN (?)"),
        ("SELECT x FROM t WHERE a = E'\\n' AND d > DATE '2024-01-01'", "SELECT x FROM t WHERE a = ? AND d > DATE ?"),
        ("UPDATE t SET v = :v1 WHERE k = ?2 AND n = @n3", "UPDATE t SET v = :v1 WHERE k = ?2 AND n = @n3"),
        ("SELECT 'not ended", "SELECT 'not ended"),
    ],
)  # fmt: skip
def test_literals_are_left_out(text, shape):
    assert shape_of(text) == shape
