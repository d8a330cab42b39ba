"""Redis as tables: what a command asks for, whether it was there, and the keys that it would find."""

from random import Random

import pytest

from wimble.databases.redis.key_tables import as_missed, as_query, database_of_keys
from wimble.databases.sql.relevant_rows import rows_query
from wimble.databases.sql.row_request import RowRequest
from wimble.databases.sql.rows_to_insert import rows_wanted
from wimble.databases.sql.sql_statements import statement
from wimble.model.database import DatabaseCommand, InsertRows
from wimble.model.setup_kinds.insert_key import insert_command
from wimble.state.redis.stored_keys import rows_of_table, table_asked

EMPTY = {f"redis.{name}": () for name in ("strings", "hashes", "sets", "sorted_sets", "lists")}


def asked(name: str, *params, returned: int = 0) -> DatabaseCommand | None:
    return as_query(DatabaseCommand(database="r", call=0, site="a:1", text=name, params=params, returned=returned))


@pytest.mark.parametrize(
    ("command", "table", "row"),
    [
        (("GET", "a:1"), "strings", {"key": "a:1"}),
        (("MGET", "a", "b"), "strings", {"key": "a"}),
        (("EXISTS", "a"), "strings", {"key": "a"}),
        (("SET", "lock", "me", "NX", "PX", 100), "strings", {"key": "lock"}),
        (("KEYS", "cart:*"), "strings", {"key": "cart:"}),
        (("HGET", "h", "role"), "hashes", {"key": "h", "field": "role"}),
        (("HMGET", "h", "role", "name"), "hashes", {"key": "h", "field": "role"}),
        (("HGETALL", "h"), "hashes", {"key": "h"}),
        (("SISMEMBER", "s", 7), "sets", {"key": "s", "member": "7"}),
        (("SMEMBERS", "s"), "sets", {"key": "s"}),
        (("ZSCORE", "z", "m"), "sorted_sets", {"key": "z", "member": "m"}),
        (("ZINCRBY", "z", 1, "m"), "sorted_sets", {"key": "z", "member": "m"}),
        (("LLEN", "l"), "lists", {"key": "l"}),
    ],
)
def test_a_command_that_missed_is_led_to_the_key_that_it_asks_for(command, table, row):
    told = asked(*command)

    wanted = rows_wanted(
        RowRequest(statement(told.text, "redis"), database_of_keys("r", "0"), EMPTY, told.params), Random(1)
    )

    (made,) = wanted.rows
    cells = {cell.column.name: cell.gene.phenotype() for cell in made.cells}
    assert made.table.name.name == table
    assert {name: cells[name] for name in row} == row


def test_scores_lie_between_the_limits_asked_for():
    told = asked("ZRANGEBYSCORE", "z", "(5", "+inf")

    (made,) = rows_wanted(
        RowRequest(statement(told.text, "redis"), database_of_keys("r", "0"), EMPTY, told.params), Random(1)
    ).rows

    assert next(cell.gene.phenotype() for cell in made.cells if cell.column.name == "score") > 5


@pytest.mark.parametrize(
    ("name", "params", "returned", "was_there"),
    [
        ("INCR", ("n",), 1, 0),
        ("INCR", ("n",), 2, 1),
        ("INCRBY", ("n", 5), 5, 0),
        ("HINCRBY", ("h", "f", 2), 9, 1),
        ("SETNX", ("n", "x"), 1, 0),
        ("SETNX", ("n", "x"), 0, 1),
        ("SISMEMBER", ("s", "m"), 0, 0),
        ("GET", ("n",), 1, 1),
    ],
)
def test_replies_tell_what_was_there_before(name, params, returned, was_there):
    assert asked(name, *params, returned=returned).returned == was_there


@pytest.mark.parametrize("command", [("SET", "a", "b"), ("PUBLISH", "a", "b"), ("HGET", "h"), ("GET",)])
def test_what_asks_for_nothing_is_no_query(command):
    assert asked(*command) is None


def test_what_the_command_made_itself_is_not_what_it_missed():
    rows = {**EMPTY, "redis.strings": ({"key": "n", "value": "1"}, {"key": "m", "value": "2"})}

    assert as_missed(rows, asked("INCR", "n"))["redis.strings"] == [{"key": "m", "value": "2"}]


def test_values_are_read_as_rows_of_their_kind():
    keys = ["h", "s", "t", {"$bytes": "/w=="}]
    values = [["hash", ["f", "1", "g", "2"]], ["set", ["b", "a"]], ["string", ["x"]], ["string", ["y"]]]
    database = database_of_keys("r", "0")

    found = {
        table.name.name: rows_of_table(table_asked(rows_query(table, "redis")), keys, values).rows
        for table in database.tables
    }

    assert found == {
        "strings": (("t", "x"),),
        "hashes": (("h", "f", "1"), ("h", "g", "2")),
        "sets": (("s", "a"), ("s", "b")),
        "sorted_sets": (),
        "lists": (),
    }


@pytest.mark.parametrize(
    ("table", "row", "command"),
    [
        ("strings", {"key": "a", "value": 7}, ("SET", "a", "7")),
        ("hashes", {"key": "a", "field": "f", "value": "x"}, ("HSET", "a", "f", "x")),
        ("sets", {"key": "a", "member": "m"}, ("SADD", "a", "m")),
        ("sorted_sets", {"key": "a", "member": "m", "score": 1.5}, ("ZADD", "a", "1.5", "m")),
        ("lists", {"key": "a", "value": "x"}, ("RPUSH", "a", "x")),
        ("hashes", {"key": "a", "value": "x"}, None),
    ],
)
def test_rows_are_put_in_by_the_command_of_their_kind(table, row, command):
    name = next(one.name for one in database_of_keys("r", "0").tables if one.name.name == table)

    assert insert_command(InsertRows("r", name, tuple(row), (tuple(row.values()),)), tuple(row.values())) == command
